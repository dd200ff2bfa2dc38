// BLAKE3 in WebAssembly, compiled on first use: one function that compresses four blocks side by side, one in each lane of the
// 128-bit vectors. Leaves (chunks of 1,024 bytes) and parents (two hashes) both go through it, four at a time; idle lanes
// compute a result that is never read. There is no file to load and no other dependency.
import { compressModule } from "./blake3-module.ts";

const chunkBytes = 1024;
const blockBytes = 64;
const hashBytes = 32;
const flags = { chunkStart: 1, chunkEnd: 2, parent: 4, root: 8 } as const;
// Offsets in the module's memory.
const hashesAt = 0;
const inputAt = 256;
// How many bytes the module takes per batch: whole groups of four chunks.
const batchBytes = 64 * chunkBytes;

type Compress = (
  inputAt: number,
  strideBytes: number,
  blocks: number,
  lastBlockBytes: number,
  counterLow: number,
  counterHigh: number,
  counterStep: number,
  flagsFirst: number,
  flagsAll: number,
  flagsLast: number,
) => void;

interface Machine {
  readonly memory: Uint8Array;
  readonly compress: Compress;
}

let machine: Machine | undefined;

// The part of WebAssembly we use. Not every set of type definitions declares it.
interface WithWebAssembly {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
    readonly Instance: new (
      module: object,
    ) => { readonly exports: { readonly memory: { readonly buffer: ArrayBuffer }; readonly compress: Compress } };
  };
}

function openMachine(): Machine {
  if (machine !== undefined) return machine;
  const { WebAssembly } = globalThis as unknown as WithWebAssembly;
  const { memory, compress } = new WebAssembly.Instance(new WebAssembly.Module(compressModule())).exports;
  machine = { memory: new Uint8Array(memory.buffer), compress };
  return machine;
}

/**
 * The BLAKE3 hash of bytes that come in pieces.
 * @example
 * const hash = new Blake3().update(new TextEncoder().encode("hello")).hex();
 */
export class Blake3 {
  readonly #machine = openMachine();
  // Bytes not hashed yet. The tail is hashed only at the end, because the last chunk may be the root.
  readonly #waiting = new Uint8Array(batchBytes);
  #used = 0;
  #chunks = 0;
  // Hashes of complete sub-trees, largest first, one for each 1 in the binary form of the chunk count.
  readonly #stack: Uint8Array[] = [];

  /** Takes more bytes. */
  update(bytes: Uint8Array): this {
    for (let at = 0; at < bytes.length; ) {
      if (this.#used === batchBytes) this.#hashBatch();
      const piece = bytes.subarray(at, at + batchBytes - this.#used);
      this.#waiting.set(piece, this.#used);
      this.#used += piece.length;
      at += piece.length;
    }
    return this;
  }

  /** The hash of everything so far, as 64 hexadecimal digits. */
  hex(): string {
    return Array.from(this.digest(), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /** The hash of everything so far. The hasher is used up afterwards. */
  digest(): Uint8Array {
    const full = Math.max(0, Math.ceil(this.#used / chunkBytes) - 1);
    this.#hashChunks(full);
    const rest = this.#waiting.slice(full * chunkBytes, this.#used);
    const isOnly = this.#stack.length === 0;
    let hash = this.#lastChunk(rest, isOnly);
    for (let left = this.#stack.pop(); left !== undefined; left = this.#stack.pop())
      hash = this.#parent(left, hash, this.#stack.length === 0);
    return hash;
  }

  #hashBatch(): void {
    this.#hashChunks(batchBytes / chunkBytes);
    this.#used = 0;
  }

  #hashChunks(count: number): void {
    const { memory, compress } = this.#machine;
    for (let first = 0; first < count; first += 4) {
      memory.set(this.#waiting.subarray(first * chunkBytes, (first + 4) * chunkBytes), inputAt);
      const [low, high] = counterOf(this.#chunks);
      compress(
        inputAt,
        chunkBytes,
        chunkBytes / blockBytes,
        blockBytes,
        low,
        high,
        1,
        flags.chunkStart,
        0,
        flags.chunkEnd,
      );
      const made = Math.min(4, count - first);
      // Copy all of them before the first parent, which writes to the same memory.
      const hashes = memory.slice(hashesAt, hashesAt + made * hashBytes);
      for (let lane = 0; lane < made; lane++) this.#push(hashes.subarray(lane * hashBytes, (lane + 1) * hashBytes));
    }
  }

  // A sub-tree is complete when it has a power of two of adjacent chunks.
  #push(hash: Uint8Array): void {
    this.#chunks++;
    let whole = hash;
    for (let count = this.#chunks; count % 2 === 0; count /= 2) {
      const left = this.#stack.pop();
      if (left === undefined) break;
      whole = this.#parent(left, whole, false);
    }
    this.#stack.push(whole);
  }

  #parent(left: Uint8Array, right: Uint8Array, isRoot: boolean): Uint8Array {
    const { memory, compress } = this.#machine;
    memory.set(left, inputAt);
    memory.set(right, inputAt + hashBytes);
    compress(inputAt, 0, 1, blockBytes, 0, 0, 0, 0, flags.parent, isRoot ? flags.root : 0);
    return memory.slice(hashesAt, hashesAt + hashBytes);
  }

  #lastChunk(rest: Uint8Array, isRoot: boolean): Uint8Array {
    const { memory, compress } = this.#machine;
    memory.fill(0, inputAt, inputAt + chunkBytes);
    memory.set(rest, inputAt);
    const blocks = Math.max(1, Math.ceil(rest.length / blockBytes));
    const [low, high] = counterOf(this.#chunks);
    const end = flags.chunkEnd | (isRoot ? flags.root : 0);
    compress(inputAt, 0, blocks, rest.length - (blocks - 1) * blockBytes, low, high, 0, flags.chunkStart, 0, end);
    return memory.slice(hashesAt, hashesAt + hashBytes);
  }
}

function counterOf(chunks: number): [number, number] {
  return [chunks | 0, Math.floor(chunks / 2 ** 32) | 0];
}

/**
 * The BLAKE3 hash of a blob, read as a stream: a large file is never in memory as a whole.
 * @example
 * const hex = await blake3OfBlob(new Blob(["hello"]));
 */
export async function blake3OfBlob(blob: Blob, signal?: AbortSignal): Promise<string> {
  const hasher = new Blake3();
  const reader = blob.stream().getReader();
  for (;;) {
    signal?.throwIfAborted();
    const { done, value } = await reader.read();
    if (done) return hasher.hex();
    hasher.update(value);
  }
}
