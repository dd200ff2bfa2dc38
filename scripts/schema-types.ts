// JSON Schemas of the OpenAPI document as TypeScript: an interface or a type for each named entity.
export type Schema = Readonly<Record<string, unknown>>;

export function componentsOf(document: object): Readonly<Record<string, Schema>> {
  const { components }: { components?: { schemas?: Readonly<Record<string, Schema>> } } = document;
  return components?.schemas ?? {};
}

export function declaration(name: string, schema: Schema): string {
  const comment = commentOf(schema, "");
  const members = membersOf(schema);
  if (members !== null && schema["type"] === "object") return `${comment}export interface ${name} ${members}`;
  return `${comment}export type ${name} = ${typeOf(schema, "")};`;
}

function commentOf(schema: Schema, indent: string): string {
  const text = typeof schema["description"] === "string" ? schema["description"] : "";
  const deprecated = schema["deprecated"] === true ? " @deprecated" : "";
  const line = `${text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ")}${deprecated}`.trim();
  return line === "" ? "" : `${indent}/** ${line} */\n`;
}

export function membersOf(schema: Schema, indent = ""): string | null {
  const properties = schema["properties"];
  if (typeof properties !== "object" || properties === null) return null;
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, each]: [string, Schema]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${commentOf(each, inner)}${inner}readonly ${key}${required.has(name) ? "" : "?"}: ${typeOf(each, inner)};\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

export function typeOf(schema: Schema, indent: string): string {
  const reference = schema["$ref"];
  if (typeof reference === "string") return reference.slice(reference.lastIndexOf("/") + 1);
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"])) return schema["enum"].map((each) => JSON.stringify(each)).join(" | ");
  for (const keyword of ["anyOf", "oneOf"]) {
    const choices = schema[keyword];
    if (Array.isArray(choices)) return [...new Set(choices.map((each: Schema) => typeOf(each, indent)))].join(" | ");
  }
  const type = schema["type"];
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each }, indent)).join(" | ");
  switch (type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      return `readonly ${wrapped(typeOf(asSchema(schema["items"]), indent))}[]`;
    case "object":
      return membersOf(schema, indent) ?? mapOf(schema, indent);
    default:
      return "unknown";
  }
}

function mapOf(schema: Schema, indent: string): string {
  const patterns = schema["patternProperties"];
  const values = typeof patterns === "object" && patterns !== null ? Object.values(patterns)[0] : undefined;
  const value =
    values ?? (typeof schema["additionalProperties"] === "object" ? schema["additionalProperties"] : undefined);
  return `{ readonly [name: string]: ${value === undefined ? "unknown" : typeOf(asSchema(value), indent)} }`;
}

function asSchema(value: unknown): Schema {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

const wrapped = (type: string): string => (/[ |]/.test(type) && !type.startsWith("{") ? `(${type})` : type);
