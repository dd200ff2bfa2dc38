// Reads the input schema out of a model's OpenAPI document.
import { writeExactJson } from "../../foundation/json/exact-json.ts";

// The document has one path with one input. Returns its schema, and beside it the definitions it refers to, at the locations
// where its references point.
export function inputOf(document: Readonly<Record<string, unknown>>): unknown {
  const schema = followed(document, ["paths", "*", "post", "requestBody", "content", "application/json", "schema"]);
  const reference = followed(schema, ["$ref"]);
  const [, ...names] = typeof reference === "string" ? reference.split("/") : [];
  const whole = names.length > 0 ? followed(document, names) : schema;
  if (typeof whole !== "object" || whole === null) return { type: "object", description: "Any JSON object." };
  const refersOn = writeExactJson(whole).includes('"#/components/');
  return refersOn ? { ...whole, components: document["components"] } : whole;
}

function followed(value: unknown, names: readonly string[]): unknown {
  const [name, ...rest] = names;
  if (name === undefined) return value;
  if (typeof value !== "object" || value === null) return undefined;
  const found = Object.entries(value).find(([each]) => name === "*" || each === name);
  return found === undefined ? undefined : followed(found[1], rest);
}
