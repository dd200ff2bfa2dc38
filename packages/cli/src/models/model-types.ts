// `atelier models types`: a declaration file with the inputs of models, so that `models.run` of the SDK knows them. What
// a schema does not say is `unknown`; nothing is guessed.
import { jsonText } from "../json-text.ts";
import { inputSchema, isObject, outputSchema, resolve, type SchemaObject } from "./model-schema.ts";

interface DescribedModel {
  readonly id: string;
  readonly document: unknown;
}

const depthMax = 12;

export function modelTypes(models: readonly DescribedModel[]): string {
  const entries = models.map(({ id, document }) => {
    const input = typeOf(inputSchema(document), document, 3);
    const output = typeOf(outputSchema(document), document, 3);
    return `    ${jsonText(id)}: {\n      input: ${input};\n      output: ${output};\n    };`;
  });
  return [
    "// Written by `atelier models types`. Integers may be bigint: beyond 2^53 they keep all their digits that way.",
    'import "@atelier/sdk";',
    "",
    'declare module "@atelier/sdk" {',
    "  interface ModelMap {",
    ...entries,
    "  }",
    "}",
    "",
  ].join("\n");
}

function typeOf(given: SchemaObject, document: unknown, depth: number): string {
  if (depth > depthMax) return "unknown";
  const schema = resolve(given, document);
  const { type, enum: words, const: only } = schema;
  if (Array.isArray(words)) return words.map((word) => jsonText(word)).join(" | ") || "never";
  if (only !== undefined) return jsonText(only);
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices))
    return [...new Set(choices.map((each) => typeOf(isObject(each) ? each : {}, document, depth + 1)))].join(" | ");
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each }, document, depth)).join(" | ");
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "number":
      return "number";
    case "integer":
      return "number | bigint";
    case "array":
      return `readonly (${typeOf(isObject(schema["items"]) ? schema["items"] : {}, document, depth + 1)})[]`;
    case "object":
      return objectType(schema, document, depth);
    default:
      return isObject(schema["properties"]) ? objectType(schema, document, depth) : "unknown";
  }
}

function objectType(schema: SchemaObject, document: unknown, depth: number): string {
  const { properties, required } = schema;
  if (!isObject(properties)) return "{ readonly [name: string]: unknown }";
  const names = Array.isArray(required) ? required : [];
  const indent = "  ".repeat(depth);
  const members = Object.entries(properties).flatMap(([name, field]) => {
    const about = isObject(field) && typeof field["description"] === "string" ? field["description"] : "";
    const mark = names.includes(name) ? "" : "?";
    const line = `${indent}  ${jsonText(name)}${mark}: ${typeOf(isObject(field) ? field : {}, document, depth + 1)};`;
    return about === "" ? [line] : [`${indent}  /** ${about.replace(/\s+/g, " ").replaceAll("*/", "*\\/")} */`, line];
  });
  return `{\n${members.join("\n")}\n${indent}}`;
}
