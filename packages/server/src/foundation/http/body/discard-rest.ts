// Reads and discards the rest of a refused body. The connection is closed after the answer, and closing it with unread bytes
// resets it: many clients would then see a broken connection instead of the answer. Bounded in bytes and time, so that no
// client can keep a connection busy with data we do not want.
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { Fault } from "../../fault.ts";

const bytesMax = 64 * 1024 * 1024;
const silenceMsMax = 1_000;
const msMax = 10_000;

// Handles the body of a refused request. An unread body would be parsed as the next request, so we discard the rest and then
// close the connection.
export function discardRefusedBody(
  request: IncomingMessage,
  { code }: Fault,
): { isClosing: boolean; rest?: Promise<void> } {
  const { complete, headers } = request;
  const isChunked = headers["transfer-encoding"] !== undefined;
  const isUnread = !complete && (isChunked || (headers["content-length"] ?? "0") !== "0");
  // A client refused for being slow has had its time.
  const rest = isUnread && code !== "request_timeout" ? { rest: discardRest(request) } : {};
  return { isClosing: isUnread || isChunked, ...rest };
}

// Resolves when the body has ended, the client has gone, or the limit is reached.
export function discardRest(body: Readable): Promise<void> {
  const { promise, resolve: stop } = Promise.withResolvers<void>();
  let bytes = 0;
  let seen = -1;
  // Runs after the sockets were polled: if our own process was delayed, data already waiting there does not count as silence.
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
