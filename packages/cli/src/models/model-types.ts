// `atelier models types`: writes a declaration file with the inputs and outputs of models, so that the SDK's `models.run` knows
// them. Anything a schema does not say is `unknown`; we never guess. A model that describes neither its input nor its output
// gets no entry, so a program can declare it itself: two declarations of one member would not compile.
import { jsonText } from "../json-text.ts";
import { inputSchema, isObject, outputSchema, resolve, type SchemaObject } from "./model-schema.ts";

interface DescribedModel {
  readonly id: string;
  readonly document: unknown;
}

interface Around {
  readonly document: unknown;
  // Outputs are read, inputs are written.
  readonly isRead: boolean;
}

const depthMax = 12;

export function modelTypes(models: readonly DescribedModel[]): string {
  const entries = models.map(({ id, document }) => {
    const input = typeOf(inputSchema(document), { document, isRead: false }, 3);
    const answer = outputSchema(document);
    const output = answer === null ? "null" : typeOf(answer, { document, isRead: true }, 3);
    if ([input, output].every((type) => saysNothing.has(type)))
      return `    // ${jsonText(id)} describes neither its input nor its output: extend ModelMap with what you know of it.`;
    return `    ${jsonText(id)}: {\n      input: ${input};\n      output: ${output};\n    };`;
  });
  return [
    "// Written by `atelier models types`. Integers may be bigint: beyond 2^53 they keep all their digits that way. What the",
    "// provider answers is not checked: an output's type says what is documented.",
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

const anyObject = "{ readonly [name: string]: unknown }";
const saysNothing: ReadonlySet<string> = new Set(["unknown", anyObject]);

function typeOf(given: SchemaObject, around: Around, depth: number): string {
  if (depth > depthMax) return "unknown";
  const schema = resolve(given, around.document);
  const { type, enum: words, const: only } = schema;
  if (Array.isArray(words)) return words.map((word) => jsonText(word)).join(" | ") || "never";
  if (only !== undefined) return jsonText(only);
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices))
    return [...new Set(choices.map((each) => typeOf(isObject(each) ? each : {}, around, depth + 1)))].join(" | ");
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each }, around, depth)).join(" | ");
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "number":
      return "number";
    case "integer":
      return around.isRead && isSafe(schema) ? "number" : "number | bigint";
    case "array":
      return `readonly (${typeOf(isObject(schema["items"]) ? schema["items"] : {}, around, depth + 1)})[]`;
    case "object":
      return objectType(schema, around, depth);
    default:
      return isObject(schema["properties"]) ? objectType(schema, around, depth) : "unknown";
  }
}

// Within these bounds the SDK always returns a number, never a bigint.
function isSafe({ minimum, maximum }: SchemaObject): boolean {
  return Number.isSafeInteger(minimum) && Number.isSafeInteger(maximum);
}

function objectType(schema: SchemaObject, around: Around, depth: number): string {
  const { properties, required } = schema;
  if (!isObject(properties)) return anyObject;
  const names = Array.isArray(required) ? required : [];
  const indent = "  ".repeat(depth);
  const members = Object.entries(properties).flatMap(([name, field]) => {
    const about = isObject(field) && typeof field["description"] === "string" ? field["description"] : "";
    const mark = names.includes(name) ? "" : "?";
    const line = `${indent}  ${jsonText(name)}${mark}: ${typeOf(isObject(field) ? field : {}, around, depth + 1)};`;
    return about === "" ? [line] : [`${indent}  /** ${about.replace(/\s+/g, " ").replaceAll("*/", "*\\/")} */`, line];
  });
  return `{\n${members.join("\n")}\n${indent}}`;
}
