// JSON of descriptions, keeping integers beyond 2^53 exact: they are parsed as bigint and written as digits. Made for texts of
// megabytes: the runtime's parser and writer do the work, and only long runs of digits are examined one by one.
import { randomUUID } from "node:crypto";

const longDigits = /-?\d{16,}(?=[\s,}\]])/g;

// Throws the same errors as JSON.parse.
export function readExactJson(text: string): unknown {
  const mark = randomUUID();
  const marked = text.replace(longDigits, (digits, at: number) =>
    isValue(text, at) && !Number.isSafeInteger(Number(digits)) ? `"${mark}${digits}"` : digits,
  );
  if (marked.length === text.length) return JSON.parse(text);
  return withIntegers(parseMarked(marked, text, mark), mark);
}

// A value comes after a colon, a comma or a bracket.
function isValue(text: string, at: number): boolean {
  let before = at - 1;
  while (" \n\r\t".includes(text.charAt(before)) && before > 0) before--;
  return ":,[".includes(text.charAt(before)) && before >= 0;
}

// If digits inside a string only looked like a value, marking them ends that string, and the rest is not JSON. Then each token
// is examined.
function parseMarked(marked: string, text: string, mark: string): unknown {
  try {
    return JSON.parse(marked);
  } catch {
    return JSON.parse(text.replace(tokens, (token) => (isLongInteger(token) ? `"${mark}${token}"` : token)));
  }
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
const isLongInteger = (token: string) => /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token));

// Members are replaced in place: the value was created here and has no other owner. A text of megabytes has a handful of marks,
// so looking at a member allocates nothing.
function withIntegers(value: unknown, mark: string): unknown {
  if (typeof value === "string") return value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value;
  if (isTree(value)) replaceMarks(value, mark);
  return value;
}

function replaceMarks(tree: Tree, mark: string): void {
  // Everything in it came from JSON.parse: each member is its own.
  for (const name in tree) {
    const member = tree[name];
    if (isTree(member)) replaceMarks(member, mark);
    else if (typeof member === "string" && member.startsWith(mark))
      Object.defineProperty(tree, name, { ...plain, value: BigInt(member.slice(mark.length)) });
  }
}

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;

// Defines a plain member, even if it is called __proto__.
const plain = { enumerable: true, writable: true, configurable: true } as const;

export function writeExactJson(value: unknown): string {
  try {
    // Many times faster, and enough for most values: it throws if there is a bigint.
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
