// The members of an input that its price reads, and no others: they are stored with the call, so that the process that
// has to end it after a crash charges exactly what the first owner would have. Pictures and prompts are not among them.

import { namesInPointer } from "../../foundation/json-pointer.ts";
import { valueAt } from "./read-input.ts";

export function pricedInput(price: unknown, input: unknown): Readonly<Record<string, unknown>> {
  const picked: Record<string, unknown> = {};
  for (const pointer of knownPointersOf(price)) {
    const value = valueAt(input, pointer);
    if (value !== undefined && !isNoWord(value)) setAt(picked, namesInPointer(pointer), countOf(value));
  }
  return picked;
}

// A text that no case of a price can be: too long, or one that the database cannot hold. It counts as any other that a
// price does not list.
function isNoWord(value: unknown): boolean {
  if (typeof value !== "string") return false;
  return value.trim().length > wordCharactersMax || !value.isWellFormed() || value.includes("\0");
}

const wordCharactersMax = 1000;

// A list counts by its length, a text without the blanks around it; nothing else of them matters.
function countOf(value: unknown): unknown {
  if (typeof value === "string") return value.trim();
  return Array.isArray(value) ? value.map(() => 0) : value;
}

// Found once per price: a price does not change, it is replaced.
const pointersByPrice = new WeakMap<object, readonly string[]>();

function knownPointersOf(price: unknown): readonly string[] {
  if (typeof price !== "object" || price === null) return [];
  const known = pointersByPrice.get(price);
  if (known) return known;
  const found = pointersOf(price);
  pointersByPrice.set(price, found);
  return found;
}

function pointersOf(price: unknown): string[] {
  if (Array.isArray(price)) return price.flatMap(pointersOf);
  if (typeof price !== "object" || price === null) return [];
  return Object.entries(price).flatMap(([name, value]) => (isPointer(name, value) ? [value] : pointersOf(value)));
}

// Quantities say `from`, tables say `by`.
function isPointer(name: string, value: unknown): value is string {
  return (name === "from" || name === "by") && typeof value === "string";
}

function setAt(target: Record<string, unknown>, [name = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = Object.hasOwn(target, name) ? target[name] : undefined;
  const next: Record<string, unknown> = typeof inner === "object" && inner !== null ? { ...inner } : {};
  target[name] = next;
  setAt(next, rest, value);
}
