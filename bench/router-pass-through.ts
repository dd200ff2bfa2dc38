// The baseline for the router: the shortest gateways one can write. `node`: node:http and undici, bytes in and bytes out.
// `fastify`: Fastify with a raw body, the body parsed and checked by Ajv, then undici. Neither knows who calls, what it costs,
// or whether it is a repeat.
//   router-pass-through.ts <node|fastify> <url of the provider>
import { createServer } from "node:http";
import { Ajv2020 } from "ajv/dist/2020.js";
import Fastify from "fastify";
import { Pool } from "undici";
import { listenAndSay, sayReady } from "./ready.ts";
import { inputSchema, providerPath } from "./router-request.ts";

const [kind, providerUrl = ""] = process.argv.slice(2);
const pool = new Pool(providerUrl, { headersTimeout: 0, bodyTimeout: 0 });
const headers = { "content-type": "application/json" };

async function forward(body: Buffer) {
  const answer = await pool.request({ method: "POST", path: providerPath, headers, body });
  return { answer, bytes: Buffer.from(await answer.body.arrayBuffer()) };
}

function plainNode(): void {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const { answer, bytes } = await forward(Buffer.concat(chunks));
      response.writeHead(answer.statusCode, { "content-type": "application/json", "content-length": bytes.length });
      response.end(bytes);
    });
  });
  listenAndSay(server);
}

async function fastifyWithSchema(): Promise<void> {
  const app = Fastify({ bodyLimit: 32 * 1024 * 1024 });
  const check = new Ajv2020().compile(inputSchema);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.post<{ Body: Buffer }>("/*", async (request, reply) => {
    if (!check(JSON.parse(request.body.toString()))) return reply.code(422).send(check.errors);
    const { answer, bytes } = await forward(request.body);
    return reply.code(answer.statusCode).header("content-type", "application/json").send(bytes);
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  sayReady(app.server);
}

if (kind === "fastify") await fastifyWithSchema();
else plainNode();
