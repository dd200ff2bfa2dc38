// Where every value of a JSON text begins and ends, without the values themselves: of megabytes, only what is asked for is parsed.
// read-tape.ts makes one.
export interface TapeEntries {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  // Of a value: the entry after everything in it. Of a key: the object it belongs to.
  readonly others: Int32Array;
}

const openBrace = 0x7b;
const openBracket = 0x5b;

// An entry for each key and each value, in the order of the text. The first one is the whole value, and the value of a key is the
// entry after it. Keys have no escapes.
export class JsonTape {
  readonly #bytes: Buffer;
  readonly #entries: TapeEntries;

  constructor(bytes: Buffer, entries: TapeEntries) {
    this.#bytes = bytes;
    this.#entries = entries;
  }

  start(entry: number): number {
    return this.#entries.starts[entry] ?? 0;
  }

  end(entry: number): number {
    return this.#entries.ends[entry] ?? 0;
  }

  isObject(entry: number): boolean {
    return this.#bytes[this.start(entry)] === openBrace;
  }

  isArray(entry: number): boolean {
    return this.#bytes[this.start(entry)] === openBracket;
  }

  // The value of a member of an object. Null if there is none. The name is ASCII.
  member(object: number, name: string): number | null {
    const after = this.#after(object);
    for (let key = object + 1; key < after; key = this.#after(key + 1)) if (this.#isKey(key, name)) return key + 1;
    return null;
  }

  keys(object: number): number[] {
    const after = this.#after(object);
    const keys: number[] = [];
    for (let key = object + 1; key < after; key = this.#after(key + 1)) keys.push(key);
    return keys;
  }

  items(array: number): number[] {
    const after = this.#after(array);
    const items: number[] = [];
    for (let item = array + 1; item < after; item = this.#after(item)) items.push(item);
    return items;
  }

  name(key: number): string {
    return this.#bytes.toString("utf8", this.start(key) + 1, this.end(key) - 1);
  }

  parse(value: number): unknown {
    const text = this.#bytes.toString("utf8", this.start(value), this.end(value));
    return text.startsWith('"') && !text.includes("\\") ? text.slice(1, -1) : JSON.parse(text);
  }

  #after(value: number): number {
    return this.#entries.others[value] ?? 0;
  }

  #isKey(key: number, name: string): boolean {
    const start = this.start(key) + 1;
    if (this.end(key) - 1 - start !== name.length) return false;
    for (let at = 0; at < name.length; at++) if (this.#bytes[start + at] !== name.charCodeAt(at)) return false;
    return true;
  }
}
