// Writing versions and their status changes. Every writer locks the node's row first: that way the code that settles
// "latest" sees every version that counts, and writers cannot deadlock.
import type { NodeVersionStatus } from "@atelier/contract";
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import { trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { NodeRowId } from "../nodes/stored-node.ts";
import type { StoredVersion, VersionId } from "./stored-version.ts";

// Fields that operators may set in place of the publisher.
type ReviewedFields = Pick<
  StoredVersion,
  "supportedOs" | "supportedAccelerators" | "supportedAppVersion" | "supportedAppFrontendVersion"
>;

export type VersionFields = ReviewedFields & Pick<StoredVersion, "changelog" | "dependencies" | "tags">;

export interface LockedVersion extends Pick<StoredVersion, "id" | "nodeRowId" | "version" | "status" | "statusReason"> {
  readonly archiveHash: string | null;
  readonly isChecked: boolean;
  readonly isAppealed: boolean;
}

const lockedColumns = sql`id, node_id as node_row_id, version, status, status_reason, encode(archive_hash, 'hex') as archive_hash,
  checked_at is not null as is_checked, appealed_at is not null as is_appealed`;

export async function lockVersion(
  tx: Queryable,
  wanted: { readonly nodeRowId: NodeRowId; readonly version: string },
): Promise<LockedVersion | null> {
  const [row] = await tx.query<LockedRow>(sql`
    select ${lockedColumns} from node_versions
    where node_id = ${wanted.nodeRowId} and version = ${wanted.version} for update`);
  return row === undefined ? null : toLocked(row);
}

export async function lockVersionById(tx: Queryable, id: VersionId): Promise<LockedVersion | null> {
  const [row] = await tx.query<LockedRow>(sql`
    select ${lockedColumns} from node_versions where id = ${id} for update`);
  return row === undefined ? null : toLocked(row);
}

export async function nodeOfVersion(db: Queryable, id: VersionId): Promise<NodeRowId | null> {
  const [row] = await db.query<{ node_id: string }>(sql`select node_id from node_versions where id = ${id}`);
  return row === undefined ? null : trustedId(row.node_id);
}

export async function insertVersion(
  tx: Queryable,
  version: VersionFields & { id: VersionId; nodeRowId: NodeRowId; version: string; now: Date },
): Promise<void> {
  await tx.execute(sql`
    insert into node_versions (id, node_id, version, changelog, dependencies, tags, supported_os,
      supported_accelerators, supported_app_version, supported_app_frontend_version, created_at)
    values (${version.id}, ${version.nodeRowId}, ${version.version}, ${version.changelog}, ${version.dependencies},
      ${version.tags}, ${version.supportedOs}, ${version.supportedAccelerators}, ${version.supportedAppVersion},
      ${version.supportedAppFrontendVersion}, ${version.now})`);
}

// Announces a number again that was announced but never uploaded.
export async function announceAgain(tx: Queryable, id: VersionId, fields: VersionFields): Promise<void> {
  await tx.execute(sql`
    update node_versions set changelog = ${fields.changelog}, dependencies = ${fields.dependencies},
      tags = ${fields.tags}, supported_os = ${fields.supportedOs}, supported_accelerators = ${fields.supportedAccelerators},
      supported_app_version = ${fields.supportedAppVersion},
      supported_app_frontend_version = ${fields.supportedAppFrontendVersion},
      status_reason = null, findings = '[]', changed_at = now()
    where id = ${id} and archive_hash is null`);
}

export async function writeVersionText(
  tx: Queryable,
  id: VersionId,
  change: {
    readonly changelog: string | null;
    readonly deprecated: boolean | null;
    // If `deprecated` is true: when the version will be removed. Null leaves it unchanged.
    readonly sunsetAt: Date | null;
    readonly tags: readonly string[] | null;
  },
): Promise<void> {
  await tx.execute(sql`
    update node_versions set changelog = coalesce(${change.changelog}, changelog),
      deprecated = coalesce(${change.deprecated}, deprecated),
      deprecated_at = case when ${change.deprecated}::boolean then coalesce(deprecated_at, now())
        when not ${change.deprecated}::boolean then null else deprecated_at end,
      sunset_at = case when not ${change.deprecated}::boolean then null
        else coalesce(${change.sunsetAt}::timestamptz, sunset_at) end,
      tags = coalesce(${change.tags}, tags), changed_at = now()
    where id = ${id}`);
}

// Writes the operators' fields; absent fields keep their value.
export async function writeReviewed(
  tx: Queryable,
  id: VersionId,
  fields: Partial<ReviewedFields & Pick<StoredVersion, "tagsAdmin">>,
): Promise<void> {
  await tx.execute(sql`
    update node_versions set tags_admin = coalesce(${fields.tagsAdmin ?? null}, tags_admin),
      supported_os = coalesce(${fields.supportedOs ?? null}, supported_os),
      supported_accelerators = coalesce(${fields.supportedAccelerators ?? null}, supported_accelerators),
      supported_app_version = coalesce(${fields.supportedAppVersion ?? null}, supported_app_version),
      supported_app_frontend_version =
        coalesce(${fields.supportedAppFrontendVersion ?? null}, supported_app_frontend_version), changed_at = now()
    where id = ${id}`);
}

export interface Mover {
  readonly kind: "admin" | "publisher" | "checks" | "registry";
  readonly id: string | null;
  readonly name: string | null;
}

export interface StatusMove {
  readonly id: string;
  readonly versionId: VersionId;
  readonly before: NodeVersionStatus;
  readonly after: NodeVersionStatus;
  readonly reason: string | null;
  readonly by: Mover;
  readonly batchId: string | null;
}

export interface MadeMove extends StatusMove {
  readonly at: Date;
}

// Writes the status and its history line together. Any move answers an appeal; the readme goes when the bytes go.
export async function moveStatus(tx: Queryable, move: StatusMove): Promise<void> {
  const isDeleted = move.after === "NodeVersionStatusDeleted";
  await tx.execute(sql`
    update node_versions set status = ${move.after}, status_reason = ${move.reason}, appeal = null, appealed_at = null,
      readme = case when not ${isDeleted} then readme end, readme_file = case when not ${isDeleted} then readme_file end,
      changed_at = now()
    where id = ${move.versionId}`);
  await writeHistory(tx, move);
}

// The status and its reason stay; the history gets the publisher's words.
export async function putAppeal(tx: Queryable, appeal: StatusMove & { readonly reason: string }): Promise<void> {
  await tx.execute(sql`
    update node_versions set appeal = ${appeal.reason}, appealed_at = now(), changed_at = now()
    where id = ${appeal.versionId}`);
  await writeHistory(tx, appeal);
}

async function writeHistory(tx: Queryable, move: StatusMove): Promise<void> {
  await tx.execute(sql`
    insert into node_version_moves (id, version_id, status_before, status_after, reason, actor_kind, actor_id,
      actor_name, batch_id)
    values (${move.id}, ${move.versionId}, ${move.before}, ${move.after}, ${move.reason}, ${move.by.kind},
      ${move.by.id}, ${move.by.name}, ${move.batchId})`);
}

export interface DecidedVersion
  extends Pick<StoredVersion, "id" | "nodeId" | "version" | "status" | "statusReason" | "findings"> {
  // Of its publisher.
  readonly workspaceId: WorkspaceId;
  // Counts the lines of its history.
  readonly sequence: number;
  readonly at: Date;
}

// The version after a decision. Null if its node has no publisher.
export async function findDecided(tx: Queryable, versionId: VersionId): Promise<DecidedVersion | null> {
  const [row] = await tx.query<RowOf<DecidedVersion>>(sql`
    select v.id, n.node_id, v.version, v.status, v.status_reason, v.findings, p.workspace_id, v.changed_at as at,
      (select count(*)::int from node_version_moves m where m.version_id = v.id) as sequence
    from node_versions v join nodes n on n.id = v.node_id join publishers p on p.id = n.publisher_id
    where v.id = ${versionId} and p.deleted_at is null`);
  return row === undefined ? null : fromRow<DecidedVersion>(row);
}

export async function listMoves(db: Queryable, versionId: VersionId): Promise<MadeMove[]> {
  const rows = await db.query<MoveRow>(sql`
    select ${moveColumns} from node_version_moves where version_id = ${versionId} order by moved_at, id`);
  return rows.map(toMove);
}

// Newest first, so that undoing goes backwards.
export async function listBatch(db: Queryable, batchId: string): Promise<StatusMove[]> {
  const rows = await db.query<MoveRow>(sql`
    select ${moveColumns} from node_version_moves where batch_id = ${batchId} and undone_at is null
    order by moved_at desc, id desc`);
  return rows.map(toMove);
}

export async function markUndone(tx: Queryable, moveId: string): Promise<void> {
  await tx.execute(sql`update node_version_moves set undone_at = now() where id = ${moveId}`);
}

// Versions not yet deleted, of nodes deleted before the given time.
export async function listVersionsOfDeleted(db: Queryable, before: Date, limit: number): Promise<VersionId[]> {
  const rows = await db.query<{ id: string }>(sql`
    select version.id from nodes as node join node_versions as version on version.node_id = node.id
    where node.status = 'NodeStatusDeleted' and node.deleted_at < ${before}
      and version.status <> 'NodeVersionStatusDeleted'
    order by version.id limit ${limit}`);
  return rows.map(({ id }) => trustedId(id));
}

export async function lockNodeRow(tx: Queryable, id: NodeRowId): Promise<void> {
  await tx.query(sql`select id from nodes where id = ${id} for update`);
}

export async function listActiveNumbers(
  tx: Queryable,
  nodeRowId: NodeRowId,
): Promise<readonly { readonly id: VersionId; readonly version: string }[]> {
  return tx.query<{ id: VersionId; version: string }>(sql`
    select id, version from node_versions
    where node_id = ${nodeRowId} and status = 'NodeVersionStatusActive' and archive_hash is not null`);
}

export async function writeLatest(tx: Queryable, nodeRowId: NodeRowId, latest: VersionId | null): Promise<string> {
  const [row] = await tx.query<{ node_id_folded: string }>(sql`
    update nodes set latest_version_id = ${latest} where id = ${nodeRowId} returning node_id_folded`);
  return row?.node_id_folded ?? "";
}

const moveColumns = sql`id, version_id, moved_at as at, status_before as before, status_after as after, reason,
  json_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name) as by, batch_id`;

type MoveRow = RowOf<MadeMove>;

const toMove = fromRow<MadeMove>;

type LockedRow = RowOf<LockedVersion>;

const toLocked = fromRow<LockedVersion>;
