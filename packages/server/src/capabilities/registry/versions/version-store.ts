// Reading versions. A reader sees what was published: an announced number without an archive is the publisher's own
// business, a deleted one only the operators'.
import type { NodeStatus, NodeVersionStatus } from "@atelier/contract";
import { joinSql, type Queryable, type Statement, sql } from "../../../foundation/database/index.ts";
import { trustedId } from "../../../foundation/ids.ts";
import type { Finding } from "../checks/finding.ts";
import { isOwn, visibleNodes } from "../nodes/node-store.ts";
import type { NodeRowId } from "../nodes/stored-node.ts";
import type { Reader } from "../readers/reader.ts";
import type { StoredVersion, VersionId } from "./stored-version.ts";

const versionColumns = (reader: Reader) => sql`version.id, version.node_id as node_row_id, node.node_id,
  node.status as node_status, node.publisher_id, node.visible_to, ${isOwn(reader)} as is_own, version.version,
  version.status, version.status_reason, version.changelog, version.dependencies, version.deprecated,
  version.supported_os, version.supported_accelerators, version.supported_app_version,
  version.supported_app_frontend_version, version.tags, version.tags_admin, version.extract_status,
  version.created_at, encode(version.archive_hash, 'hex') as archive_hash, version.archive_size, version.checked_at,
  version.rule_set, version.findings`;

const versionTables = sql`node_versions as version join nodes as node on node.id = version.node_id
  left join publishers as publisher on publisher.id = node.publisher_id`;

const isShown = (reader: Reader) => sql`(version.archive_hash is not null or ${isOwn(reader)})`;
const isKept = sql`version.status <> 'NodeVersionStatusDeleted'`;

// In any state, for any caller: the caller has looked at the node and decides what the state means.
export async function findVersion(
  db: Queryable,
  wanted: { readonly nodeRowId: NodeRowId; readonly version: string },
  reader: Reader,
): Promise<StoredVersion | null> {
  const [row] = await db.query<VersionRow>(sql`
    select ${versionColumns(reader)} from ${versionTables}
    where version.node_id = ${wanted.nodeRowId} and version.version = ${wanted.version}`);
  return row === undefined ? null : toVersion(row);
}

export async function findVersionById(db: Queryable, id: VersionId, reader: Reader): Promise<StoredVersion | null> {
  const [row] = await db.query<VersionRow>(sql`
    select ${versionColumns(reader)} from ${versionTables} where version.id = ${id}`);
  return row === undefined ? null : toVersion(row);
}

export async function findLatestVersion(
  db: Queryable,
  nodeRowId: NodeRowId,
  reader: Reader,
): Promise<StoredVersion | null> {
  const [row] = await db.query<VersionRow>(sql`
    select ${versionColumns(reader)} from ${versionTables}
    where node.id = ${nodeRowId} and version.id = node.latest_version_id`);
  return row === undefined ? null : toVersion(row);
}

export async function listVersionsOf(
  db: Queryable,
  nodeRowId: NodeRowId,
  reader: Reader,
  statuses: readonly NodeVersionStatus[] | null,
): Promise<StoredVersion[]> {
  const rows = await db.query<VersionRow>(sql`
    select ${versionColumns(reader)} from ${versionTables}
    where version.node_id = ${nodeRowId} and ${isKept} and ${isShown(reader)}
      and (${statuses}::text[] is null or version.status = any(${statuses}))
    order by version.created_at desc, version.id desc`);
  return rows.map(toVersion);
}

export interface VersionFilter {
  // Folded.
  readonly nodeId?: string | undefined;
  readonly statuses?: readonly NodeVersionStatus[] | undefined;
  readonly reasonPart?: string | undefined;
  readonly includeDeleted: boolean;
}

export async function listVersions(
  db: Queryable,
  filter: VersionFilter,
  reader: Reader,
  window: { readonly limit: number; readonly offset: number },
): Promise<{ versions: StoredVersion[]; total: number }> {
  const where = conditionsOf(filter, reader);
  const [rows, [counted]] = await Promise.all([
    db.query<VersionRow>(sql`select ${versionColumns(reader)} from ${versionTables} where ${where}
      order by version.created_at desc, version.id desc limit ${window.limit} offset ${window.offset}`),
    db.query<{ total: number }>(sql`select count(*)::int as total from ${versionTables} where ${where}`),
  ]);
  return { versions: rows.map(toVersion), total: counted?.total ?? 0 };
}

function conditionsOf(filter: VersionFilter, reader: Reader): Statement {
  const conditions = [visibleNodes(reader), isShown(reader)];
  if (!filter.includeDeleted) conditions.push(isKept, sql`node.status <> 'NodeStatusDeleted'`);
  if (!reader.isAdmin) conditions.push(sql`(node.status = 'NodeStatusActive' or ${isOwn(reader)})`);
  if (filter.nodeId !== undefined) conditions.push(sql`node.node_id_folded = ${filter.nodeId}`);
  if (filter.statuses !== undefined) conditions.push(sql`version.status = any(${filter.statuses})`);
  if (filter.reasonPart !== undefined) {
    conditions.push(sql`position(lower(${filter.reasonPart}) in lower(version.status_reason)) > 0`);
  }
  return joinSql(conditions, sql` and `);
}

// Of many nodes at once; what is not there or not to be seen is left out.
export async function findVersions(
  db: Queryable,
  wanted: readonly { readonly folded: string; readonly version: string }[],
  reader: Reader,
): Promise<StoredVersion[]> {
  const rows = await db.query<VersionRow>(sql`
    select ${versionColumns(reader)} from ${versionTables}
    where (node.node_id_folded, version.version) in (select * from unnest(
        ${wanted.map(({ folded }) => folded)}::text[], ${wanted.map(({ version }) => version)}::text[]))
      and node.status <> 'NodeStatusDeleted' and ${isKept} and ${isShown(reader)} and ${visibleNodes(reader)}`);
  return rows.map(toVersion);
}

interface VersionRow {
  readonly id: string;
  readonly node_row_id: string;
  readonly node_id: string;
  readonly node_status: NodeStatus;
  readonly publisher_id: string | null;
  readonly visible_to: string | null;
  readonly is_own: boolean;
  readonly version: string;
  readonly status: NodeVersionStatus;
  readonly status_reason: string | null;
  readonly changelog: string | null;
  readonly dependencies: readonly string[];
  readonly deprecated: boolean;
  readonly supported_os: readonly string[] | null;
  readonly supported_accelerators: readonly string[] | null;
  readonly supported_app_version: string | null;
  readonly supported_app_frontend_version: string | null;
  readonly tags: readonly string[];
  readonly tags_admin: readonly string[];
  readonly extract_status: string;
  readonly created_at: Date;
  readonly archive_hash: string | null;
  readonly archive_size: string | null;
  readonly checked_at: Date | null;
  readonly rule_set: string | null;
  readonly findings: readonly Finding[];
}

function toVersion(row: VersionRow): StoredVersion {
  return {
    id: trustedId(row.id),
    nodeRowId: trustedId(row.node_row_id),
    nodeId: row.node_id,
    nodeStatus: row.node_status,
    publisherId: row.publisher_id,
    visibleTo: row.visible_to === null ? null : trustedId(row.visible_to),
    isOwn: row.is_own,
    version: row.version,
    status: row.status,
    statusReason: row.status_reason,
    changelog: row.changelog,
    dependencies: row.dependencies,
    deprecated: row.deprecated,
    supportedOs: row.supported_os,
    supportedAccelerators: row.supported_accelerators,
    supportedAppVersion: row.supported_app_version,
    supportedAppFrontendVersion: row.supported_app_frontend_version,
    tags: row.tags,
    tagsAdmin: row.tags_admin,
    extractStatus: row.extract_status,
    createdAt: row.created_at,
    archive: row.archive_hash === null ? null : { hash: row.archive_hash, size: Number(row.archive_size) },
    checkedAt: row.checked_at,
    ruleSet: row.rule_set,
    findings: row.findings,
  };
}
