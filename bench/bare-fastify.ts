// The baseline for the badges: Fastify as in its own first example, and nothing else.
import Fastify from "fastify";

const app = Fastify();
app.get("/", async () => ({ hello: "world" }));
await app.listen({ host: "127.0.0.1", port: 0 });
const address = app.server.address();
process.stdout.write(`ready http://127.0.0.1:${typeof address === "object" ? address?.port : 0}\n`);
process.on("SIGTERM", () => process.exit(0));
