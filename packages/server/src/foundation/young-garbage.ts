// Bytes that come over a socket arrive in buffers of 64 KiB, dead as soon as they are copied. V8 does not see how much
// memory hangs on these small objects until 64 MiB are gone, and then marks the whole heap, again and again: two fifths of
// all time of a large upload (measured). Whoever moves many bytes says so here, and the young are collected alone, which
// takes a millisecond.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (options: { readonly type: "minor" }) => void;

const bytesPerCollection = 16 * 1024 * 1024;
let collect: Collect | null | undefined;
let moved = 0;

export function countMovedBytes(bytes: number): void {
  moved += bytes;
  if (moved < bytesPerCollection) return;
  moved = 0;
  collect ??= findCollect();
  collect?.({ type: "minor" });
}

// Not in the global scope, so that nobody else finds it there.
function findCollect(): Collect | null {
  try {
    setFlagsFromString("--expose-gc");
    const found: unknown = runInNewContext("gc");
    setFlagsFromString("--no-expose-gc");
    return typeof found === "function" ? (options) => void found(options) : null;
  } catch {
    return null;
  }
}
