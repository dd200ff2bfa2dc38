// Reads the tape of a JSON text: one pass over its bytes that checks everything and builds no value. Answers with null for every
// text that parseJson refuses, and for a few that need its closer look, such as keys with escapes. Read those with parseJson,
// which also says what is wrong.
import { isUtf8 } from "node:buffer";
import type { JsonLimits } from "./json-scan.ts";
import { JsonTape } from "./json-tape.ts";
import { KeyTable } from "./key-table.ts";

export type TapeLimits = Pick<JsonLimits, "depthMax" | "keysMax" | "valuesMax" | "exactMax">;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const minus = 0x2d;
const plus = 0x2b;
const zero = 0x30;
const point = 0x2e;
const letterE = 0x65;
const letterU = 0x75;

// parseJson bounds how long the pointers of all integers beyond a double are together.
const pointerBytesMax = 1 << 20;
const smallKeysMax = 16;

export function readTape(bytes: Buffer, limits: TapeLimits): JsonTape | null {
  return isUtf8(bytes) ? new TapeReader(bytes, limits).read() : null;
}

class TapeReader {
  readonly #bytes: Buffer;
  readonly #limits: TapeLimits;
  readonly #keyTable = new KeyTable((one, other) => this.#isSameKey(one, other));
  #starts: Int32Array;
  #ends: Int32Array;
  #others: Int32Array;
  #count = 0;
  #at = 0;
  #keys = 0;
  #values = 1;
  #exact = 0;
  #pointerBytes = 0;

  constructor(bytes: Buffer, limits: TapeLimits) {
    this.#bytes = bytes;
    this.#limits = limits;
    const room = Math.max(256, Math.min(bytes.length >> 4, 1 << 17));
    this.#starts = new Int32Array(room);
    this.#ends = new Int32Array(room);
    this.#others = new Int32Array(room);
  }

  // A byte order mark is no value.
  read(): JsonTape | null {
    this.#space();
    if (!this.#value(0, 0)) return null;
    this.#space();
    if (this.#at < this.#bytes.length) return null;
    return new JsonTape(this.#bytes, { starts: this.#starts, ends: this.#ends, others: this.#others });
  }

  #value(depth: number, pointerBytes: number): boolean {
    const entry = this.#add();
    const byte = this.#bytes[this.#at] ?? 0;
    const isRead =
      byte === quote
        ? this.#string()
        : byte === openBrace
          ? this.#object(entry, depth + 1, pointerBytes)
          : byte === openBracket
            ? this.#array(depth + 1, pointerBytes)
            : this.#literal(byte, pointerBytes);
    this.#ends[entry] = this.#at;
    this.#others[entry] = this.#count;
    return isRead;
  }

  #add(): number {
    const entry = this.#count++;
    if (entry >= this.#starts.length) this.#grow();
    this.#starts[entry] = this.#at;
    return entry;
  }

  #grow(): void {
    const larger = (from: Int32Array) => {
      const to = new Int32Array(from.length * 2);
      to.set(from);
      return to;
    };
    this.#starts = larger(this.#starts);
    this.#ends = larger(this.#ends);
    this.#others = larger(this.#others);
  }

  #object(entry: number, depth: number, pointerBytes: number): boolean {
    if (!this.#open(depth)) return false;
    if (this.#takes(closeBrace)) return true;
    for (let earlier = 0; ; earlier++) {
      const key = this.#key(entry, earlier);
      if (key < 0) return false;
      this.#space();
      if (!this.#takes(colon)) return false;
      this.#space();
      // A pointer spells some characters with two.
      const keyBytes = (this.#ends[key] ?? 0) - (this.#starts[key] ?? 0);
      if (!this.#value(depth, pointerBytes + 2 * keyBytes)) return false;
      this.#space();
      if (this.#takes(closeBrace)) return true;
      if (!this.#separator()) return false;
    }
  }

  #array(depth: number, pointerBytes: number): boolean {
    if (!this.#open(depth)) return false;
    if (this.#takes(closeBracket)) return true;
    for (;;) {
      // Room for the number of an item.
      if (!this.#value(depth, pointerBytes + 8)) return false;
      this.#space();
      if (this.#takes(closeBracket)) return true;
      if (!this.#separator()) return false;
    }
  }

  #open(depth: number): boolean {
    if (depth > this.#limits.depthMax || ++this.#values > this.#limits.valuesMax) return false;
    this.#at++;
    this.#space();
    return true;
  }

  #separator(): boolean {
    if (!this.#takes(comma) || ++this.#values > this.#limits.valuesMax) return false;
    this.#space();
    return true;
  }

  // Returns −1 for what is no key, one that the object has already, and one with escapes: those can spell the same key.
  #key(object: number, earlier: number): number {
    const bytes = this.#bytes;
    if (bytes[this.#at] !== quote || ++this.#keys > this.#limits.keysMax) return -1;
    const key = this.#add();
    let at = this.#at + 1;
    let byte = bytes[at] ?? 0;
    while (byte !== quote && byte !== backslash && byte >= 0x20) byte = bytes[++at] ?? 0;
    if (byte !== quote) return -1;
    this.#at = at + 1;
    this.#ends[key] = this.#at;
    this.#others[key] = object;
    return this.#isNewKey(object, key, earlier) ? key : -1;
  }

  // The keys of a small object are compared with each other, those of a large one by their hash.
  #isNewKey(object: number, key: number, earlier: number): boolean {
    if (earlier > smallKeysMax) return this.#keyTable.add(this.#hash(key), key);
    for (let other = object + 1; other < key; other = this.#others[other + 1] ?? key) {
      if (this.#isSameKey(key, other)) return false;
      if (earlier === smallKeysMax && !this.#keyTable.add(this.#hash(other), other)) return false;
    }
    return earlier < smallKeysMax || this.#keyTable.add(this.#hash(key), key);
  }

  #hash(key: number): number {
    const end = (this.#ends[key] ?? 0) - 1;
    let hash = this.#others[key] ?? 0;
    for (let at = (this.#starts[key] ?? 0) + 1; at < end; at++)
      hash = Math.imul(hash ^ (this.#bytes[at] ?? 0), 0x01000193);
    return hash;
  }

  #isSameKey(one: number, other: number): boolean {
    if (this.#others[one] !== this.#others[other]) return false;
    const [start, end] = [this.#starts[one] ?? 0, this.#ends[one] ?? 0];
    const [otherStart, otherEnd] = [this.#starts[other] ?? 0, this.#ends[other] ?? 0];
    return (
      end - start === otherEnd - otherStart && this.#bytes.compare(this.#bytes, otherStart, otherEnd, start, end) === 0
    );
  }

  #string(): boolean {
    const bytes = this.#bytes;
    const length = bytes.length;
    let at = this.#at + 1;
    while (at < length) {
      const byte = bytes[at] ?? 0;
      if (byte === quote) {
        this.#at = at + 1;
        return true;
      }
      if (byte === backslash) {
        at = this.#escapeEnd(at);
        if (at < 0) return false;
      } else if (byte < 0x20) return false;
      else at++;
    }
    return false;
  }

  // Returns −1 for what is no escape, and for half of a surrogate pair.
  #escapeEnd(at: number): number {
    const letter = this.#bytes[at + 1] ?? 0;
    if (letter !== letterU) return isPlainEscape(letter) ? at + 2 : -1;
    const unit = this.#hex(at + 2);
    if (unit < 0 || unit >>> 10 === 0x37) return -1;
    if (unit >>> 10 !== 0x36) return at + 6;
    const isPair =
      this.#bytes[at + 6] === backslash && this.#bytes[at + 7] === letterU && this.#hex(at + 8) >>> 10 === 0x37;
    return isPair ? at + 12 : -1;
  }

  #hex(from: number): number {
    let unit = 0;
    for (let at = from; at < from + 4; at++) {
      const digit = hexDigit(this.#bytes[at] ?? 0);
      if (digit < 0) return -1;
      unit = unit * 16 + digit;
    }
    return unit;
  }

  #literal(first: number, pointerBytes: number): boolean {
    if (first === minus || isDigit(first)) return this.#number(pointerBytes);
    const word = first === 0x74 ? "true" : first === 0x66 ? "false" : "null";
    for (let at = 0; at < word.length; at++) if (this.#bytes[this.#at + at] !== word.charCodeAt(at)) return false;
    this.#at += word.length;
    return true;
  }

  #number(pointerBytes: number): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = bytes[start] === minus ? start + 1 : start;
    const whole = at;
    at = digitsEnd(bytes, at);
    const wholeEnd = at;
    if (at === whole || (bytes[whole] === zero && at > whole + 1)) return false;
    if (bytes[at] === point) {
      const fraction = at + 1;
      at = digitsEnd(bytes, fraction);
      if (at === fraction) return false;
    }
    const hasExponent = ((bytes[at] ?? 0) | 0x20) === letterE;
    if (hasExponent) {
      const sign = bytes[at + 1];
      const exponent = sign === plus || sign === minus ? at + 2 : at + 1;
      at = digitsEnd(bytes, exponent);
      if (at === exponent) return false;
    }
    this.#at = at;
    if (!hasExponent && wholeEnd - whole <= 15) return true;
    const value = Number(bytes.toString("latin1", start, at));
    if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return true;
    this.#pointerBytes += pointerBytes;
    return Number.isFinite(value) && ++this.#exact <= this.#limits.exactMax && this.#pointerBytes <= pointerBytesMax;
  }

  #space(): void {
    const bytes = this.#bytes;
    let byte = bytes[this.#at];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++this.#at];
  }

  #takes(byte: number): boolean {
    if (this.#bytes[this.#at] !== byte) return false;
    this.#at++;
    return true;
  }
}

function digitsEnd(bytes: Buffer, from: number): number {
  let at = from;
  while (isDigit(bytes[at] ?? 0)) at++;
  return at;
}

const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;

// One of "\/bfnrt.
const isPlainEscape = (letter: number) =>
  letter === quote ||
  letter === backslash ||
  letter === 0x2f ||
  letter === 0x62 ||
  letter === 0x66 ||
  letter === 0x6e ||
  letter === 0x72 ||
  letter === 0x74;

function hexDigit(byte: number): number {
  if (isDigit(byte)) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
