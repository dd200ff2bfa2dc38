// Takes in what a client still sends of a body that was refused. Its connection is closed after the answer, and closing
// one whose bytes were not read resets it: many clients would then see a broken connection instead of the answer. Bounded
// in bytes and in time, so that nobody can keep a connection busy with what we do not want.
import type { Readable } from "node:stream";

const bytesMax = 64 * 1024 * 1024;
const silenceMsMax = 1_000;
const msMax = 10_000;

// Resolves when the body has ended, its client has gone, or enough was taken.
export function discardRest(body: Readable): Promise<void> {
  const { promise, resolve: stop } = Promise.withResolvers<void>();
  const silence = setTimeout(stop, silenceMsMax);
  const whole = setTimeout(stop, msMax);
  let bytes = 0;
  const onData = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax) stop();
    else silence.refresh();
  };
  body.on("data", onData).once("end", stop).once("close", stop).resume();
  return promise.finally(() => {
    clearTimeout(silence);
    clearTimeout(whole);
    body.off("data", onData).off("end", stop).off("close", stop);
  });
}
