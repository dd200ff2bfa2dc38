// Reading versions. Readers see published versions. A number announced without an archive is visible only to its
// publisher, a deleted one only to operators.
import type { NodeVersionStatus } from "@atelier/contract";
import {
  fromRow,
  joinSql,
  type Queryable,
  type RowOf,
  type Statement,
  sql,
} from "../../../foundation/database/index.ts";
import type { Readme } from "../checks/readme.ts";
import { isOwn, visibleNodes } from "../nodes/node-store.ts";
import type { NodeRowId } from "../nodes/stored-node.ts";
import type { Reader } from "../readers/reader.ts";
import { archiveColumn, versionTables } from "./archive-store.ts";
import type { StoredVersion, VersionId } from "./stored-version.ts";

const versionColumns = (reader: Reader) => sql`version.id, version.node_id as node_row_id, node.node_id,
  node.status as node_status, node.publisher_id, node.visible_to, ${isOwn(reader)} as is_own,
  ${reader.isAdmin}::boolean as is_for_admin, node.tags_admin as node_tags_admin, version.version,
  version.status, version.status_reason, version.changelog, version.dependencies, version.deprecated,
  version.deprecated_at, version.sunset_at,
  version.supported_os, version.supported_accelerators, version.supported_app_version,
  version.supported_app_frontend_version, version.tags, version.tags_admin, version.extract_status,
  version.extract_reasons, version.capabilities,
  version.created_at, ${archiveColumn}, version.checked_at, version.rule_set, version.findings,
  version.readme_file, version.appeal, version.appealed_at`;

const isShown = (reader: Reader) => sql`(version.archive_hash is not null or ${isOwn(reader)})`;
const isKept = sql`version.status <> 'NodeVersionStatusDeleted'`;

// In any status, for any caller: the caller has checked the node and decides what the status means.
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
  // Only those whose appeal waits for an operator.
  readonly appealed?: boolean;
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
  if (filter.appealed) conditions.push(sql`version.appealed_at is not null`);
  if (filter.reasonPart !== undefined) {
    conditions.push(sql`position(lower(${filter.reasonPart}) in lower(version.status_reason)) > 0`);
  }
  return joinSql(conditions, sql` and `);
}

export async function findReadme(db: Queryable, id: VersionId): Promise<Readme | null> {
  const [row] = await db.query<{ file: string; text: string; is_cut: boolean }>(sql`
    select readme_file as file, readme as text, readme_is_cut as is_cut from node_versions
    where id = ${id} and readme is not null`);
  return row === undefined ? null : { file: row.file, text: row.text, isCut: row.is_cut };
}

// For many nodes at once. Versions that do not exist or are not visible are left out.
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

type VersionRow = RowOf<StoredVersion>;

const toVersion = fromRow<StoredVersion>;
