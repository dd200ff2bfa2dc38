// An HTTP server on loopback that remembers what was put there. Contains no tests.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";

export interface PutBytes {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface OutputReceiver {
  readonly target: string;
  readonly received: PutBytes[];
  answer: (response: ServerResponse) => void;
  close(): void;
}

export const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end();

export async function anOutputReceiver(): Promise<OutputReceiver> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const receiver: OutputReceiver = {
    target: `127.0.0.1:${address.port}`,
    received: [],
    answer: status(200),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  server.on("request", async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    receiver.received.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) });
    receiver.answer(response);
  });
  return receiver;
}
