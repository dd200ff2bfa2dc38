// Of a large document only what a definition looks at: its own pointers answer as they would in the whole, and nothing else
// is there. So megabytes are read in one thread and used in another.

import { namesInPointer } from "../../../foundation/json-pointer.ts";
import type { ModelDefinition } from "../definition.ts";
import { valueAt } from "../json-pointer.ts";

// Everything in an answer that a model's definition names.
export function readPointers({ rules, result, poll, usage }: ModelDefinition): string[] {
  const locations = [
    ...(rules ?? []).flatMap(({ when, message }) => [when.pointer, message]),
    ...(result ?? []),
    poll?.state,
    poll?.message,
    poll?.handle,
    poll?.url,
    poll?.fetch?.url,
    ...Object.values(usage ?? {}),
  ];
  return [...new Set(locations.filter((location) => typeof location === "string"))];
}

// Longer than any state, handle or address that a definition could mean; of a message less is shown.
const charactersMax = 16 * 1024;

export function sparseDocument(document: unknown, pointers: readonly string[]): unknown {
  if (typeof document !== "object" || document === null) return shortened(document);
  const sparse: Record<string, unknown> = {};
  // What holds others comes before them.
  for (const pointer of [...pointers].sort((one, other) => one.length - other.length)) {
    const value = valueAt(document, pointer);
    if (value !== undefined && pointer !== "") setAt(sparse, namesInPointer(pointer), shortened(value));
  }
  return sparse;
}

// Of a list or an object it only matters whether there is something in it.
function shortened(value: unknown): unknown {
  if (typeof value === "string") return value.slice(0, charactersMax);
  if (Array.isArray(value)) return value.length === 0 ? [] : [0];
  if (typeof value !== "object" || value === null) return value;
  const [first] = Object.keys(value);
  return first === undefined ? {} : { [first.slice(0, 100)]: 0 };
}

function setAt(target: Record<string, unknown>, [name = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    define(target, name, value);
    return;
  }
  const inner = Object.hasOwn(target, name) ? Reflect.get(target, name) : undefined;
  const next: Record<string, unknown> = typeof inner === "object" && inner !== null ? { ...inner } : {};
  define(target, name, next);
  setAt(next, rest, value);
}

// A member like any other, also when it is called __proto__.
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}
