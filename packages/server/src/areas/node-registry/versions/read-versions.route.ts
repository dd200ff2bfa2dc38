// The routes that read versions: translate, nothing else.
import { BulkNodeVersionsRequest, limits, NodeVersionStatus, operations } from "@atelier/contract";
import { Value } from "typebox/value";
import { type Incoming, jsonAnswer, type Route } from "../../../foundation/http/area.ts";
import { answerPrepared, prepare } from "../nodes/prepared-answers.ts";
import { foldedNodeId } from "../nodes/stored-node.ts";
import { readRegistryBody } from "../registry-body.ts";
import { RegistryQuery } from "../registry-query.ts";
import { nobody, type Reader, type ReaderDeps, whoReads } from "../registry-reader.ts";
import { type InstallDeps, installNode, requireInstallableNode } from "./install-node.ts";
import {
  answerInBulk,
  type BulkVersionDeps,
  listVersions,
  type ReadVersionDeps,
  requireVersion,
  show,
} from "./read-versions.ts";
import { presentVersion } from "./stored-version.ts";
import { listVersions as listPage } from "./version-store.ts";

export interface ReadVersionRouteDeps extends BulkVersionDeps, InstallDeps, ReaderDeps {
  readonly addresses: ReadVersionDeps["addresses"] & InstallDeps["addresses"];
}

type Asking = Incoming<undefined>;

export function readVersionRoutes(deps: ReadVersionRouteDeps): readonly Route<undefined>[] {
  return [
    listNodeVersionsRoute(deps),
    getNodeVersionRoute(deps),
    getNodeVersionsInBulkRoute(deps),
    listAllVersionsRoute(deps),
    installNodeRoute(deps),
  ];
}

export function listNodeVersionsRoute(deps: ReadVersionRouteDeps): Route<undefined> {
  return {
    operation: operations.listNodeVersions,
    async handle(incoming) {
      const query = new RegistryQuery(incoming.query);
      const wish = { statuses: readStatuses(query) ?? null, withReason: query.readSwitch("include_status_reason") };
      query.requireNoProblem();
      const reader = await whoReads(deps, incoming);
      return cached(await listVersions(deps, nodeOf(incoming), reader, wish), reader, incoming);
    },
  };
}

export function getNodeVersionRoute(deps: ReadVersionRouteDeps): Route<undefined> {
  return {
    operation: operations.getNodeVersion,
    async handle(incoming) {
      const reader = await whoReads(deps, incoming);
      const at = { nodeId: nodeOf(incoming), version: incoming.params["version"] ?? "" };
      const { version } = await requireVersion(deps, at, reader);
      return cached(show(deps, version), reader, incoming);
    },
  };
}

export function getNodeVersionsInBulkRoute(deps: ReadVersionRouteDeps): Route<undefined> {
  return {
    operation: operations.getNodeVersionsInBulk,
    async handle(incoming) {
      const { node_versions } = await readRegistryBody(BulkNodeVersionsRequest, incoming);
      return jsonAnswer(200, await answerInBulk(deps, node_versions, await whoReads(deps, incoming)), noCache);
    },
  };
}

export function listAllVersionsRoute(deps: ReadVersionRouteDeps): Route<undefined> {
  return { operation: operations.listAllVersions, handle: (incoming) => answerPage(deps, incoming) };
}

export function installNodeRoute(deps: ReadVersionRouteDeps): Route<undefined> {
  return { operation: operations.installNode, handle: (incoming) => install(deps, incoming) };
}

async function answerPage(deps: ReadVersionRouteDeps, incoming: Asking) {
  const query = new RegistryQuery(incoming.query);
  const page = readStrictPage(query);
  const nodeId = query.readText("nodeId");
  const reasonPart = query.readText("status_reason");
  const statuses = readStatuses(query);
  const withReason = query.readSwitch("include_status_reason") || reasonPart !== undefined;
  query.requireNoProblem();
  const reader = await whoReads(deps, incoming);
  const filter = { nodeId: nodeId && foldedNodeId(nodeId), reasonPart, statuses, includeDeleted: false };
  const found = await listPage(deps.database, filter, reader, page);
  return jsonAnswer(200, versionPage(deps, found, page, withReason), noCache);
}

export function versionPage(
  deps: ReadVersionDeps,
  found: Awaited<ReturnType<typeof listPage>>,
  page: { readonly page: number; readonly limit: number },
  withReason: boolean,
) {
  return {
    versions: found.versions.map((version) => show(deps, version, withReason)),
    total: found.total,
    page: page.page,
    pageSize: page.limit,
    totalPages: Math.ceil(found.total / page.limit),
  };
}

async function install(deps: ReadVersionRouteDeps, incoming: Asking) {
  const query = new RegistryQuery(incoming.query);
  const version = query.readVersion("version") ?? null;
  query.requireNoProblem();
  const reader = await whoReads(deps, incoming);
  const node = await requireInstallableNode(deps, nodeOf(incoming), reader);
  const client = incoming.method === "HEAD" ? null : incoming.peer;
  const installed = await installNode(deps, { node, version, reader, client });
  const shown = { downloadUrl: installed.downloadUrl, withReason: false };
  return jsonAnswer(200, presentVersion(installed.version, shown), { "cache-control": "no-store" });
}

const noCache = { "cache-control": "no-cache" };

function cached(value: unknown, reader: Reader, incoming: Asking) {
  const prepared = prepare(value);
  const answer = answerPrepared(prepared, incoming.headers["if-none-match"]);
  if (reader === nobody) return answer;
  return { ...answer, headers: { ...answer.headers, "cache-control": "private, no-cache" } };
}

// Above the cap is refused here, unlike in the other lists of the registry.
export function readStrictPage(query: RegistryQuery) {
  const wanted = query.readInteger("pageSize") ?? 0;
  if (wanted > limits.registryPageSizeMax) query.problem("pageSize", `must be at most ${limits.registryPageSizeMax}`);
  return query.readPage("pageSize");
}

export function readStatuses(query: RegistryQuery): readonly NodeVersionStatus[] | undefined {
  const given = query.readTexts("statuses");
  if (given === undefined) return undefined;
  const known = given.filter((word): word is NodeVersionStatus => Value.Check(NodeVersionStatus, word));
  if (known.length < given.length) query.problem("statuses", "must be states of versions");
  return known;
}

const nodeOf = ({ params }: Asking) => params["nodeId"] ?? "";
