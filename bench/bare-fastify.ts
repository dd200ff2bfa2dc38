// The baseline for the badges: Fastify as in its own first example, and nothing else.
import Fastify from "fastify";
import { sayReady } from "./ready.ts";

const app = Fastify();
app.get("/", async () => ({ hello: "world" }));
await app.listen({ host: "127.0.0.1", port: 0 });
sayReady(app.server);
