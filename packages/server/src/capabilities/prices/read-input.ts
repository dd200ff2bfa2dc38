// What a price reads from a call's input, the way a client's badge reads its widgets: numbers may be text, words are trimmed
// and in lower case, and anything else counts as missing. Numbers are doubles: beyond 2^53 they are inexact, but every
// declared maximum is far below that, so a seed-sized number is simply the maximum.
import { namesInPointer } from "../../foundation/json-pointer.ts";

// A member that is not known yet, because it comes through a link of a graph: a number between the two bounds, or anything.
export class Unsure {
  readonly least: number;
  readonly most: number;

  constructor(least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY) {
    this.least = least;
    this.most = most;
  }
}

const anything = new Unsure();

export function valueAt(input: unknown, pointer: string): unknown {
  let value = input;
  for (const segment of namesInPointer(pointer)) {
    if (value instanceof Unsure) return anything;
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, segment)) return undefined;
    // A list's length is not one of its members.
    if (Array.isArray(value) && segment === "length") return undefined;
    value = Reflect.get(value, segment);
  }
  return value;
}

export function numberFrom(value: unknown): number | null {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string" && value.trim() === "") return null;
  if (typeof value !== "number" && typeof value !== "string") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

export function countFrom(value: unknown): number | null {
  return Array.isArray(value) ? value.length : null;
}

export function wordFrom(value: unknown): string | null {
  switch (typeof value) {
    case "string":
      return value.trim().toLowerCase();
    case "boolean":
    case "bigint":
      return String(value);
    case "number":
      // Fifteen digits, as JSONata's $string writes a number.
      return String(Number.isInteger(value) ? value : Number(value.toPrecision(15)));
    default:
      return null;
  }
}
