// Reuses the memory of pictures that are no longer needed for the next picture of the same size: the system must map in and
// clear new memory page by page, which takes longer than most nodes. We zero it before reuse, so no job sees another's pixels.
// Bounded; the oldest goes first.
export class SpareMemory {
  readonly #bytesMax: number;
  // We only take back buffers made here: others may be in use elsewhere.
  readonly #own = new WeakSet<ArrayBufferLike>();
  readonly #spare = new Set<ArrayBuffer>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  // Zeros.
  floats(count: number): Float32Array {
    for (const buffer of this.#spare) {
      if (buffer.byteLength !== count * 4) continue;
      this.#remove(buffer);
      return new Float32Array(buffer).fill(0);
    }
    const floats = new Float32Array(count);
    this.#own.add(floats.buffer);
    return floats;
  }

  // The caller guarantees that nothing refers to it any more.
  give(buffer: ArrayBufferLike): void {
    if (!(buffer instanceof ArrayBuffer) || !this.#own.has(buffer)) return;
    if (buffer.byteLength === 0 || buffer.byteLength > this.#bytesMax || this.#spare.has(buffer)) return;
    this.#spare.add(buffer);
    this.#bytes += buffer.byteLength;
    for (const oldest of this.#spare) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#remove(oldest);
    }
  }

  #remove(buffer: ArrayBuffer): void {
    this.#spare.delete(buffer);
    this.#bytes -= buffer.byteLength;
  }
}
