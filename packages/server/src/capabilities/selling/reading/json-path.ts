// Reads members out of another's JSON. What is missing or has another type is null: providers add, rename and leave out.
import { isRecord, memberOf } from "../../../foundation/json/json-record.ts";

export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) found = isRecord(found) ? memberOf(found, name) : undefined;
  return found;
}

const textMax = 500;

export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = at(value, ...path);
  return typeof found === "string" && found !== "" ? found.slice(0, textMax) : null;
}

export function integerAt(value: unknown, ...path: readonly string[]): number | null {
  const found = at(value, ...path);
  return typeof found === "number" && Number.isSafeInteger(found) ? found : null;
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

// An id, or the object itself where the provider was asked to expand it.
export function idAt(value: unknown, ...path: readonly string[]): string | null {
  return textAt(value, ...path) ?? textAt(value, ...path, "id");
}
