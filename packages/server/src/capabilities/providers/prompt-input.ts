// The input of a model that takes a prompt, if a call needs nothing else: for a page with one box and a button.
import { isRecord } from "../../foundation/json/json-record.ts";

export function promptInput(schema: unknown): string | null {
  if (!isRecord(schema) || !isRecord(schema["properties"])) return null;
  const { properties, required } = schema;
  const needed = Array.isArray(required) ? required : [];
  if (needed.length > 1) return null;
  const name: unknown = needed[0] ?? "prompt";
  if (typeof name !== "string" || !Object.hasOwn(properties, name)) return null;
  return isFreeText(properties[name]) ? name : null;
}

// Not a choice, an address, a file or an id.
function isFreeText(field: unknown): boolean {
  return (
    isRecord(field) &&
    field["type"] === "string" &&
    !["enum", "const", "format", "pattern"].some((word) => word in field)
  );
}
