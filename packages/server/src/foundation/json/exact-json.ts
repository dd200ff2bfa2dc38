// JSON of descriptions whose integers beyond 2^53 survive: read as bigint, written as their digits. For texts of megabytes:
// the runtime's own parser and writer do the work, and only long runs of digits are looked at one by one.
import { randomUUID } from "node:crypto";

const longDigits = /-?\d{16,}(?=[\s,}\]])/g;

// Throws what JSON.parse throws.
export function readExactJson(text: string): unknown {
  const mark = randomUUID();
  const marked = text.replace(longDigits, (digits, at: number) =>
    isValue(text, at) && !Number.isSafeInteger(Number(digits)) ? `"${mark}${digits}"` : digits,
  );
  if (marked.length === text.length) return JSON.parse(text);
  return withIntegers(parseMarked(marked, text, mark), mark);
}

// In front of a value stands a colon, a comma or a bracket.
function isValue(text: string, at: number): boolean {
  let before = at - 1;
  while (" \n\r\t".includes(text.charAt(before)) && before > 0) before--;
  return ":,[".includes(text.charAt(before)) && before >= 0;
}

// Digits that only looked like a value, within a text, end that text when they are marked, and what follows is no JSON. Then
// each token is looked at.
function parseMarked(marked: string, text: string, mark: string): unknown {
  try {
    return JSON.parse(marked);
  } catch {
    return JSON.parse(text.replace(tokens, (token) => (isLongInteger(token) ? `"${mark}${token}"` : token)));
  }
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
const isLongInteger = (token: string) => /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token));

// Members are set in place: the value was made here and belongs to no other.
function withIntegers(value: unknown, mark: string): unknown {
  if (typeof value === "string" && value.startsWith(mark)) return BigInt(value.slice(mark.length));
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) if (isMarked(item, mark)) value[index] = withIntegers(item, mark);
    return value;
  }
  for (const [name, member] of Object.entries(value))
    if (isMarked(member, mark)) Object.defineProperty(value, name, { ...plain, value: withIntegers(member, mark) });
  return value;
}

// A member like any other, also when it is called __proto__.
const plain = { enumerable: true, writable: true, configurable: true } as const;
const isMarked = (value: unknown, mark: string) =>
  typeof value === "string" ? value.startsWith(mark) : typeof value === "object";

export function writeExactJson(value: unknown): string {
  try {
    // Many times faster, and enough for most: it throws where a bigint is.
    return JSON.stringify(value);
  } catch {
    return writeWithIntegers(value);
  }
}

function writeWithIntegers(value: unknown): string {
  const mark = randomUUID();
  const text = JSON.stringify(value, (_name, each: unknown) => (typeof each === "bigint" ? `${mark}${each}` : each));
  return text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, "g"), "$1");
}
