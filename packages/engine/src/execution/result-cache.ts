// Results of earlier nodes, by signature, so that an unchanged part of a graph does not run again. Bounded by bytes; the least
// recently used goes first.
import { buffersOf, itemsOf, type Value } from "../pictures/picture.ts";
import type { OutputFile } from "./node-runner.ts";
import { SpareMemory } from "./spare-memory.ts";

const spareBytesMax = 64 * 1024 ** 2;

interface CachedResult {
  readonly values: readonly Value[];
  // What an output node saved.
  readonly files: readonly OutputFile[];
}

export class ResultCache {
  // Receives the memory of evicted results if nothing else needs it.
  readonly spare: SpareMemory;
  readonly #bytesMax: number;
  readonly #holders = new Map<ArrayBufferLike, number>();
  readonly #results = new Map<string, { readonly result: CachedResult; readonly bytes: number }>();
  #bytes = 0;

  constructor(bytesMax: number, spare = new SpareMemory(spareBytesMax)) {
    this.#bytesMax = bytesMax;
    this.spare = spare;
  }

  get bytes(): number {
    return this.#bytes;
  }

  has(signature: string): boolean {
    return this.#results.has(signature);
  }

  get(signature: string): CachedResult | undefined {
    const found = this.#results.get(signature);
    if (!found) return undefined;
    this.#results.delete(signature);
    this.#results.set(signature, found);
    return found.result;
  }

  holds(buffer: ArrayBufferLike): boolean {
    return this.#holders.has(buffer);
  }

  // `isHeld`: whether the running job still needs a buffer.
  put(signature: string, result: CachedResult, isHeld: (buffer: ArrayBufferLike) => boolean = () => true): void {
    this.#remove(signature, isHeld);
    const bytes = sizeOf(result);
    if (bytes > this.#bytesMax) return;
    this.#results.set(signature, { result, bytes });
    this.#bytes += bytes;
    for (const buffer of result.values.flatMap(buffersOf)) {
      this.#holders.set(buffer, (this.#holders.get(buffer) ?? 0) + 1);
    }
    for (const oldest of this.#results.keys()) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#remove(oldest, isHeld);
    }
  }

  #remove(signature: string, isHeld: (buffer: ArrayBufferLike) => boolean): void {
    const found = this.#results.get(signature);
    if (!found) return;
    this.#results.delete(signature);
    this.#bytes -= found.bytes;
    for (const buffer of found.result.values.flatMap(buffersOf)) {
      const left = (this.#holders.get(buffer) ?? 1) - 1;
      if (left > 0) this.#holders.set(buffer, left);
      else {
        this.#holders.delete(buffer);
        if (!isHeld(buffer)) this.spare.give(buffer);
      }
    }
  }
}

// A view keeps its whole buffer alive. A buffer shared by two results counts twice, which errs on the safe side.
function sizeOf({ values, files }: CachedResult): number {
  const kept = values.flatMap(buffersOf).reduce((sum, buffer) => sum + buffer.byteLength, 0);
  const texts = values
    .flatMap(itemsOf)
    .reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length * 2 : 0), 0);
  return 1024 + kept + texts + files.reduce((sum, file) => sum + file.bytes.byteLength, 0);
}
