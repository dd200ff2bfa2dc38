// Which rows a sum is made of, as the kernels read it: two addresses and a weight that both share.
export class RowTable {
  readonly start: number;
  readonly end: number;
  readonly #addresses: Int32Array;
  readonly #weights: Float64Array;

  constructor(buffer: ArrayBuffer, start: number, rows: number) {
    this.start = start;
    this.end = start + rows * 16;
    this.#addresses = new Int32Array(buffer, start, rows * 4);
    this.#weights = new Float64Array(buffer, start, rows * 2);
  }

  set(index: number, one: number, other: number, weight: number): void {
    this.#addresses[index * 4] = one;
    this.#addresses[index * 4 + 1] = other;
    this.#weights[index * 2 + 1] = weight;
  }
}
