// Hashes a file off the main thread, so that the page stays responsive. WebAssembly is allowed here: the page's policy forbids
// it, but does not apply to a worker loaded from a file.
import { Blake3 } from "@atelier/sdk/blake3";

export interface HashAsked {
  readonly id: number;
  readonly blob: Blob;
}

export type HashMessage =
  | { readonly id: number; readonly done: number }
  | { readonly id: number; readonly hash: string }
  | { readonly id: number; readonly fault: string };

// The worker's global scope, which the page's types do not know.
interface WorkerGlobal {
  onmessage: ((event: MessageEvent<HashAsked>) => void) | null;
  postMessage(message: HashMessage): void;
}
const here = globalThis as unknown as WorkerGlobal;

here.onmessage = ({ data }) => {
  hash(data).catch((thrown: unknown) =>
    here.postMessage({ id: data.id, fault: thrown instanceof Error ? thrown.message : String(thrown) }),
  );
};

async function hash({ id, blob }: HashAsked): Promise<void> {
  const hasher = new Blake3();
  const reader = blob.stream().getReader();
  let done = 0;
  let reported = 0;
  for (;;) {
    const next = await reader.read();
    if (next.done) break;
    hasher.update(next.value);
    done += next.value.byteLength;
    if (done - reported < 8_000_000) continue;
    reported = done;
    here.postMessage({ id, done });
  }
  here.postMessage({ id, hash: `blake3:${hasher.hex()}` });
}
