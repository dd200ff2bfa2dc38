// A model's input schema: refused at load if it cannot be checked safely, and compiled from the very document we serve
// (Spec, Model input schema document). Patterns are refused: a caller's text must never reach a backtracking engine
// (decisions, section 3: linear time, or refused at load).

import { type CompiledSchema, compileSchema } from "../../foundation/json/schema.ts";
import { pointerSegment } from "../../foundation/json-pointer.ts";
import type { ModelDefinition } from "./definition.ts";
import type { DefinitionProblem } from "./definition-problem.ts";
import { isJsonType, outputSchemaOf } from "./output-schema.ts";

type JsonObject = Readonly<Record<string, unknown>>;

const refusedKeywords = new Set(["pattern", "patternProperties", "$dynamicRef", "$recursiveRef"]);

const typeNames = new Set(["string", "integer", "number", "boolean", "array", "object", "null"]);

// Problems with their position, as a pointer below `path`. Empty if the schema can be served.
export function schemaProblems(
  schema: unknown,
  path: string,
  rules: { readonly isSelfContained?: boolean } = {},
): DefinitionProblem[] {
  if (Array.isArray(schema)) return schema.flatMap((part, index) => schemaProblems(part, `${path}/${index}`, rules));
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) => {
    const here = `${path}/${pointerSegment(name)}`;
    // Below `properties`, names are fields of the input and not keywords.
    if (path.endsWith("/properties")) return schemaProblems(value, here, rules);
    if (refusedKeywords.has(name))
      return problem(here, "is not supported: list the allowed values as an enum, or let the provider check them");
    if (name === "$ref" && rules.isSelfContained)
      return problem(here, "is not supported: write out what it refers to instead");
    if (name === "$ref" && typeof value === "string" && !value.startsWith("#"))
      return problem(here, "must stay inside the document");
    if (name === "type" && ![value].flat().every((type) => typeof type === "string" && typeNames.has(type)))
      return problem(here, `must be one of ${[...typeNames].join(", ")}`);
    return isValue(name) ? [] : schemaProblems(value, here, rules);
  });
}

// These keywords hold values, not schemas.
function isValue(name: string): boolean {
  return name === "const" || name === "enum" || name === "default" || name === "examples" || name === "example";
}

function problem(path: string, message: string): DefinitionProblem[] {
  return [{ path, message }];
}

export function buildSchemaDocument(id: string, definition: ModelDefinition): JsonObject {
  const schema = buildInputSchema(definition);
  const notes = [
    definition.description,
    ...(definition.submit.encoding === "multipart"
      ? ["The members are sent to the provider as a multipart form."]
      : []),
    ...(definition.submit.model_member
      ? [`The member ${definition.submit.model_member.name} is set from the path.`]
      : []),
    ...(definition.output_types ? [`The answer is ${definition.output_types.join(" or ")}, not JSON.`] : []),
  ].filter((note) => note !== undefined);
  const outputTypes = definition.output_types ?? ["application/json"];
  return {
    openapi: "3.1.0",
    info: {
      title: definition.title ?? id,
      version: "1",
      ...(notes.length > 0 ? { description: notes.join("\n\n") } : {}),
    },
    paths: {
      [`/v1/models/${id}`]: {
        post: {
          operationId: "invokeModel",
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema,
                ...(definition.example === undefined ? {} : { example: definition.example }),
              },
            },
          },
          responses: {
            200: {
              description: "The provider's own output.",
              content: Object.fromEntries(
                outputTypes.map((type) => [type, isJsonType(type) ? { schema: outputSchemaOf(definition) } : {}]),
              ),
            },
          },
        },
      },
    },
  };
}

// The schema of a body as we serve and enforce it. If the provider wants the model's name in the body, the member must
// match the path or be absent.
export function buildInputSchema({
  input_schema,
  submit,
}: Pick<ModelDefinition, "input_schema" | "submit">): JsonObject {
  const schema: JsonObject = input_schema ?? {
    type: "object",
    description: "Any JSON object; the provider checks it.",
  };
  const member = submit.model_member;
  if (!member) return schema;
  const properties = recordOf(schema["properties"]);
  const named = { ...recordOf(properties[member.name]), const: member.value };
  return { ...schema, properties: { ...properties, [member.name]: named } };
}

function recordOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

export function compileInput(document: JsonObject, id: string): CompiledSchema<object> {
  const schema = [
    "paths",
    `/v1/models/${id}`,
    "post",
    "requestBody",
    "content",
    "application/json",
    "schema",
  ].reduce<unknown>(
    (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
    document,
  );
  return compileSchema(typeof schema === "object" && schema !== null ? schema : {});
}
