// Writes one answer to the socket. Everything that every answer carries is added here and nowhere else: the request id (Spec,
// Router rule 9, and decisions, section 1: every area), nosniff, and no-store on errors.
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type ByteSource, isByteSource } from "../byte-source.ts";
import type { RequestId } from "../ids.ts";
import type { BytesAnswer, HeaderValues } from "./area.ts";

export interface SendContext {
  readonly requestId: RequestId;
  readonly isHead: boolean;
  // While draining, every answer closes its connection, so that clients move to another process.
  readonly isDraining: boolean;
  readonly extraHeaders: HeaderValues | null;
  // The rest of the client's body. The answer is written immediately and ended when this resolves.
  readonly rest?: Promise<void>;
}

export function commonHeaders(context: SendContext): (string | string[])[] {
  const list: (string | string[])[] = ["x-service-request-id", context.requestId, "x-content-type-options", "nosniff"];
  if (context.isDraining) list.push("connection", "close");
  if (context.extraHeaders) pushHeaders(list, context.extraHeaders);
  return list;
}

export function sendAnswer(response: ServerResponse, answer: BytesAnswer, context: SendContext): void | Promise<void> {
  const { status, body } = answer;
  const list = commonHeaders(context);
  if (answer.headers) pushHeaders(list, answer.headers);
  if (status >= 400 && answer.headers?.["cache-control"] === undefined) list.push("cache-control", "no-store");
  if (body instanceof Readable) return sendStream(response, { status, list, body, trailers: answer.trailers }, context);
  if (isSource(body)) return sendSource(response, status, list, body, context.isHead);

  const mayHaveBody = status !== 204 && status !== 304;
  if (mayHaveBody && answer.headers?.["content-length"] === undefined) {
    list.push("content-length", String(body ? Buffer.byteLength(body) : 0));
  }
  response.writeHead(status, list);
  if (context.rest && body && !context.isHead) return sendBeforeRest(response, body, context.rest);
  if (!body || !mayHaveBody || context.isHead) response.end();
  else if (typeof body === "string") response.end(body);
  else endWithBytes(response, body);
}

async function sendBeforeRest(response: ServerResponse, body: string | Uint8Array, rest: Promise<void>): Promise<void> {
  response.write(body);
  await rest;
  if (!response.destroyed) response.end();
}

// Node sends the head and a text in one write, but the head and bytes in two, which costs a quarter of a small answer's time.
// So small bodies are sent as text, one character per byte. From 16 KiB on, plain bytes are faster (measured).
const textBytesMax = 8 * 1024;

function endWithBytes(response: ServerResponse, body: Uint8Array): void {
  if (body.byteLength <= textBytesMax) response.end(latin1(body), "latin1");
  else endAfterTurn(response, body);
}

// Larger bodies wait until everything that has arrived is handled, and are then written back to back. That saves a tenth of the
// time of a 64 KiB or 1 MiB download (measured), likely because each of them evicts our code and data from the CPU caches, and
// because a busy client need not be woken for the next one.
const due: { readonly response: ServerResponse; readonly body: Uint8Array }[] = [];

function endAfterTurn(response: ServerResponse, body: Uint8Array): void {
  if (due.length === 0) setImmediate(endDue);
  due.push({ response, body });
}

function endDue(): void {
  for (const { response, body } of due.splice(0)) if (!response.destroyed) response.end(body);
}

function latin1(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1");
}

interface StreamedAnswer {
  readonly status: number;
  readonly list: (string | string[])[];
  readonly body: Readable;
  readonly trailers: BytesAnswer["trailers"] | undefined;
}

async function sendStream(
  response: ServerResponse,
  { status, list, body, trailers }: StreamedAnswer,
  { isHead }: SendContext,
): Promise<void> {
  response.writeHead(status, list);
  if (isHead) {
    body.destroy();
    response.end();
    return;
  }
  // The first byte may take a while; send the headers now so that the client knows the answer is coming.
  response.flushHeaders();
  // A source that fails half-way must not look like a clean end: pipeline destroys the socket.
  await pipeline(body, response, { end: trailers === undefined }).then(
    () => (trailers === undefined ? undefined : endWithTrailers(response, trailers())),
    () => void response.destroy(),
  );
}

function endWithTrailers(response: ServerResponse, trailers: HeaderValues): void {
  const list = Object.entries(trailers).map(([name, value]): [string, string] => [name, String(value)]);
  if (list.length > 0) response.addTrailers(list);
  response.end();
}

function isSource(body: BytesAnswer["body"]): body is ByteSource {
  return typeof body === "object" && body !== null && isByteSource(body);
}

// Reads one block while the previous one is being sent, and never reuses a block before the socket is done with it. A failure
// before the first block can still be answered; a later one must not look like a clean end.
async function sendSource(
  response: ServerResponse,
  status: number,
  list: (string | string[])[],
  source: ByteSource,
  isHead: boolean,
): Promise<void> {
  let giveUp: (reason: Error) => void = () => {};
  const onClose = () => {
    giveUp(new Error("the client disconnected"));
    void source.close().catch(() => undefined);
  };
  response.once("close", onClose);
  try {
    let block = isHead ? null : await source.next();
    response.writeHead(status, list);
    while (block !== null) {
      const bytes = block;
      const sending = new Promise<void>((resolve, reject) => {
        giveUp = reject;
        response.write(bytes, (error) => (error ? reject(error) : resolve()));
      });
      const following = source.next();
      // Awaited below; until then it must not count as an unhandled rejection.
      following.catch(() => undefined);
      await sending;
      block = await following;
    }
    response.end();
  } catch (thrown) {
    if (!response.headersSent) throw thrown;
    response.destroy();
  } finally {
    response.off("close", onClose);
    await source.close().catch(() => undefined);
  }
}

function pushHeaders(list: (string | string[])[], headers: HeaderValues): void {
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    list.push(name, typeof value === "string" ? value : [...value]);
  }
}
