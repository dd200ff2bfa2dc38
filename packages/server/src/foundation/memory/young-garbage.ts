// Bytes from a socket arrive in buffers of 64 KiB that are garbage as soon as they are copied. V8 does not notice how much
// memory these small objects hold until 64 MiB are gone, and then marks the whole heap, again and again: two fifths of the time
// of a large upload (measured). Code that moves many bytes reports that here, and only the young generation is collected, which
// takes a millisecond.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export type CollectYoung = () => void;

const bytesPerCollection = 16 * 1024 * 1024;

export const countMovedBytes = movedBytes(bytesPerCollection, findCollectYoung);

export function movedBytes(bytesEach: number, find: () => CollectYoung | null): (bytes: number) => void {
  let collect: CollectYoung | null | undefined;
  let moved = 0;
  return (bytes) => {
    moved += bytes;
    if (moved < bytesEach) return;
    moved = 0;
    if (collect === undefined) collect = find();
    collect?.();
  };
}

export function findCollectYoung(): CollectYoung | null {
  return findCollector({ type: "minor" });
}

// Not in a global scope, so that no other code can reach it. Null if the engine does not support it.
export function findCollector(how: Readonly<Record<string, string>>): (() => void) | null {
  try {
    setFlagsFromString("--expose-gc");
    const found: unknown = runInNewContext("gc");
    return typeof found === "function" ? () => void found(how) : null;
  } catch {
    return null;
  } finally {
    setFlagsFromString("--no-expose-gc");
  }
}
