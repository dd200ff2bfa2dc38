// What the server says of itself. Rendered once: what is mounted does not change while a process runs.
import { openApiDocument, operations } from "@atelier/contract";
import { type BytesAnswer, type Route, route } from "../../foundation/http/area.ts";
import { apiReference, referencePolicy } from "./api-reference.ts";
import { llmsText } from "./llms-text.ts";
import type { SystemDeps } from "./system-deps.ts";

type DocumentText = () => Buffer;

const { getOpenApi, getRegistryOpenApi, getDocs, getLlmsText, getReleaseNotes } = operations;
const documentOperations = [getOpenApi, getRegistryOpenApi, getDocs, getLlmsText, getReleaseNotes];

// They stand in the documents themselves.
export function documentRoutes(given: SystemDeps): readonly Route<undefined>[] {
  const deps = { ...given, mounted: [...given.mounted, ...documentOperations] };
  const document = once(() => Buffer.from(JSON.stringify(documentOf(deps))));
  return [
    getOpenApiRoute(document),
    getRegistryOpenApiRoute(document),
    getDocsRoute(deps, document),
    getLlmsTextRoute(deps),
    getReleaseNotesRoute(deps),
  ];
}

export function getOpenApiRoute(document: DocumentText): Route<undefined> {
  return route(operations.getOpenApi, () => openApiAnswer(document));
}

// The registry's clients ask for the same document under a name of their own.
export function getRegistryOpenApiRoute(document: DocumentText): Route<undefined> {
  return route(operations.getRegistryOpenApi, () => openApiAnswer(document));
}

export function getDocsRoute({ baseUrl }: Pick<SystemDeps, "baseUrl">, document: DocumentText): Route<undefined> {
  const reference = once(() => Buffer.from(apiReference(JSON.parse(document().toString()), baseUrl())));
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": referencePolicy };
  return route(operations.getDocs, () => ({ status: 200, headers, body: reference() }));
}

export function getLlmsTextRoute(deps: Pick<SystemDeps, "mounted" | "baseUrl">): Route<undefined> {
  return route(operations.getLlmsText, () => textAnswer("text/plain", llmsText(deps.mounted, deps.baseUrl())));
}

export function getReleaseNotesRoute({ releaseNotes }: Pick<SystemDeps, "releaseNotes">): Route<undefined> {
  return route(operations.getReleaseNotes, () => textAnswer("text/markdown", releaseNotes));
}

function documentOf({ mounted, version, baseUrl }: SystemDeps) {
  return openApiDocument({ operations: mounted, title: "Atelier API", version, servers: [{ url: baseUrl() }] });
}

function openApiAnswer(document: DocumentText): BytesAnswer {
  return { status: 200, headers: { "content-type": "application/json; charset=utf-8" }, body: document() };
}

function textAnswer(type: string, body: string): BytesAnswer {
  return { status: 200, headers: { "content-type": `${type}; charset=utf-8` }, body };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
