// Takes in what a client still sends of a body that was refused. Its connection is closed after the answer, and closing
// one whose bytes were not read resets it: many clients would then see a broken connection instead of the answer. Bounded
// in bytes and in time, so that no client can keep a connection busy with what we do not want.
import type { Readable } from "node:stream";

const bytesMax = 64 * 1024 * 1024;
const silenceMsMax = 1_000;
const msMax = 10_000;

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
