// The operations as the console calls them, generated from the contract. At run time an operation is one short string, its
// method and path, and its least role where these do not say it, which the bundler puts where it is used; everything else about it is a type.
import {
  allOperations,
  includesRole,
  installationRoles,
  type JsonObject,
  leastRole,
  type Operation,
  openApiDocument,
  workspaceRoles,
} from "@atelier/contract";
import { componentsOf, declaration, membersOf, type Schema, typeOf } from "./schema-types.ts";
import { sdkTypeNames } from "./sdk-types.ts";

// Workers have their own client.
const operations = allOperations.filter(({ access }) => access !== "worker");

export function consoleOperations(): string {
  const document = openApiDocument({ operations, title: "Atelier", version: "0", servers: [] });
  const shapes = operations.map((operation) => constantOf(operation, describedIn(document.paths, operation)));
  const schemas = componentsOf(document);
  const named = entitiesIn(shapes.join("\n"), schemas);
  const ofSdk = named.filter((name) => sdkTypeNames.includes(name));
  const own = named.filter((name) => !sdkTypeNames.includes(name));
  return [
    "// Made from the contract by `npm run openapi`; a test compares. The operations as the console calls them.",
    `import type {\n${ofSdk.map((name) => `  ${name},\n`).join("")}} from "@atelier/sdk";`,
    'import type { Operation } from "../operation.ts";',
    "",
    ...own.flatMap((name) => [declaration(name, schemas[name] ?? {}), ""]),
    ...shapes,
    "",
  ].join("\n");
}

function constantOf(operation: Operation, described: Schema): string {
  const { id, method, path, summary } = operation;
  const least = leastRole(operation);
  // As api/operation.ts reads it from method and path.
  const usual = leastRole({ access: path.startsWith("/admin/") ? "admin" : "key", method });
  const role = least === null || least === usual ? "" : ` ${least}`;
  const members = [...parametersOf(described), ...bodyOf(described), ...answerOf(described)];
  const shape = members.length === 0 ? "{}" : `{\n${members.map((line) => `  readonly ${line};\n`).join("")}}`;
  return `/** ${summary.replaceAll("*/", "* /")} */\nexport const ${id} = ${JSON.stringify(`${method} ${path}${role}`)} as Operation<${shape}>;\n`;
}

export function consoleRoles(): string {
  const all = [...workspaceRoles, ...installationRoles];
  const lines = all.map((held) => {
    const included = all.filter((least) => includesRole(held, least));
    return `  ${held}: [${included.map((least) => JSON.stringify(least)).join(", ")}],\n`;
  });
  return [
    "// Made from the contract by `npm run openapi`; a test compares. For each role, the roles that it includes.",
    `export const includedRoles: Readonly<Record<string, readonly string[]>> = {\n${lines.join("")}};`,
    "",
  ].join("\n");
}

function describedIn(paths: JsonObject, { method, path }: Operation): Schema {
  return recordOf(recordOf(paths[path])[method.toLowerCase()]);
}

function parametersOf(described: Schema): string[] {
  const given = listOf(described["parameters"]).map(recordOf);
  return (["path", "query"] as const).flatMap((location) => {
    const own = given.filter((each) => each["in"] === location);
    if (own.length === 0) return [];
    const properties = Object.fromEntries(own.map((each) => [String(each["name"]), recordOf(each["schema"])]));
    const required = own.filter((each) => each["required"] === true).map((each) => each["name"]);
    const optional = required.length === 0 ? "?" : "";
    const name = location === "path" ? "params" : `query${optional}`;
    return [`${name}: ${membersOf({ properties, required }, "  ")}`];
  });
}

function bodyOf(described: Schema): string[] {
  const body = recordOf(described["requestBody"]);
  const [[type, media] = ["", {}]] = Object.entries(recordOf(body["content"]));
  if (type === "") return [];
  const optional = body["required"] === true ? "" : "?";
  return isJson(type)
    ? [`json${optional}: ${typeOf(recordOf(recordOf(media)["schema"]), "  ")}`]
    : [`body${optional}: BodyInit`];
}

// What a success answers as JSON; an answer in another format has no type here, and its caller reads the bytes.
function answerOf(described: Schema): string[] {
  const types = Object.entries(recordOf(described["responses"])).flatMap(([status, answer]) =>
    Number(status) < 300
      ? Object.entries(recordOf(recordOf(answer)["content"])).flatMap(([type, media]) =>
          isJson(type) ? [typeOf(recordOf(recordOf(media)["schema"]), "  ")] : [],
        )
      : [],
  );
  return types.length === 0 ? [] : [`answer: ${[...new Set(types)].join(" | ")}`];
}

// The entities that the operations name, and those that these name in turn. What the SDK has already, it brings whole.
function entitiesIn(text: string, schemas: Readonly<Record<string, Schema>>): string[] {
  const found = new Set<string>();
  const names = new Set(Object.keys(schemas));
  const look = (part: string): void => {
    for (const [word] of part.replaceAll(/\/\*\*.*?\*\/|"(?:[^"\\]|\\.)*"/g, "").matchAll(/\b[A-Z]\w*(?!\w*\??:)/g)) {
      if (!names.has(word) || found.has(word)) continue;
      found.add(word);
      if (!sdkTypeNames.includes(word)) look(declaration("", schemas[word] ?? {}));
    }
  };
  look(text);
  return [...found].sort();
}

const isJson = (type: string): boolean => type.startsWith("application/json");

function recordOf(value: unknown): Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
