// Only the members of an input that its price reads. They are stored with the call, so that a process that has to end it
// after a crash charges exactly what the first owner would have. Pictures and prompts are not among them.

import { namesInPointer } from "../../foundation/json-pointer.ts";
import { valueAt } from "./read-input.ts";

export function pricedInput(price: unknown, input: unknown): Readonly<Record<string, unknown>> {
  const picked: Record<string, unknown> = {};
  for (const pointer of knownPointersOf(price)) {
    const value = valueAt(input, pointer);
    if (value !== undefined && !isNoWord(value)) setAt(picked, namesInPointer(pointer), readCount(value));
  }
  return picked;
}

// A text that cannot match any case of a price: too long, or not storable in the database. It counts like any other value
// the price does not list.
function isNoWord(value: unknown): boolean {
  if (typeof value !== "string") return false;
  return value.trim().length > wordCharactersMax || !value.isWellFormed() || value.includes("\0");
}

const wordCharactersMax = 1000;

// A list counts by its length, a text without surrounding blanks; nothing else about them matters.
function readCount(value: unknown): unknown {
  if (typeof value === "string") return value.trim();
  return Array.isArray(value) ? value.map(() => 0) : value;
}

// Computed once per price: prices are replaced, never changed.
const pointersByPrice = new WeakMap<object, readonly string[]>();

function knownPointersOf(price: unknown): readonly string[] {
  if (typeof price !== "object" || price === null) return [];
  const known = pointersByPrice.get(price);
  if (known) return known;
  const found = findPointers(price);
  pointersByPrice.set(price, found);
  return found;
}

function findPointers(price: unknown): string[] {
  if (Array.isArray(price)) return price.flatMap(findPointers);
  if (typeof price !== "object" || price === null) return [];
  return Object.entries(price).flatMap(([name, value]) => (isPointer(name, value) ? [value] : findPointers(value)));
}

// Quantities use `from`, tables use `by`.
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
