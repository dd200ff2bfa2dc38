// Receivers of webhooks for the bench, in a separate process: many ports of one kind. `keep` answers and keeps the connection,
// `close` answers and closes it, `hang` takes the request and never answers. Reports how many arrived and how long after they
// were queued (a body is `{"at": <Unix milliseconds>}`).
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { portOf } from "./ready.ts";

export interface ReceiverJob {
  readonly kind: "open";
  readonly behaviour: "keep" | "close" | "hang";
  readonly count: number;
  // Null for no TLS.
  readonly certificate: { readonly key: string; readonly cert: string } | null;
}
export type ReceiverQuestion = ReceiverJob | { readonly kind: "tally" };

export interface ReceiverTally {
  readonly ports: readonly number[];
  // Since the last tally, for those that answer.
  readonly delaysMs: readonly number[];
}

let delaysMs: number[] = [];

async function arrived(request: IncomingMessage): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body: { at: number } = JSON.parse(Buffer.concat(chunks).toString());
  delaysMs.push(Date.now() - body.at);
}

const listeners: Readonly<Record<ReceiverJob["behaviour"], RequestListener>> = {
  keep: (request, response) => void arrived(request).then(() => response.end()),
  close: (request, response) =>
    void arrived(request).then(() => response.writeHead(200, { connection: "close" }).end()),
  hang: (request) => void request.resume(),
};

async function open({ behaviour, count, certificate }: ReceiverJob): Promise<number[]> {
  const ports: number[] = [];
  for (let index = 0; index < count; index++) {
    const server = certificate
      ? createTlsServer(
          { key: readFileSync(certificate.key), cert: readFileSync(certificate.cert) },
          listeners[behaviour],
        )
      : createServer(listeners[behaviour]);
    server.keepAliveTimeout = 20_000;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ports.push(portOf(server));
  }
  return ports;
}

process.on("message", async (question: ReceiverQuestion) => {
  const ports = question.kind === "open" ? await open(question) : [];
  process.send?.({ ports, delaysMs } satisfies ReceiverTally);
  delaysMs = [];
});
process.on("disconnect", () => process.exit(0));
