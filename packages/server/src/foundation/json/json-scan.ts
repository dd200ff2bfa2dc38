// The exact reading of a JSON text: where and why it is refused, and the true value of integers that a double cannot hold.
// json-bytes.ts uses this only if its fast path found something suspicious. One pass, linear in the text.
import { pointerSegment } from "../json-pointer.ts";

export interface JsonLimits {
  readonly depthMax: number;
  readonly keysMax: number;
  // Limits on values of every kind, and on integers that a double cannot hold: for bodies that are kept as objects and
  // traversed.
  readonly valuesMax: number;
  readonly exactMax: number;
  // Whether strings can contain U+0000, which PostgreSQL text cannot store.
  readonly nul: "keep" | "refuse";
  // Numbers beyond a double. If kept, we treat them as the largest double, and `exactIntegers` has their spelling.
  readonly vast: "keep" | "refuse";
  // Escapes of half a surrogate pair.
  readonly halves: "keep" | "refuse";
}

export type JsonReason =
  | "empty"
  | "invalid_utf8"
  | "byte_order_mark"
  | "syntax"
  | "trailing_data"
  | "duplicate_key"
  | "too_deep"
  | "too_many_keys"
  | "too_many_values"
  | "number_out_of_range"
  | "lone_surrogate"
  | "nul_character"
  | "too_many_exact_integers";

export interface JsonProblem {
  readonly reason: JsonReason;
  // Index into the text, in UTF-16 code units.
  readonly at: number;
  readonly explanation: string;
}

export interface JsonScan {
  readonly problem: JsonProblem | null;
  // JSON pointer → plain digits of every integer beyond ±(2^53 − 1), or the literal of a number beyond a double.
  readonly exactIntegers: ReadonlyMap<string, string>;
  readonly hasVast: boolean;
}

export function scanJson(text: string, limits: JsonLimits): JsonScan {
  const scanner = new Scanner(text, limits);
  try {
    scanner.document();
    return { problem: null, exactIntegers: scanner.exactIntegers, hasVast: scanner.hasVast };
  } catch (thrown) {
    if (thrown instanceof Refusal) return { problem: thrown.problem, exactIntegers: new Map(), hasVast: false };
    throw thrown;
  }
}

class Refusal extends Error {
  readonly problem: JsonProblem;

  constructor(problem: JsonProblem) {
    super(problem.explanation);
    this.problem = problem;
  }
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const spacePattern = /[ \t\n\r]*/y;
// The longest run of a string that needs no closer look.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const plainPattern = /[^"\\\u0000-\u001f]*/y;

class Scanner {
  readonly exactIntegers = new Map<string, string>();
  hasVast = false;
  readonly #text: string;
  readonly #limits: JsonLimits;
  // Pointers can be long and many. Their total length is bounded, so that memory stays linear in the text.
  #pointerCharactersLeft: number;
  #at = 0;
  #keys = 0;
  #values = 1;

  constructor(text: string, limits: JsonLimits) {
    this.#text = text;
    this.#limits = limits;
    this.#pointerCharactersLeft = Math.max(1 << 20, text.length * 4);
  }

  document(): void {
    this.#space();
    if (this.#at >= this.#text.length) this.#refuse("empty", "there is no value");
    this.#value("", 0);
    this.#space();
    if (this.#at < this.#text.length) this.#refuse("trailing_data", "there is more text after the value");
  }

  #value(pointer: string, depth: number): void {
    const character = this.#text.charAt(this.#at);
    if (character === "{") this.#object(pointer, depth + 1);
    else if (character === "[") this.#array(pointer, depth + 1);
    else if (character === '"') this.#string();
    else if (character === "-" || (character >= "0" && character <= "9")) this.#number(pointer);
    else if (!["true", "false", "null"].some((word) => this.#takes(word))) this.#unexpected("a value");
  }

  #object(pointer: string, depth: number): void {
    this.#open(depth);
    if (this.#takes("}")) return;
    const seen = new Set<string>();
    for (;;) {
      const at = this.#at;
      if (this.#text.charAt(at) !== '"') this.#unexpected("a key in double quotes");
      const key = this.#string();
      if (seen.has(key)) this.#refuse("duplicate_key", `the key ${shown(key)} appears twice in one object`, at);
      seen.add(key);
      if (++this.#keys > this.#limits.keysMax)
        this.#refuse("too_many_keys", `there are more than ${this.#limits.keysMax} keys`, at);
      this.#space();
      if (!this.#takes(":")) this.#unexpected("a colon");
      this.#space();
      this.#value(`${pointer}/${pointerSegment(key)}`, depth);
      this.#space();
      if (this.#takes("}")) return;
      if (!this.#takes(",")) this.#unexpected("a comma or a closing brace");
      this.#countValue();
      this.#space();
    }
  }

  #array(pointer: string, depth: number): void {
    this.#open(depth);
    if (this.#takes("]")) return;
    for (let index = 0; ; index++) {
      this.#value(`${pointer}/${index}`, depth);
      this.#space();
      if (this.#takes("]")) return;
      if (!this.#takes(",")) this.#unexpected("a comma or a closing bracket");
      this.#countValue();
      this.#space();
    }
  }

  #open(depth: number): void {
    if (depth > this.#limits.depthMax)
      this.#refuse("too_deep", `values are nested deeper than ${this.#limits.depthMax}`);
    this.#at++;
    this.#countValue();
    this.#space();
  }

  // Counts opening brackets and commas, which are never fewer than the values, so the same count can be taken from the bytes.
  #countValue(): void {
    if (++this.#values > this.#limits.valuesMax)
      this.#refuse("too_many_values", `there are more than ${this.#limits.valuesMax} values`);
  }

  #string(): string {
    const start = this.#at;
    let escaped = false;
    for (this.#at++; ; ) {
      this.#skip(plainPattern);
      const character = this.#text.charAt(this.#at);
      if (character === '"') break;
      if (character !== "\\")
        this.#unexpected(character === "" ? "the end of a string" : "an escaped control character");
      escaped = true;
      this.#escape();
    }
    this.#at++;
    return escaped ? decodeString(this.#text.slice(start, this.#at)) : this.#text.slice(start + 1, this.#at - 1);
  }

  #escape(): void {
    const at = this.#at;
    const letter = this.#text.charAt(at + 1);
    if (letter !== "u") {
      if (letter === "" || !'"\\/bfnrt'.includes(letter)) this.#unexpected("a valid JSON escape");
      this.#at += 2;
      return;
    }
    const unit = this.#hex(at + 2);
    this.#at += 6;
    if (unit === 0 && this.#limits.nul === "refuse")
      this.#refuse("nul_character", "a string contains the character U+0000", at);
    if (unit < 0xd800 || unit > 0xdfff) return;
    const isPair = unit < 0xdc00 && this.#text.startsWith("\\u", this.#at) && this.#hex(this.#at + 2) >>> 10 === 0x37;
    if (isPair) this.#at += 6;
    else if (this.#limits.halves === "refuse")
      this.#refuse("lone_surrogate", "a string contains half of a surrogate pair", at);
  }

  #hex(from: number): number {
    const digits = this.#text.slice(from, from + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.#refuse("syntax", "expected four hexadecimal digits", from);
    return Number.parseInt(digits, 16);
  }

  #number(pointer: string): void {
    const at = this.#at;
    this.#skip(numberPattern);
    if (this.#at === at) this.#unexpected("a number");
    const literal = this.#text.slice(at, this.#at);
    const value = Number(literal);
    const isVast = !Number.isFinite(value);
    if (isVast && this.#limits.vast === "refuse") this.#refuse("number_out_of_range", "a number is too large", at);
    if (isVast) this.hasVast = true;
    const exact = isVast ? literal : Math.abs(value) > Number.MAX_SAFE_INTEGER ? exactInteger(literal) : null;
    if (exact === null) return;
    this.#pointerCharactersLeft -= pointer.length;
    if (this.#pointerCharactersLeft < 0 || this.exactIntegers.size >= this.#limits.exactMax)
      this.#refuse("too_many_exact_integers", "there are too many large integers, or their keys are too long", at);
    this.exactIntegers.set(pointer, exact);
  }

  #space(): void {
    this.#skip(spacePattern);
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    if (pattern.test(this.#text)) this.#at = pattern.lastIndex;
  }

  #takes(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  #unexpected(wanted: string): never {
    const found = this.#at < this.#text.length ? "something else" : "the end";
    return this.#refuse("syntax", `expected ${wanted}, found ${found}`);
  }

  #refuse(reason: JsonReason, explanation: string, at = this.#at): never {
    throw new Refusal({ reason, at, explanation });
  }
}

function decodeString(literal: string): string {
  const decoded: unknown = JSON.parse(literal);
  return String(decoded);
}

function shown(key: string): string {
  return JSON.stringify(key.length > 100 ? `${key.slice(0, 100)}…` : key);
}

// The integer that a literal denotes, even if spelled with a fraction or an exponent. Null if it is not an integer. The value
// is finite, so there are at most 309 digits before the point.
function exactInteger(literal: string): string | null {
  if (/^-?\d+$/.test(literal)) return literal;
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal);
  if (!parts) return null;
  const fraction = withoutTrailingZeros(parts[3] ?? "");
  const zeros = Number(parts[4] ?? "0") - fraction.length;
  const digits = `${parts[2]}${fraction}`.replace(/^0+/, "");
  if (zeros >= 0) return `${parts[1]}${digits}${"0".repeat(zeros)}`;
  const kept = withoutTrailingZeros(digits);
  const cut = digits.length + zeros;
  return kept.length <= cut ? `${parts[1]}${digits.slice(0, cut)}` : null;
}

// A loop, because /0+$/ takes quadratic time if something follows the zeros.
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--;
  return digits.slice(0, end);
}
