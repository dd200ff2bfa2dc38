// "It may only grow": lists what a newer OpenAPI document removed or narrowed, one sentence each. Empty means that it
// only grew. Decisions, section 1: additive change only; a removal needs its 90 days, its headers and its release note.
import type { Json } from "../../src/plain-schema.ts";
import { isJsonList, isJsonObject, memberOf, resolve, SchemaComparison } from "./schema-growth.ts";

// Parameter names in a path are not on the wire, so renaming one removes nothing.
function shapeOf(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, "{}");
}

function operationsOf(document: Json): Map<string, { name: string; operation: Json }> {
  const found = new Map<string, { name: string; operation: Json }>();
  const paths = memberOf(document, "paths");
  for (const [path, item] of isJsonObject(paths) ? Object.entries(paths) : []) {
    for (const [method, operation] of isJsonObject(item) ? Object.entries(item) : []) {
      const name = `${method.toUpperCase()} ${path}`;
      found.set(`${method} ${shapeOf(path)}`, { name, operation });
    }
  }
  return found;
}

interface Pair {
  readonly name: string;
  readonly before: Json;
  readonly after: Json;
}

export function shrinkages(before: Json, after: Json): string[] {
  const documents = { before, after };
  const newer = operationsOf(after);
  return [...operationsOf(before)].flatMap(([key, was]) => {
    const is = newer.get(key);
    if (!is) return [`${was.name} was removed`];
    const pair = { name: was.name, before: was.operation, after: is.operation };
    const comparison = new SchemaComparison(documents);
    return [
      ...credentials(pair),
      ...parameters(pair, documents, comparison),
      ...requestBody(pair, comparison),
      ...answers(pair, comparison),
    ];
  });
}

function alternatives(operation: Json): Set<string> {
  const listed = memberOf(operation, "security");
  const names = isJsonList(listed)
    ? listed.map((one) => (isJsonObject(one) ? Object.keys(one).sort().join(" and ") : ""))
    : [];
  // No requirement and an empty one both mean that no credential is needed.
  return new Set(names.length === 0 ? [""] : names);
}

function credentials({ name, before, after }: Pair): string[] {
  const now = alternatives(after);
  if (now.has("")) return [];
  return [...alternatives(before)]
    .filter((way) => !now.has(way))
    .map((way) => (way === "" ? `${name} asks for a credential now` : `${name} no longer takes the credential ${way}`));
}

function parametersOf(document: Json, operation: Json): Map<string, Json> {
  const listed = memberOf(operation, "parameters");
  const all = isJsonList(listed) ? listed.map((one) => resolve(document, one)) : [];
  return new Map(
    all
      .filter((one) => one !== undefined && memberOf(one, "in") !== "path")
      .map((one) => {
        const location = String(memberOf(one, "in"));
        const name = String(memberOf(one, "name"));
        return [`${location} parameter ${location === "header" ? name.toLowerCase() : name}`, one ?? null];
      }),
  );
}

function parameters(
  { name, before, after }: Pair,
  documents: { before: Json; after: Json },
  comparison: SchemaComparison,
): string[] {
  const had = parametersOf(documents.before, before);
  const has = parametersOf(documents.after, after);
  const found: string[] = [];
  for (const [key, was] of had) {
    const is = has.get(key);
    if (is === undefined) {
      found.push(`${name}: the ${key} was removed`);
      continue;
    }
    const pair = { before: memberOf(was, "schema"), after: memberOf(is, "schema") };
    found.push(...comparison.compare(pair, `${name}: the ${key}`, "request"));
  }
  for (const [key, is] of has) {
    const was = had.get(key);
    if (memberOf(is, "required") === true && memberOf(was, "required") !== true) {
      found.push(`${name}: the ${key} is required now`);
    }
  }
  return found;
}

function requestBody({ name, before, after }: Pair, comparison: SchemaComparison): string[] {
  const was = memberOf(before, "requestBody");
  const is = memberOf(after, "requestBody");
  const found: string[] = [];
  if (memberOf(is, "required") === true && memberOf(was, "required") !== true) {
    found.push(`${name}: a body is required now`);
  }
  const had = memberOf(was, "content");
  for (const [type, media] of isJsonObject(had) ? Object.entries(had) : []) {
    const newer = memberOf(memberOf(is, "content"), type);
    if (newer === undefined) {
      found.push(`${name}: a body of ${type} is no longer taken`);
      continue;
    }
    const pair = { before: memberOf(media, "schema"), after: memberOf(newer, "schema") };
    found.push(...comparison.compare(pair, `${name}: the body`, "request"));
  }
  return found;
}

function answers({ name, before, after }: Pair, comparison: SchemaComparison): string[] {
  const had = memberOf(before, "responses");
  return (isJsonObject(had) ? Object.entries(had) : []).flatMap(([status, was]) => {
    const is = memberOf(memberOf(after, "responses"), status);
    const where = `${name}: the answer ${status}`;
    return is === undefined ? [`${where} was removed`] : answer(where, was, is, comparison);
  });
}

function answer(where: string, was: Json, is: Json, comparison: SchemaComparison): string[] {
  const found: string[] = [];
  const headers = memberOf(was, "headers");
  for (const header of isJsonObject(headers) ? Object.keys(headers) : []) {
    if (memberOf(memberOf(is, "headers"), header) === undefined) found.push(`${where} lost the header ${header}`);
  }
  const content = memberOf(was, "content");
  for (const [type, media] of isJsonObject(content) ? Object.entries(content) : []) {
    const newer = memberOf(memberOf(is, "content"), type);
    if (newer === undefined) {
      found.push(`${where} no longer comes as ${type}`);
      continue;
    }
    const pair = { before: memberOf(media, "schema"), after: memberOf(newer, "schema") };
    found.push(...comparison.compare(pair, where, "answer"));
  }
  return found;
}
