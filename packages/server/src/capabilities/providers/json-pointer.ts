// Reads one value by JSON pointer. Undefined if the path leads nowhere; inherited names are never found.
import { namesInPointer } from "../../foundation/json-pointer.ts";

export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const name of namesInPointer(pointer)) {
    if (Array.isArray(value)) value = /^\d{1,6}$/.test(name) ? value[Number(name)] : undefined;
    else if (typeof value === "object" && value !== null && Object.hasOwn(value, name))
      value = Reflect.get(value, name);
    else return undefined;
  }
  return value;
}

// A value that a person would call a result: not null, not an empty string, list or object.
export function isPresent(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === "object" ? Object.keys(value).length > 0 : true;
}
