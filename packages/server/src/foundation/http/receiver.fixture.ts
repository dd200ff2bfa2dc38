// An HTTP server on loopback that remembers what it got, for tests; contains no test itself.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Receiver {
  readonly url: string;
  readonly target: string;
  readonly received: Received[];
  connections(): number;
  // What it does next; 200 at first.
  answer: (response: ServerResponse, received: Received) => void;
  close(): void;
}

export async function aReceiver(): Promise<Receiver> {
  // In these tests the sender decides how long connections are kept.
  const server = createServer({ keepAliveTimeout: 600_000 });
  let connections = 0;
  server.on("connection", () => connections++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const target = `127.0.0.1:${address.port}`;
  const receiver: Receiver = {
    url: `http://${target}/hook`,
    target,
    received: [],
    connections: () => connections,
    answer: (response) => void response.end(),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  server.on("request", async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const got = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) };
    receiver.received.push(got);
    receiver.answer(response, got);
  });
  return receiver;
}

export const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end();
