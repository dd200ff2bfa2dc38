// Reading versions by node and number. A banned version is shown as banned. A deleted one does not exist, and a merely
// announced one exists only for its publisher.
import type {
  BulkNodeVersions,
  NodeReadme,
  NodeVersion,
  NodeVersionPage,
  NodeVersionReview,
  NodeVersionStatus,
} from "@atelier/contract";
import type { Database } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { parseId } from "../../../foundation/ids.ts";
import { normalizeVersion } from "../checks/manifest.ts";
import type { NodePath } from "../nodes/change-node.ts";
import { requireReadableNode } from "../nodes/node-authority.ts";
import { foldedNodeId } from "../nodes/stored-node.ts";
import { requirePublisherMember } from "../publishers/publisher-authority.ts";
import type { Asked } from "../readers/actor.ts";
import { operator, type Reader, readerOf } from "../readers/reader.ts";
import type { ArchiveAddresses } from "./archive-addresses.ts";
import { compareCapabilities, findVersionBelow } from "./compare-capabilities.ts";
import { noSuchVersion } from "./install-node.ts";
import { compareNumbers } from "./settle-latest.ts";
import { mayReadContents, presentVersion, type StoredVersion, type VersionId } from "./stored-version.ts";
import {
  findReadme,
  findVersion,
  findVersionById,
  findVersions,
  listVersions,
  listVersionsOf,
  type VersionFilter,
} from "./version-store.ts";
import { listMoves } from "./version-write-store.ts";

export interface ReadVersionDeps {
  readonly database: Database;
  readonly addresses: Pick<ArchiveAddresses, "download">;
}

export interface VersionNumber {
  readonly nodeId: string;
  readonly version: string;
}

export interface VersionPath extends NodePath {
  readonly versionId: string;
}

export function show(deps: ReadVersionDeps, version: StoredVersion, withReason = false): NodeVersion {
  return presentVersion(version, { downloadUrl: deps.addresses.download(version), withReason });
}

export interface AskedVersions {
  readonly nodeId: string;
  readonly reader: Reader;
  // Null for any status.
  readonly statuses: readonly NodeVersionStatus[] | null;
  readonly withReason: boolean;
}

// Highest first.
export async function listNodeVersions(deps: ReadVersionDeps, asked: AskedVersions): Promise<readonly NodeVersion[]> {
  const node = await requireReadableNode(deps.database, asked.nodeId, asked.reader);
  const versions = await listVersionsOf(deps.database, node.id, asked.reader, asked.statuses);
  return versions
    .sort((a, b) => compareNumbers(b.version, a.version))
    .map((version) => show(deps, version, asked.withReason));
}

export async function requireVersion(
  deps: Pick<ReadVersionDeps, "database">,
  at: VersionNumber,
  reader: Reader,
): Promise<StoredVersion> {
  const node = await requireReadableNode(deps.database, at.nodeId, reader);
  const number = normalizeVersion(at.version);
  const version = number && (await findVersion(deps.database, { nodeRowId: node.id, version: number }, reader));
  if (!version || version.status === "NodeVersionStatusDeleted") throw noSuchVersion();
  if (version.archive === null && !version.isOwn) throw noSuchVersion();
  return version;
}

export async function readReadme(
  deps: Pick<ReadVersionDeps, "database">,
  at: VersionNumber,
  reader: Reader,
): Promise<NodeReadme> {
  const version = await requireVersion(deps, at, reader);
  const readme = mayReadContents(version) ? await findReadme(deps.database, version.id) : null;
  if (readme === null) throw new Fault("not_found", "This version has no readme.");
  return { file: readme.file, text: readme.text, truncated: readme.isCut };
}

// In the order requested; each item has its own result.
export async function answerInBulk(
  deps: ReadVersionDeps,
  wanted: readonly { readonly node_id: string; readonly version: string }[],
  reader: Reader,
): Promise<BulkNodeVersions> {
  const keys = wanted.map(({ node_id, version }) => {
    const number = normalizeVersion(version);
    const isText = !node_id.includes("\0");
    return number === null || !isText ? null : { folded: foldedNodeId(node_id), version: number };
  });
  const found = await findVersions(
    deps.database,
    keys.filter((key) => key !== null),
    reader,
  );
  const keyOf = (folded: string, version: string) => `${folded} ${version}`;
  const byKey = new Map(found.map((one) => [keyOf(foldedNodeId(one.nodeId), one.version), one]));
  const answerOne = (identifier: (typeof wanted)[number], index: number): BulkNodeVersions["node_versions"][number] => {
    const key = keys[index];
    if (!key) return { identifier, status: "error", error_message: "This is not a semantic version." };
    const version = byKey.get(keyOf(key.folded, key.version));
    if (!version) return { identifier, status: "not_found" };
    if (version.nodeStatus === "NodeStatusBanned" && !version.isOwn) {
      return { identifier, status: "error", error_message: "This node is banned." };
    }
    return { identifier, status: "success", node_version: show(deps, version) };
  };
  return { node_versions: wanted.map(answerOne) };
}

// How the version came to its status. Its publisher sees it; only operators see the names of those who decided.
export async function readOwnReview(
  deps: ReadVersionDeps,
  at: VersionPath,
  { caller }: Pick<Asked, "caller">,
): Promise<NodeVersionReview> {
  await requirePublisherMember(deps.database, caller, at.publisherId);
  const reader = readerOf(caller);
  return readReview(deps, await requireOwnVersion(deps, at, reader), reader, { withNames: false });
}

export async function readReviewAsOperator(deps: ReadVersionDeps, at: VersionNumber): Promise<NodeVersionReview> {
  return readReview(deps, await requireVersion(deps, at, operator), operator, { withNames: true });
}

async function readReview(
  deps: ReadVersionDeps,
  version: StoredVersion,
  reader: Reader,
  { withNames }: { readonly withNames: boolean },
): Promise<NodeVersionReview> {
  const moves = await listMoves(deps.database, version.id);
  const below = await findVersionBelow(deps.database, version, reader);
  const capabilities = await compareCapabilities(deps.database, version, below);
  return {
    node_version: show(deps, version, true),
    ...(version.ruleSet === null ? {} : { rule_set: version.ruleSet }),
    checked_at: version.checkedAt?.toISOString() ?? null,
    findings: [...version.findings],
    ...(capabilities === null ? {} : { capabilities }),
    history: moves.map(({ at, before, after, reason, by, batchId }) => ({
      at: at.toISOString(),
      status_before: before,
      status_after: after,
      ...(reason === null ? {} : { reason }),
      by: by.kind,
      ...(withNames && by.name !== null ? { name: by.name } : {}),
      ...(withNames && batchId !== null ? { batch_id: batchId } : {}),
    })),
  };
}

async function requireOwnVersion(
  deps: Pick<ReadVersionDeps, "database">,
  at: VersionPath,
  reader: Reader,
): Promise<StoredVersion> {
  const id: VersionId | null = parseId(at.versionId.toLowerCase());
  const version = id && (await findVersionById(deps.database, id, reader));
  const isHere =
    version !== null &&
    foldedNodeId(version.nodeId) === foldedNodeId(at.nodeId) &&
    version.publisherId === at.publisherId;
  if (!isHere || !version.isOwn) throw noSuchVersion();
  return version;
}

export async function showById(deps: ReadVersionDeps, id: VersionId, reader: Reader): Promise<NodeVersion> {
  const version = await findVersionById(deps.database, id, reader);
  if (version === null) throw noSuchVersion();
  return show(deps, version, true);
}

export interface Page {
  readonly page: number;
  readonly limit: number;
  readonly offset: number;
}

// Over all nodes, newest first.
export async function listAllVersions(
  deps: ReadVersionDeps,
  { withReason, nodeId, ...filter }: VersionFilter & { readonly withReason: boolean },
  reader: Reader,
  page: Page,
): Promise<NodeVersionPage> {
  const { versions, total } = await listVersions(
    deps.database,
    { ...filter, nodeId: nodeId && foldedNodeId(nodeId) },
    reader,
    page,
  );
  return {
    versions: versions.map((version) => show(deps, version, withReason)),
    total,
    page: page.page,
    pageSize: page.limit,
    totalPages: Math.ceil(total / page.limit),
  };
}
