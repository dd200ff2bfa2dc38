// Strict JSON from raw bytes. We price and validate our parsed copy while forwarding the bytes themselves, so a text that two
// parsers could read differently is refused: duplicate keys in any spelling, invalid UTF-8, a byte order mark. Numbers beyond a
// double and half surrogate pairs (which UTF-8 cannot carry) are refused too, unless the caller keeps them. Depth and keys are
// bounded.
// `JSON.parse` does the work; duplicates show up as fewer members in the value than colons in the text. json-scan.ts reads the
// text a second time only if something is wrong, or 16 digits in a row need a closer look.
import { isAscii, isUtf8 } from "node:buffer";
import { Fault } from "../fault.ts";
import { attempt } from "../retry.ts";
import { type JsonLimits, type JsonProblem, type JsonReason, scanJson } from "./json-scan.ts";

export { canonicalJson } from "./json-canonical.ts";
export type { JsonLimits } from "./json-scan.ts";

export interface JsonDocument {
  // `__proto__` is a plain member like any other. Never copy members with Object.assign.
  readonly value: unknown;
  // JSON pointer → exact digits of every integer beyond ±(2^53 − 1). Empty unless the text has 16 digits in a row.
  readonly exactIntegers: ReadonlyMap<string, string>;
}

// The `details` of the Fault.
export interface JsonRefusal {
  readonly reason: JsonReason;
  // Byte offset from 0. Line and column start at 1, and the column counts characters.
  readonly position: number;
  readonly line: number;
  readonly column: number;
}

// Decisions, section 1: depth above 64 is refused. A hundred thousand keys are more than any caller needs.
const defaultLimits: JsonLimits = {
  valuesMax: Number.POSITIVE_INFINITY,
  exactMax: Number.POSITIVE_INFINITY,
  depthMax: 64,
  keysMax: 100_000,
  nul: "keep",
  vast: "refuse",
  halves: "refuse",
};

// For bodies that are forwarded unchanged to a provider: we do not refuse what it can read.
export const forwarded: Partial<JsonLimits> = { vast: "keep", halves: "keep" };
// For bodies parsed in a single turn while other requests wait: parsing and checking one of this shape takes well under 50 ms,
// whatever is wrong with it. More is not needed where large values are texts.
export const inlineJsonLimits: Partial<JsonLimits> = { keysMax: 10_000, valuesMax: 20_000, exactMax: 1_000 };
const noExactIntegers: ReadonlyMap<string, string> = new Map();

// Throws invalid_json with a JsonRefusal as details.
export function parseJson(bytes: Uint8Array, options: Partial<JsonLimits> = {}): JsonDocument {
  const limits: JsonLimits = { ...defaultLimits, ...options };
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ascii = isAscii(buffer);
  if (!ascii && !isUtf8(buffer))
    throw checkBytes(buffer, "invalid_utf8", "the bytes are not UTF-8", invalidUtf8At(buffer));
  if (buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf)
    throw checkBytes(buffer, "byte_order_mark", "there is a byte order mark before the value", 0);
  const text = buffer.toString(ascii ? "latin1" : "utf8");

  const members = countMembers(buffer, limits);
  const value = members < 0 ? unreadable : readText(text);
  const clean =
    value !== unreadable && countValueMembers(value) === members && !holdsRefusedEscape(text, value, limits);
  if (clean && !/\d{16}/.test(text)) return { value, exactIntegers: noExactIntegers };

  const scan = scanJson(text, limits);
  if (scan.problem) throw checkText(text, scan.problem);
  // The scanner and the runtime's parser accept the same grammar. If they ever differ, refusing is the safe choice.
  if (value === unreadable)
    throw checkText(text, { reason: "syntax", at: 0, explanation: "the text cannot be parsed" });
  return { value: scan.hasVast ? withinDoubles(value) : value, exactIntegers: scan.exactIntegers };
}

// For bodies that are parsed in one turn elsewhere: checks only the shape, in one pass over the bytes that stops at the first
// exceeded limit. The later reader reports everything else. Throws invalid_json with a JsonRefusal as details.
export function requireJsonShape(bytes: Buffer, options: Partial<JsonLimits>): void {
  const limits: JsonLimits = { ...defaultLimits, ...options };
  if (countMembers(bytes, limits) >= 0) return;
  const text = bytes.toString("utf8");
  const { problem } = scanJson(text, limits);
  throw checkText(text, problem ?? { reason: "syntax", at: 0, explanation: "the text cannot be parsed" });
}

// A number beyond a double is treated as the largest double: still a number, still above every bound.
function withinDoubles(value: unknown): unknown {
  if (typeof value === "number") return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
  if (Array.isArray(value)) return value.map(withinDoubles);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withinDoubles(member)]));
}

const unreadable = Symbol("unreadable");

const readText = (text: string): unknown => attempt<unknown, symbol>(() => JSON.parse(text), unreadable);

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

// Counts colons outside strings; −1 if a limit is exceeded. Correct for every valid text, and for the valid beginning of any
// other, which is all that the parser sees: a million open brackets never reach it.
function countMembers(bytes: Buffer, limits: JsonLimits): number {
  let depth = 0;
  let members = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = findStringEnd(bytes, at + 1);
    else if (byte === colon) {
      if (++members > limits.keysMax) return -1;
    } else if (byte === comma) {
      if (++values > limits.valuesMax) return -1;
    } else if (byte === openBrace || byte === openBracket) {
      if (++values > limits.valuesMax || ++depth > limits.depthMax) return -1;
    } else if (byte === closeBrace || byte === closeBracket) depth--;
  }
  return members;
}

// Short strings are walked byte by byte. Long ones (images as base64) are left to the native search. After an escaped quote we
// walk again, since many of those would each cost a search.
function findStringEnd(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const walkTo = Math.min(bytes.length, at + 48);
    while (at < walkTo) {
      const byte = bytes[at];
      if (byte === quote) return at;
      at += byte === backslash ? 2 : 1;
    }
    const end = bytes.indexOf(quote, at);
    if (end < 0) return bytes.length;
    let before = end;
    while (before > at && bytes[before - 1] === backslash) before--;
    if ((end - before) % 2 === 0) return end;
    at = end + 1;
  }
}

// The number of members of all objects in the value; −1 if a number is not finite.
function countValueMembers(value: unknown): number {
  if (typeof value === "number") return Number.isFinite(value) ? 0 : -1;
  if (typeof value !== "object" || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === "string") continue;
      const below = countValueMembers(item);
      if (below < 0) return -1;
      members += below;
    }
    return members;
  }
  const object = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(object)) {
    members++;
    const member = object[key];
    if (typeof member === "string") continue;
    const below = countValueMembers(member);
    if (below < 0) return -1;
    members += below;
  }
  return members;
}

// Escaped surrogate pairs are common (an ASCII-only writer escapes every emoji) and halves are not. The value tells them apart
// many times faster than the scanner, which then only has to locate the half.
function holdsRefusedEscape(text: string, value: unknown, limits: JsonLimits): boolean {
  if (!text.includes("\\u")) return false;
  if (limits.nul === "refuse" && text.includes("\\u0000")) return true;
  return limits.halves === "refuse" && /\\u[dD][89a-fA-F]/.test(text) && !isWellFormed(value);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  return Object.entries(value).every(([key, member]) => key.isWellFormed() && isWellFormed(member));
}

function invalidUtf8At(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at] ?? 0;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (lead >= 0x80 && !isUtf8(bytes.subarray(at, at + length))) return at;
    at += length;
  }
  return at;
}

function checkText(text: string, problem: JsonProblem): Fault {
  const bytes = Buffer.from(text.slice(0, problem.at), "utf8");
  return checkBytes(bytes, problem.reason, problem.explanation, bytes.length);
}

function checkBytes(bytes: Buffer, reason: JsonReason, explanation: string, position: number): Fault {
  const before = bytes.subarray(0, position).toString("utf8");
  const lineStart = before.lastIndexOf("\n") + 1;
  const line = before.slice(0, lineStart).split("\n").length;
  const details: JsonRefusal = { reason, position, line, column: before.length - lineStart + 1 };
  const message = `Invalid JSON at byte ${position} (line ${line}, column ${details.column}): ${explanation}.`;
  return new Fault("invalid_json", message, { details });
}
