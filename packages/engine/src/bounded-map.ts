// A Map with a size limit: when it is full, the oldest entry goes. Our processes keep everything they remember about callers,
// files or statements in one of these, so that no flood of names can fill their memory. Reads cost the same as in a Map. Writing
// an existing key does not renew it; delete it first to renew it.

interface BoundedMapOptions<Key, Value> {
  // The limit for all values together, in bytes. A single value above it is not kept at all.
  readonly bytesMax?: number;
  readonly bytesOf?: (value: Value) => number;
  // Called for every entry that was evicted, after it has left the map.
  readonly evicted?: (key: Key, value: Value) => void;
}

export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #entriesMax: number;
  readonly #options: BoundedMapOptions<Key, Value>;
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(entriesMax: number, options: BoundedMapOptions<Key, Value> = {}) {
    super();
    this.#entriesMax = entriesMax;
    this.#options = options;
    this.#bytesMax = options.bytesMax ?? Number.POSITIVE_INFINITY;
  }

  get bytes(): number {
    return this.#bytes;
  }

  override set(key: Key, value: Value): this {
    const { bytesOf } = this.#options;
    if (bytesOf) {
      const bytes = bytesOf(value);
      const before = this.get(key);
      if (before !== undefined) this.#bytes -= bytesOf(before);
      if (bytes > this.#bytesMax) {
        super.delete(key);
        return this;
      }
      this.#bytes += bytes;
    }
    super.set(key, value);
    if (this.size > this.#entriesMax || this.#bytes > this.#bytesMax) this.#makeRoom();
    return this;
  }

  override delete(key: Key): boolean {
    const { bytesOf } = this.#options;
    const value = bytesOf && this.get(key);
    if (bytesOf && value !== undefined) this.#bytes -= bytesOf(value);
    return super.delete(key);
  }

  override clear(): void {
    this.#bytes = 0;
    super.clear();
  }

  #makeRoom(): void {
    for (const [key, value] of this) {
      if (this.size <= this.#entriesMax && this.#bytes <= this.#bytesMax) return;
      this.delete(key);
      this.#options.evicted?.(key, value);
    }
  }
}
