// Reads a model's OpenAPI document: the input fields by name, and their types in a word.
import { isRecord } from "../json-record.ts";

export type SchemaObject = Readonly<Record<string, unknown>>;

export interface InputField {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: SchemaObject;
}

const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce((inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), value);

// {} if the author wrote none.
export function inputSchema(document: unknown): SchemaObject {
  const [path] = Object.values(Object(at(document, "paths")));
  const schema = at(path, "post", "requestBody", "content", "application/json", "schema");
  return resolve(isRecord(schema) ? schema : {}, document);
}

// Null if the answer is not JSON: then the SDK's `data` is null too, and the bytes are the answer.
export function outputSchema(document: unknown): SchemaObject | null {
  const [path] = Object.values(Object(at(document, "paths")));
  const content = at(path, "post", "responses", "200", "content");
  if (isRecord(content) && Object.keys(content).length > 0 && !Object.hasOwn(content, "application/json")) return null;
  const schema = at(content, "application/json", "schema");
  return resolve(isRecord(schema) ? schema : {}, document);
}

// Follows references within the document only, and never in a circle.
export function resolve(schema: SchemaObject, document: unknown): SchemaObject {
  let now = schema;
  for (let turn = 0; turn < 16; turn++) {
    const reference = now["$ref"];
    if (typeof reference !== "string" || !reference.startsWith("#/")) return now;
    const keys = reference
      .slice(2)
      .split("/")
      .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const next = at(document, ...keys);
    if (!isRecord(next)) return {};
    now = next;
  }
  return {};
}

export function inputFields(document: unknown): InputField[] {
  const schema = inputSchema(document);
  const required = schema["required"];
  const names = Array.isArray(required) ? required : [];
  return Object.entries(Object(schema["properties"])).map(([name, field]) => ({
    name,
    isRequired: names.includes(name),
    schema: resolve(isRecord(field) ? field : {}, document),
  }));
}

export function typeText(schema: SchemaObject): string {
  const { type, enum: words, minimum, maximum } = schema;
  if (Array.isArray(words)) return words.map(String).join(" | ");
  const name = Array.isArray(type) ? type.join(" | ") : typeof type === "string" ? type : "any";
  const range = typeof minimum === "number" || typeof maximum === "number" ? ` ${minimum ?? ""}..${maximum ?? ""}` : "";
  return `${name}${range}`;
}
