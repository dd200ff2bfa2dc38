// The routes that read versions; they only translate.

import { limits, type NodeVersion, NodeVersionStatus, operations } from "@atelier/contract";
import { type HeaderValues, type Incoming, jsonAnswer, type Route, route } from "../../foundation/http/area.ts";
import { retirementHeaders } from "../../foundation/http/retirement-headers.ts";
import { compileSchema } from "../../foundation/json/schema.ts";
import { answerRead } from "./prepared-answers.ts";
import { identifyReader, type ReaderDeps, type RegistryRouteDeps } from "./registry-caller.ts";
import { RegistryQuery } from "./registry-query.ts";

type Asking = Incoming<undefined>;

export function listNodeVersionsRoute(deps: RegistryRouteDeps): Route<undefined> {
  return route(operations.listNodeVersions, async (incoming) => {
    const query = new RegistryQuery(incoming.query);
    const wanted = { statuses: readStatuses(query) ?? null, withReason: query.readSwitch("include_status_reason") };
    query.requireNoProblem();
    const asked = await askedOf(deps, incoming);
    const answer = await deps.registry.reading.listVersions({ ...asked, ...wanted });
    return answerRead(answer, asked.reader, incoming.headers["if-none-match"]);
  });
}

export function getNodeVersionRoute(deps: RegistryRouteDeps): Route<undefined> {
  return route(operations.getNodeVersion, async (incoming) => {
    const asked = await askedOf(deps, incoming);
    const answer = await deps.registry.reading.version({ ...asked, version: incoming.params["version"] ?? "" });
    const shown = answerRead(answer, asked.reader, incoming.headers["if-none-match"]);
    return answer.kind === "upstream"
      ? shown
      : { ...shown, headers: { ...shown.headers, ...retirementOf(answer.value) } };
  });
}

export function getNodeReadmeRoute(deps: RegistryRouteDeps): Route<undefined> {
  return route(operations.getNodeReadme, async (incoming) => {
    const { nodeId, reader } = await askedOf(deps, incoming);
    const at = { nodeId, version: incoming.params["version"] ?? "" };
    return jsonAnswer(200, await deps.registry.reading.readme(at, reader), noCache);
  });
}

export function getNodeCapabilitiesRoute(deps: RegistryRouteDeps): Route<undefined> {
  return route(operations.getNodeCapabilities, async (incoming) => {
    const query = new RegistryQuery(incoming.query);
    const since = query.readVersion("since") ?? null;
    query.requireNoProblem();
    const { nodeId, reader } = await askedOf(deps, incoming);
    const at = { nodeId, version: incoming.params["version"] ?? "" };
    return jsonAnswer(200, await deps.registry.reading.capabilities(at, since, reader), noCache);
  });
}

export function getNodeVersionsInBulkRoute(deps: RegistryRouteDeps): Route<undefined> {
  return route(operations.getNodeVersionsInBulk, async (incoming) => {
    const reader = await identifyReader(deps, incoming);
    return jsonAnswer(200, await deps.registry.reading.versionsInBulk(incoming, reader), noCache);
  });
}

export function listAllVersionsRoute(deps: RegistryRouteDeps): Route<undefined> {
  return { operation: operations.listAllVersions, handle: (incoming) => answerPage(deps, incoming) };
}

export function installNodeRoute(deps: RegistryRouteDeps): Route<undefined> {
  return { operation: operations.installNode, handle: (incoming) => install(deps, incoming) };
}

async function answerPage(deps: RegistryRouteDeps, incoming: Asking) {
  const query = new RegistryQuery(incoming.query);
  const page = readStrictPage(query);
  const nodeId = query.readText("nodeId");
  const reasonPart = query.readText("status_reason");
  const statuses = readStatuses(query);
  const withReason = query.readSwitch("include_status_reason") || reasonPart !== undefined;
  query.requireNoProblem();
  const reader = await identifyReader(deps, incoming);
  const filter = { nodeId, reasonPart, statuses, includeDeleted: false, withReason };
  return jsonAnswer(200, await deps.registry.reading.listAllVersions(filter, reader, page), noCache);
}

async function install(deps: RegistryRouteDeps, incoming: Asking) {
  const query = new RegistryQuery(incoming.query);
  const version = query.readVersion("version") ?? null;
  query.requireNoProblem();
  const asked = await askedOf(deps, incoming);
  const client = incoming.method === "HEAD" ? null : incoming.peer;
  const installed = await deps.registry.reading.install({ ...asked, version, client });
  return jsonAnswer(200, installed, { "cache-control": "no-store", ...retirementOf(installed) });
}

// RFC 9745 and RFC 8594: headers also warn clients that read or install a deprecated version.
function retirementOf({ deprecated_at, sunset_at }: NodeVersion): HeaderValues {
  if (deprecated_at === undefined) return {};
  return retirementHeaders({
    deprecatedAt: new Date(deprecated_at),
    sunsetAt: sunset_at === undefined ? null : new Date(sunset_at),
  });
}

const noCache = { "cache-control": "no-cache" };

async function askedOf(deps: ReaderDeps, incoming: Asking) {
  const { path, queryText } = incoming;
  return { nodeId: incoming.params["nodeId"] ?? "", reader: await identifyReader(deps, incoming), path, queryText };
}

// Above the maximum it is refused here, unlike in the registry's other lists.
export function readStrictPage(query: RegistryQuery) {
  const wanted = query.readInteger("pageSize") ?? 0;
  if (wanted > limits.registryPageSizeMax) query.problem("pageSize", `must be at most ${limits.registryPageSizeMax}`);
  return query.readPage("pageSize");
}

export function readStatuses(query: RegistryQuery): readonly NodeVersionStatus[] | undefined {
  const given = query.readTexts("statuses");
  if (given === undefined) return undefined;
  const known = given.filter((word) => compileSchema(NodeVersionStatus).accepts(word));
  if (known.length < given.length) query.problem("statuses", "must be version statuses");
  return known;
}
