// The OpenAPI 3.1 document for the given operations, in any order: equal operations give equal bytes. What every answer carries
// (the request id) is added here rather than repeated in the table.
import type { TObject } from "typebox";
import { alwaysAnswered, headerMeanings, headerName } from "./headers.ts";
import type { Access, AnswerShape, Method, Operation } from "./operation.ts";
import { genericFault } from "./operations/answers.ts";
import { tagMeanings } from "./operations/tags.ts";
import { type Json, type JsonObject, plainJson, type SchemaComponents, schemaComponents } from "./plain-schema.ts";

export interface OpenApiInput {
  readonly operations: readonly Operation[];
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  readonly servers: readonly { readonly url: string; readonly description?: string }[];
}

export interface OpenApiDocument extends JsonObject {
  readonly openapi: string;
  readonly info: JsonObject;
  readonly servers: readonly Json[];
  readonly tags: readonly Json[];
  readonly paths: JsonObject;
  readonly components: JsonObject;
}

const methodOrder: readonly Method[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

const securitySchemes = {
  apiKey: {
    type: "apiKey",
    in: "header",
    name: headerName.apiKey,
    description: "A service API key. Takes precedence over Authorization if both are sent.",
  },
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "A service API key or a cloud identity JWT.",
  },
  adminToken: { type: "http", scheme: "bearer", description: "An operator token." },
  workerToken: { type: "http", scheme: "bearer", description: "A worker token." },
  session: { type: "apiKey", in: "cookie", name: "session", description: "A browser session of a signed-in person." },
} as const;

type SchemeName = keyof typeof securitySchemes;

// Alternatives: any one of them is enough.
const schemesOf: Record<Access, readonly SchemeName[]> = {
  public: [],
  key: ["apiKey", "bearer"],
  admin: ["adminToken"],
  session: ["session"],
  worker: ["workerToken"],
};

function security(operation: Operation): Json {
  const schemes = [...schemesOf[operation.access], ...(operation.takesSession ? schemesOf.session : [])];
  const alternatives = schemes.map((scheme): Json => ({ [scheme]: [] }));
  // An empty requirement means that the headers need not carry a credential.
  return operation.credentialInBody ? [...alternatives, {}] : alternatives;
}

function parameters(
  location: "path" | "query" | "header",
  object: TObject | undefined,
  schemas: SchemaComponents,
): Json[] {
  if (!object) return [];
  const required: readonly string[] = object.required ?? [];
  return Object.entries(object.properties).map(([name, schema]) => {
    const described = location === "header" ? headerDescription(name) : describedBy(schema);
    return {
      name,
      in: location,
      ...(described === undefined ? {} : { description: described }),
      required: location === "path" || required.includes(name),
      schema: schemas.add(schema),
    };
  });
}

function describedBy(schema: object): string | undefined {
  return "description" in schema && typeof schema.description === "string" ? schema.description : undefined;
}

function headerDescription(name: string): string | undefined {
  return isKnownHeader(name) ? headerMeanings[name].description : undefined;
}

function isKnownHeader(name: string): name is keyof typeof headerMeanings {
  return Object.hasOwn(headerMeanings, name);
}

// Headers are defined once under components, like entities, because most answers carry the same few.
function answerHeaders(names: readonly string[]): JsonObject {
  const all = [...new Set([...alwaysAnswered, ...names])].sort();
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function headerComponents(operations: readonly Operation[], schemas: SchemaComponents): JsonObject {
  const answers: AnswerShape[] = operations.flatMap((operation) => Object.values(operation.answers));
  answers.push(...Object.values(beforeRouting));
  const used = new Set<string>(answers.flatMap((shape) => [...alwaysAnswered, ...(shape.headers ?? [])]));
  return Object.fromEntries(
    [...used].sort().map((name) => {
      if (!isKnownHeader(name)) throw new Error(`The header ${name} is not explained in headers.ts`);
      return [
        name,
        { description: headerMeanings[name].description, schema: schemas.add(headerMeanings[name].schema) },
      ];
    }),
  );
}

function answerOf(shape: AnswerShape, schemas: SchemaComponents): JsonObject {
  const content = shape.schema
    ? {
        content: {
          ...contentOf(
            [shape.contentType ?? "application/json", ...(shape.otherContentTypes ?? [])],
            schemas.add(shape.schema),
          ),
          ...contentOf(shape.bytesContentTypes ?? [], { type: "string", format: "binary" }),
        },
      }
    : {};
  return { description: shape.description, headers: answerHeaders(shape.headers ?? []), ...content };
}

// Node's parser can refuse any request before it reaches a route, so we define this answer once.
const headersTooLarge = "HeadersTooLarge";
const beforeRouting = { [headersTooLarge]: genericFault[431] } as const satisfies Record<string, AnswerShape>;

function operationObject(operation: Operation, schemas: SchemaComponents): JsonObject {
  const given = [
    ...parameters("path", operation.params, schemas),
    ...parameters("query", operation.query, schemas),
    ...parameters("header", operation.headers, schemas),
  ];
  const { body } = operation;
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(operation.deprecated ? { deprecated: true } : {}),
    security: security(operation),
    ...(given.length === 0 ? {} : { parameters: given }),
    ...(body
      ? {
          requestBody: {
            required: body.required,
            content: { [body.contentType]: { schema: schemas.add(body.schema) } },
          },
        }
      : {}),
    // Integer keys of an object are already in ascending order.
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.answers).map(([status, shape]) => [status, answerOf(shape, schemas)]),
      ),
      431: { $ref: `#/components/responses/${headersTooLarge}` },
    },
  };
}

function pathItems(operations: readonly Operation[], schemas: SchemaComponents): JsonObject {
  const paths = [...new Set(operations.map((operation) => operation.path))].sort();
  return Object.fromEntries(
    paths.map((path) => {
      const here = operations
        .filter((operation) => operation.path === path)
        .sort((left, right) => methodOrder.indexOf(left.method) - methodOrder.indexOf(right.method));
      return [path, Object.fromEntries(here.map((one) => [one.method.toLowerCase(), operationObject(one, schemas)]))];
    }),
  );
}

function usedTags(operations: readonly Operation[]): Json[] {
  const used = new Set(operations.map((operation) => operation.tag));
  const explained = Object.entries(tagMeanings)
    .filter(([name]) => used.delete(name))
    .map(([name, description]) => ({ name, description }));
  return [...explained, ...[...used].sort().map((name) => ({ name }))];
}

export function openApiDocument(input: OpenApiInput): OpenApiDocument {
  const schemas = schemaComponents();
  const paths = pathItems(input.operations, schemas);
  const responses = Object.fromEntries(
    Object.entries(beforeRouting).map(([name, shape]) => [name, answerOf(shape, schemas)]),
  );
  const headers = headerComponents(input.operations, schemas);
  const needed = new Set(input.operations.flatMap((operation) => schemesOf[operation.access]));
  return {
    openapi: "3.1.1",
    info: {
      title: input.title,
      version: input.version,
      ...(input.description === undefined ? {} : { description: input.description }),
    },
    servers: input.servers.map(plainJson),
    tags: usedTags(input.operations),
    paths,
    components: {
      securitySchemes: Object.fromEntries(
        Object.entries(securitySchemes).filter(([name]) => [...needed].some((scheme) => scheme === name)),
      ),
      headers,
      responses,
      schemas: schemas.components(),
    },
  };
}

function contentOf(types: readonly string[], schema: Json): JsonObject {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}
