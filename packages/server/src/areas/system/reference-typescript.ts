// The TypeScript under each operation of the API reference: the client's own method if it has one, else its `request`, which
// throws the same typed errors. A form is sent with fetch.
import type { OperationObject, PathOperation, Schemas } from "./reference-document.ts";
import { credentials, firstBodies, placeholderOf, requiredOf, sampleOf } from "./reference-example.ts";

const methods: Readonly<Record<string, string>> = {
  listModels: `for await (const model of atelier.models.list()) console.log(model.id);`,
  getModel: `const model = await atelier.models.get("sandbox/image-1");`,
  invokeModel: `const { data } = await atelier.models.run("sandbox/image-1", { prompt: "a lighthouse at dusk" });`,
  submitJob: `const job = await atelier.jobs.run({
  "1": { class_type: "EmptyImage", inputs: { width: 512, height: 512, batch_size: 1, color: 3368652 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "blue" } },
});`,
  listJobs: `for await (const job of atelier.jobs.list()) console.log(job.id, job.status);`,
  uploadAsset: `const asset = await atelier.assets.put("picture.png");`,
  listAssets: `for await (const asset of atelier.assets.list()) console.log(asset.id, asset.name);`,
  searchNodes: `const { nodes } = await atelier.registry.search("image upscale");`,
};

const importEnv = `import { env } from "node:process";`;

export function renderTypescript(
  { path, method, operation }: PathOperation,
  baseUrl: string,
  schemas: Schemas,
): string {
  const schemes = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme));
  const credential = Object.keys(credentials).find((name) => schemes.includes(name)) ?? null;
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [null, {}];
  const asked = queryOf(operation, schemas);
  const own = methods[operation.operationId];
  const isForm = type !== null && type !== "application/json";
  if ((isForm || method === "HEAD") && own === undefined)
    return fetched({ path: `${baseUrl}${filled(path)}`, method, type, credential, fields: fieldsOf(content, schemas) });
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(Object.keys(asked).length === 0 ? [] : [`query: ${literal(asked)}`]),
    ...(type === null ? [] : [`json: ${renderBody(operation, content, schemas)}`]),
  ];
  return [
    ...(credential === null || credential === "apiKey" ? [] : [importEnv]),
    `import { Atelier } from "@atelier/sdk";`,
    ``,
    `const atelier = new Atelier({ ${clientOf(baseUrl, credential)} });`,
    own ??
      `const answer = await atelier.request("${filled(path)}"${options.length === 0 ? "" : `, ${renderMembers(options)}`});`,
    ...(own === undefined &&
    Object.keys(operation.responses ?? {}).some((status) => status === "200" || status === "201")
      ? [`const body = await answer.json();`]
      : []),
  ].join("\n");
}

// The client reads a key from ATELIER_API_KEY itself; other credentials are passed explicitly.
function clientOf(baseUrl: string, credential: string | null): string {
  const name = credential === null || credential === "apiKey" ? null : credentials[credential]?.slice(1);
  return [`baseUrl: "${baseUrl}"`, ...(name ? [`apiKey: env.${name}`] : [])].join(", ");
}

function fetched(call: {
  readonly path: string;
  readonly method: string;
  readonly type: string | null;
  readonly credential: string | null;
  readonly fields: readonly string[];
}): string {
  const isParts = call.type === "multipart/form-data";
  const isForm = call.type === "application/x-www-form-urlencoded";
  const name = call.credential === null ? null : credentials[call.credential]?.slice(1);
  const headers = [
    ...(name ? [`authorization: \`Bearer \${env.${name}}\``] : []),
    ...(call.type === null || isParts || isForm ? [] : [`"content-type": "${call.type}"`]),
  ];
  const sets = call.fields.map((field) =>
    field === "file"
      ? `form.set("file", await openAsBlob("picture.png"));`
      : `form.set("${field}", "${placeholderOf(field)}");`,
  );
  const body = call.type === null ? [] : isParts || isForm ? [`body: form`] : [`body: await openAsBlob("file")`];
  const needsFile = call.fields.includes("file") || (call.type !== null && !isParts && !isForm);
  return [
    ...(needsFile ? [`import { openAsBlob } from "node:fs";`] : []),
    ...(name ? [importEnv] : []),
    ...(needsFile || name ? [``] : []),
    ...(isParts ? [`const form = new FormData();`, ...sets] : []),
    ...(isForm ? [`const form = new URLSearchParams();`, ...sets] : []),
    `const answer = await fetch("${call.path}", ${renderMembers([`method: "${call.method}"`, ...(headers.length === 0 ? [] : [`headers: { ${headers.join(", ")} }`]), ...body])});`,
  ].join("\n");
}

// On one line if short, else one line each.
const renderMembers = (members: readonly string[]): string =>
  members.join(", ").length < 40
    ? `{ ${members.join(", ")} }`
    : `{\n${members.map((each) => `  ${each},\n`).join("")}}`;

const filled = (path: string): string => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());

function queryOf(operation: OperationObject, schemas: Schemas): Record<string, unknown> {
  const required = (operation.parameters ?? []).filter((parameter) => parameter.in === "query" && parameter.required);
  return Object.fromEntries(required.map(({ name, schema = {} }) => [name, sampleOf(name, schema, schemas)]));
}

function fieldsOf(content: { readonly schema?: object }, schemas: Schemas): readonly string[] {
  return Object.keys(requiredOf(content.schema ?? {}, schemas));
}

function renderBody(operation: OperationObject, content: { readonly schema?: object }, schemas: Schemas): string {
  const first = firstBodies[operation.operationId]?.body;
  if (first !== undefined) return literal(JSON.parse(first));
  const fields = Object.entries(requiredOf(content.schema ?? {}, schemas));
  return literal(Object.fromEntries(fields.map(([name, each]) => [name, sampleOf(name, each, schemas)])));
}

// JSON as people write it in TypeScript: names without quotes unless they need them.
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const members = Object.entries(value).map(
    ([name, each]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: ${literal(each)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
