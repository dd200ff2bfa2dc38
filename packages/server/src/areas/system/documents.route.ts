// The documents that describe the server. Rendered once: what is mounted does not change while a process runs.
import { type Operation, openApiDocument, operations } from "@atelier/contract";
import { Fault } from "../../foundation/fault.ts";
import { type BytesAnswer, type HeaderValues, type Route, route } from "../../foundation/http/area.ts";
import { pageRules } from "../../foundation/http/page-rules.ts";
import { apiReference, referencePolicy } from "./api-reference.ts";
import { guideIndex, guidePage } from "./guides.ts";
import { llmsText } from "./llms-text.ts";
import { chooseForm, notesFeed, notesMarkdown, notesPage, presentNotes, readReleases } from "./release-notes.ts";
import { securityText } from "./security-text.ts";
import type { SystemDeps } from "./system-deps.ts";

type DocumentText = () => Buffer;

const { getOpenApi, getRegistryOpenApi, getDocs, listGuides, getGuide } = operations;
const { getLlmsText, getSecurityContact, getReleaseNotes, listReleaseNotes } = operations;
const documentOperations: readonly Operation[] = [
  ...[getOpenApi, getRegistryOpenApi, getDocs],
  ...[listGuides, getGuide],
  ...[getLlmsText, getSecurityContact, getReleaseNotes, listReleaseNotes],
];

// The documents list these operations too.
export function documentRoutes(given: SystemDeps): readonly Route<undefined>[] {
  const deps = { ...given, mounted: [...given.mounted, ...documentOperations] };
  const document = once(() => Buffer.from(JSON.stringify(buildDocument(deps))));
  return [
    getOpenApiRoute(document),
    getRegistryOpenApiRoute(document),
    getDocsRoute(deps, document),
    listGuidesRoute(deps),
    getGuideRoute(deps),
    getLlmsTextRoute(deps),
    getSecurityContactRoute(deps),
    getReleaseNotesRoute(deps),
    listReleaseNotesRoute(deps),
  ];
}

export function getOpenApiRoute(document: DocumentText): Route<undefined> {
  return route(operations.getOpenApi, () => openApiAnswer(document));
}

// The registry's clients request the same document under another name.
export function getRegistryOpenApiRoute(document: DocumentText): Route<undefined> {
  return route(operations.getRegistryOpenApi, () => openApiAnswer(document));
}

export function getDocsRoute({ baseUrl }: Pick<SystemDeps, "baseUrl">, document: DocumentText): Route<undefined> {
  const reference = once(() => Buffer.from(apiReference(JSON.parse(document().toString()), baseUrl())));
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": referencePolicy,
    ...pageRules,
  };
  return route(operations.getDocs, () => ({ status: 200, headers, body: reference() }));
}

export function listGuidesRoute({ guides }: Pick<SystemDeps, "guides">): Route<undefined> {
  return route(operations.listGuides, async () => guideAnswer(guideIndex(await guides())));
}

export function getGuideRoute({ guides }: Pick<SystemDeps, "guides">): Route<undefined> {
  return route(operations.getGuide, async ({ params }) => {
    const page = guidePage(await guides(), params["name"] ?? "");
    if (page === null) throw new Fault("not_found", "There is no such guide. /docs/guides lists them.");
    return guideAnswer(page);
  });
}

const guideAnswer = (page: string): BytesAnswer =>
  textAnswer("text/html", page, { "content-security-policy": referencePolicy });

export function getLlmsTextRoute(deps: Pick<SystemDeps, "mounted" | "baseUrl">): Route<undefined> {
  return route(operations.getLlmsText, () => textAnswer("text/plain", llmsText(deps.mounted, deps.baseUrl())));
}

export function getSecurityContactRoute(
  deps: Pick<SystemDeps, "securityContact" | "baseUrl" | "clock">,
): Route<undefined> {
  return route(operations.getSecurityContact, () => {
    if (deps.securityContact === null)
      throw new Fault("not_found", "This server has no security contact. Its operator sets ATELIER_SECURITY_CONTACT.");
    return textAnswer("text/plain", securityText(deps.securityContact, deps.baseUrl(), deps.clock.now()));
  });
}

const serverNotesMax = 500;
const notesPolicy = referencePolicy;

type NotesDeps = Pick<SystemDeps, "releaseNotes" | "serverNotes" | "baseUrl">;

export function getReleaseNotesRoute(deps: NotesDeps): Route<undefined> {
  const read = notesReader(deps);
  return route(operations.getReleaseNotes, async ({ query, headers }) => {
    const form = chooseForm(query.get("format"), headers.accept);
    if (form === null) throw new Fault("invalid_request", "format must be markdown, html, json or atom.");
    const notes = await read();
    const answer = {
      markdown: () => textAnswer("text/markdown", notesMarkdown(notes, deps.releaseNotes)),
      html: () => textAnswer("text/html", notesPage(notes), { "content-security-policy": notesPolicy }),
      atom: () => textAnswer("application/atom+xml", notesFeed(notes, deps.baseUrl())),
      json: () => textAnswer("application/json", JSON.stringify(presentNotes(notes))),
    }[form]();
    return { ...answer, headers: { ...answer.headers, vary: "Accept" } };
  });
}

export function listReleaseNotesRoute(deps: NotesDeps): Route<undefined> {
  const read = notesReader(deps);
  return route(operations.listReleaseNotes, async () =>
    textAnswer("application/json", JSON.stringify(presentNotes(await read()))),
  );
}

function notesReader({ releaseNotes, serverNotes }: NotesDeps) {
  const program = once(() => readReleases(releaseNotes));
  return async () => ({ server: await serverNotes(serverNotesMax), program: program() });
}

function buildDocument({ mounted, version, baseUrl }: SystemDeps) {
  return openApiDocument({ operations: mounted, title: "Atelier API", version, servers: [{ url: baseUrl() }] });
}

function openApiAnswer(document: DocumentText): BytesAnswer {
  return { status: 200, headers: { "content-type": "application/json; charset=utf-8" }, body: document() };
}

const textRules = { ...pageRules, "content-security-policy": "default-src 'none'; frame-ancestors 'none'" };

function textAnswer(type: string, body: string, more: HeaderValues = {}): BytesAnswer {
  return { status: 200, headers: { "content-type": `${type}; charset=utf-8`, ...textRules, ...more }, body };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
