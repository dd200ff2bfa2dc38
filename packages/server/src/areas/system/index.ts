// Health, metrics and documents (decisions, section 1). Public, except for the metrics, which want an operator's token:
// a peer address authorises nothing.
import {
  healthChallengePattern,
  type Index,
  type Operation,
  openApiDocument,
  operations,
  type Readiness,
} from "@atelier/contract";
import { type Area, type Arrival, jsonAnswer, type Route } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";
import { apiReference, referencePolicy } from "./api-reference.ts";
import { indexPage, wantsPage } from "./index-page.ts";
import { llmsText } from "./llms-text.ts";

export { type ReadinessCheck, readiness } from "./readiness.ts";
export { surfaceDocument } from "./surface-document.ts";

const challengePattern = new RegExp(healthChallengePattern);

export interface SystemDeps {
  readonly version: string;
  readonly baseUrl: () => string;
  // What the holder of a challenge compares; absent where no data folder names this process.
  readonly prove?: ((host: string, challenge: string) => string) | undefined;
  readonly look: () => Promise<Readiness>;
  readonly releaseNotes: string;
  // Every operation that this process mounts; asked when the first reader comes, because areas know each other's not.
  readonly mounted: () => readonly Operation[];
}

export function system(deps: SystemDeps): Area<undefined> {
  const alive = (operation: Operation): Route<undefined> => ({
    operation,
    isAlwaysAnswered: true,
    handle: () => jsonAnswer(200, { status: "ok" }),
  });
  const document = once(() =>
    openApiDocument({
      operations: deps.mounted(),
      title: "Atelier API",
      version: deps.version,
      servers: [{ url: deps.baseUrl() }],
    }),
  );
  // Rendered once: what is mounted does not change while a process runs.
  const documentText = once(() => Buffer.from(JSON.stringify(document())));
  const reference = once(() => Buffer.from(apiReference(JSON.parse(documentText().toString()), deps.baseUrl())));
  const openApi = () => ({
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: documentText(),
  });
  const text = (type: string, body: string) => ({
    status: 200,
    headers: { "content-type": `${type}; charset=utf-8` },
    body,
  });
  return {
    name: "system",
    prefixes: [],
    authenticate: null,
    envelope: genericEnvelope,
    cors: "listed",
    routes: [
      {
        operation: operations.getIndex,
        async handle({ headers }) {
          const facts = { version: deps.version, baseUrl: deps.baseUrl() };
          if (wantsPage(headers.accept)) return indexPage({ ...facts, readiness: await deps.look() });
          return jsonAnswer(200, indexDocument(facts), { vary: "Accept" });
        },
      },
      {
        operation: operations.getHealth,
        isAlwaysAnswered: true,
        handle: ({ query, headers }) => {
          const challenge = query.get("challenge") ?? "";
          const isAsked = deps.prove !== undefined && challengePattern.test(challenge);
          const proof = isAsked ? { proof: deps.prove?.(headers.host ?? "", challenge) } : {};
          return jsonAnswer(200, { status: "ok", ...proof });
        },
      },
      alive(operations.getLiveness),
      {
        operation: operations.getReadiness,
        isAlwaysAnswered: true,
        async handle() {
          const verdict = await deps.look();
          return jsonAnswer(
            verdict.status === "ready" ? 200 : 503,
            verdict,
            verdict.status === "ready" ? {} : { "retry-after": "1" },
          );
        },
      },
      { operation: operations.getOpenApi, handle: openApi },
      { operation: operations.getRegistryOpenApi, handle: openApi },
      {
        operation: operations.getDocs,
        handle: () => ({
          status: 200,
          headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": referencePolicy },
          body: reference(),
        }),
      },
      { operation: operations.getLlmsText, handle: () => text("text/plain", llmsText(deps.mounted(), deps.baseUrl())) },
      { operation: operations.getReleaseNotes, handle: () => text("text/markdown", deps.releaseNotes) },
    ],
  };
}

// Follow links: what a program needs to find everything else.
function indexDocument({ version, baseUrl }: { readonly version: string; readonly baseUrl: string }): Index {
  const urls = {
    openapi: `${baseUrl}${operations.getOpenApi.path}`,
    docs: `${baseUrl}${operations.getDocs.path}`,
    llms: `${baseUrl}${operations.getLlmsText.path}`,
    ready: `${baseUrl}${operations.getReadiness.path}`,
  };
  return { name: "Atelier", version, urls };
}

export interface MetricsDeps<Caller> {
  readonly authenticateAdmin: (arrival: Arrival) => Caller | Promise<Caller>;
  readonly metricsText: () => Promise<string>;
}

export function metricsPage<Caller>(deps: MetricsDeps<Caller>): Area<Caller> {
  return {
    name: "metrics",
    prefixes: ["/metrics"],
    authenticate: deps.authenticateAdmin,
    envelope: genericEnvelope,
    cors: "listed",
    routes: [
      {
        operation: operations.getMetrics,
        isAlwaysAnswered: true,
        handle: async () => ({
          status: 200,
          headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
          body: await deps.metricsText(),
        }),
      },
    ],
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
