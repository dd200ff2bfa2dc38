// Hashes files in one worker for the whole page.
import { api as words } from "#strings/api";
import type { HashMessage } from "./hash.worker.ts";

interface Waiting {
  readonly resolve: (hash: string) => void;
  readonly reject: (fault: Error) => void;
  readonly onProgress: ((done: number) => void) | undefined;
}

let worker: Worker | null = null;
let counted = 0;
const waiting = new Map<number, Waiting>();

function open(): Worker {
  if (worker !== null) return worker;
  const made = new Worker(new URL("./hash.worker.ts", import.meta.url), { type: "module" });
  made.onmessage = ({ data }: MessageEvent<HashMessage>) => {
    const one = waiting.get(data.id);
    if (one === undefined) return;
    if ("done" in data) return one.onProgress?.(data.done);
    waiting.delete(data.id);
    if ("hash" in data) one.resolve(data.hash);
    else one.reject(new Error(data.fault));
  };
  made.onerror = () => {
    worker = null;
    for (const one of waiting.values()) one.reject(new Error(words.unreadableFile));
    waiting.clear();
  };
  worker = made;
  return made;
}

export function hashFile(blob: Blob, signal?: AbortSignal, onProgress?: (done: number) => void): Promise<string> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const id = ++counted;
    waiting.set(id, { resolve, reject, onProgress });
    signal?.addEventListener("abort", () => {
      waiting.delete(id);
      reject(signal.reason instanceof Error ? signal.reason : new Error(words.canceled));
    });
    open().postMessage({ id, blob });
  });
}
