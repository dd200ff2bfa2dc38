// Reduces a large document to what a definition looks at: its pointers work as in the whole document, and nothing else is
// there. So megabytes are parsed in one thread and used in another.

import { namesInPointer } from "../../../foundation/json-pointer.ts";
import type { ModelDefinition } from "../definition.ts";
import { valueAt } from "../json-pointer.ts";

// Everything a model's definition reads from an answer.
export function readPointers({ rules, result, poll, stream, usage }: ModelDefinition): string[] {
  const locations = [
    ...(rules ?? []).flatMap(({ when, message }) => [when.pointer, message]),
    ...(result ?? []),
    stream?.failed,
    poll?.state,
    poll?.message,
    poll?.handle,
    poll?.url,
    poll?.fetch?.url,
    ...Object.values(usage ?? {}),
  ];
  return [...new Set(locations.filter((location) => typeof location === "string"))];
}

// Longer than any state, handle or address a definition could mean. Messages are shown even shorter.
const charactersMax = 16 * 1024;

export function sparseDocument(document: unknown, pointers: readonly string[]): unknown {
  if (typeof document !== "object" || document === null) return shortened(document);
  const sparse: Record<string, unknown> = {};
  // Parents before children.
  for (const pointer of [...pointers].sort((one, other) => one.length - other.length)) {
    const value = valueAt(document, pointer);
    if (value !== undefined && pointer !== "") setAt(sparse, namesInPointer(pointer), shortened(value));
  }
  return sparse;
}

// For a list or an object it only matters whether it is empty.
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

// Works for any member name, even __proto__.
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}
