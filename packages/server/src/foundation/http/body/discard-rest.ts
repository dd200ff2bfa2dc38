// Takes in what a client still sends of a body that was refused. Its connection is closed after the answer, and closing
// one whose bytes were not read resets it: many clients would then see a broken connection instead of the answer. Bounded
// in bytes and in time, so that no client can keep a connection busy with what we do not want.
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { Fault } from "../../fault.ts";

const bytesMax = 64 * 1024 * 1024;
const silenceMsMax = 1_000;
const msMax = 10_000;

// What becomes of the body of a request that is refused. One that was not read would be taken for the next request: the
// connection is closed, once the rest was taken in.
export function restOf(request: IncomingMessage, { code }: Fault): { isClosing: boolean; rest?: Promise<void> } {
  const { complete, headers } = request;
  const isChunked = headers["transfer-encoding"] !== undefined;
  const isUnread = !complete && (isChunked || (headers["content-length"] ?? "0") !== "0");
  // Who was refused for being slow has had its time.
  const rest = isUnread && code !== "request_timeout" ? { rest: discardRest(request) } : {};
  return { isClosing: isUnread || isChunked, ...rest };
}

// Resolves when the body has ended, its client has gone, or enough was taken.
export function discardRest(body: Readable): Promise<void> {
  const { promise, resolve: stop } = Promise.withResolvers<void>();
  let bytes = 0;
  let seen = -1;
  // Asked after the sockets were looked at: where this process itself was held up, what waits there is no silence.
  const look = () => {
    if (bytes === seen) stop();
    seen = bytes;
  };
  const silence = setInterval(() => setImmediate(look), silenceMsMax);
  const whole = setTimeout(stop, msMax);
  const onData = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax) stop();
  };
  body.on("data", onData).once("end", stop).once("close", stop).resume();
  return promise.finally(() => {
    clearInterval(silence);
    clearTimeout(whole);
    body.off("data", onData).off("end", stop).off("close", stop);
  });
}
