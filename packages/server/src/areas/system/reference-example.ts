// The curl command under each operation of the API reference, ready to paste into a shell, with the credential it needs and a
// body of the right kind. Bodies contain what is required; placeholders are the field's name in capitals.
import {
  type OperationObject,
  type PathOperation,
  resolved,
  type SchemaObject,
  type Schemas,
} from "./reference-document.ts";

// The first calls of a beginner work as they are, against the sandbox of a fresh server.
export const firstBodies: Readonly<Record<string, { readonly path?: string; readonly body: string }>> = {
  invokeModel: { path: "/v1/models/sandbox/image-1", body: '{"prompt": "a lighthouse at dusk"}' },
  submitJob: {
    body: `{"workflow": {
    "1": {"class_type": "EmptyImage", "inputs": {"width": 512, "height": 512, "batch_size": 1, "color": 3368652}},
    "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "blue"}}}}`,
  },
};

export const credentials: Readonly<Record<string, string>> = {
  adminToken: "$ATELIER_ADMIN_TOKEN",
  workerToken: "$ATELIER_WORKER_TOKEN",
  apiKey: "$ATELIER_API_KEY",
};

export function exampleOf({ path, method, operation }: PathOperation, baseUrl: string, schemas: Schemas): string {
  const query = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name, schema = {} }) => `${name}=${String(resolved(schema, schemas).enum?.[0] ?? name.toUpperCase())}`)
    .join("&");
  const schemes = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme));
  const scheme = Object.keys(credentials).find((name) => schemes.includes(name));
  const first = firstBodies[operation.operationId];
  return [
    `curl ${verbOf(method)}'${baseUrl}${first?.path ?? path}${query ? `?${query}` : ""}'`,
    ...(scheme === undefined ? [] : [`  -H 'Authorization: Bearer '"${credentials[scheme]}"`]),
    ...(schemes.includes("session") ? ["  -b cookies.txt"] : []),
    ...bodyLines(operation, first?.body, schemas),
  ].join(" \\\n");
}

// With -X HEAD, curl would wait for a body.
const verbOf = (method: string): string => (method === "GET" ? "" : method === "HEAD" ? "--head " : `-X ${method} `);

function bodyLines(operation: OperationObject, first: string | undefined, schemas: Schemas): string[] {
  const [content] = Object.entries(operation.requestBody?.content ?? {});
  if (content === undefined) return [];
  const [type, { schema = {} }] = content;
  const fields = Object.entries(requiredOf(schema, schemas));
  if (type === "multipart/form-data")
    return [
      `  ${fields.map(([name]) => `-F ${name}=${name === "file" ? "@picture.png" : placeholderOf(name)}`).join(" ")}`,
    ];
  if (type === "application/x-www-form-urlencoded")
    return fields.map(([name]) => `  --data-urlencode ${name}=${name.toUpperCase()}`);
  if (type !== "application/json") return [`  -H 'Content-Type: ${type}' --data-binary @file`];
  const body =
    first ?? JSON.stringify(Object.fromEntries(fields.map(([name, each]) => [name, sampleOf(name, each, schemas)])));
  return [`  -H 'Content-Type: application/json' -d '${body.replaceAll("'", "'\\''")}'`];
}

export const placeholderOf = (name: string): string =>
  name === "content_type" ? "image/png" : name === "file_path" ? "picture.png" : name.toUpperCase();

export function requiredOf(schema: SchemaObject, schemas: Schemas): Record<string, SchemaObject> {
  const whole = resolved(schema, schemas);
  const [form] = whole.anyOf ?? whole.oneOf ?? [];
  if (form !== undefined && whole.properties === undefined) return requiredOf(form, schemas);
  const required = whole.required ?? [];
  return Object.fromEntries(Object.entries(whole.properties ?? {}).filter(([name]) => required.includes(name)));
}

export function sampleOf(name: string, schema: SchemaObject, schemas: Schemas): unknown {
  const whole = resolved(schema, schemas);
  if (whole.const !== undefined) return whole.const;
  if (whole.enum?.[0] !== undefined) return whole.enum[0];
  const [form] = whole.anyOf ?? whole.oneOf ?? [];
  if (form !== undefined) return sampleOf(name, form, schemas);
  const [type] = [whole.type].flat();
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return true;
  if (type === "array") return [];
  if (type === "object" || whole.properties !== undefined)
    return Object.fromEntries(
      Object.entries(requiredOf(whole, schemas)).map(([inner, each]) => [inner, sampleOf(inner, each, schemas)]),
    );
  return name.toUpperCase();
}
