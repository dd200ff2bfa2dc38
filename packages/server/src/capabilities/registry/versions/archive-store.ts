// Archives of versions: announced, uploaded once, checked once. An archive without a verdict is claimed by one process;
// the lease says who until when, by the clock of the database, so that a process that died holds nothing up for long.
import type { NodeStatus, NodeVersionStatus } from "@atelier/contract";
import { type Queryable, sql } from "../../../foundation/database/index.ts";
import { trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Finding } from "../checks/finding.ts";
import type { NodeRowId } from "../nodes/stored-node.ts";
import type { VersionId } from "./stored-version.ts";

export interface ArchiveRecord {
  readonly id: VersionId;
  readonly nodeRowId: NodeRowId;
  readonly nodeId: string;
  readonly nodeStatus: NodeStatus;
  readonly publisherId: string | null;
  readonly publisherIsBanned: boolean;
  // Whose limits count for it.
  readonly workspaceId: WorkspaceId | null;
  readonly visibleTo: WorkspaceId | null;
  readonly version: string;
  readonly status: NodeVersionStatus;
  readonly archive: { readonly hash: string; readonly size: number } | null;
}

const archiveColumns = sql`version.id, version.node_id as node_row_id, node.node_id, node.status as node_status,
  node.publisher_id, coalesce(publisher.status = 'PublisherStatusBanned', false) as publisher_is_banned,
  publisher.workspace_id, node.visible_to, version.version, version.status,
  encode(version.archive_hash, 'hex') as archive_hash, version.archive_size`;
const archiveTables = sql`node_versions as version join nodes as node on node.id = version.node_id
  left join publishers as publisher on publisher.id = node.publisher_id`;

export async function findArchive(db: Queryable, id: VersionId): Promise<ArchiveRecord | null> {
  const [row] = await db.query<ArchiveRow>(sql`
    select ${archiveColumns} from ${archiveTables} where version.id = ${id}`);
  return row === undefined ? null : toRecord(row);
}

// The caller holds the row. The one who uploads is the first to check.
export async function putArchive(
  tx: Queryable,
  archive: { id: VersionId; hash: string; size: number; leaseSeconds: number },
): Promise<void> {
  await tx.execute(sql`
    update node_versions set archive_hash = decode(${archive.hash}, 'hex'), archive_size = ${archive.size},
      uploaded_at = now(), check_attempts = 1, check_leased_until = now() + ${archive.leaseSeconds} * interval '1 second',
      checked_at = null, findings = '[]', status_reason = null, changed_at = now()
    where id = ${archive.id} and archive_hash is null`);
}

// The bytes were no archive: the number is free to be uploaded again.
export async function dropArchive(
  tx: Queryable,
  drop: { id: VersionId; reason: string; findings: readonly Finding[] },
): Promise<void> {
  await tx.execute(sql`
    update node_versions set archive_hash = null, archive_size = null, uploaded_at = null, check_leased_until = null,
      status_reason = ${drop.reason}, findings = ${JSON.stringify(drop.findings)}::jsonb, changed_at = now()
    where id = ${drop.id}`);
}

export async function putVerdict(
  tx: Queryable,
  verdict: { id: VersionId; ruleSet: string; findings: readonly Finding[] },
): Promise<void> {
  await tx.execute(sql`
    update node_versions set checked_at = now(), rule_set = ${verdict.ruleSet}, check_leased_until = null,
      findings = ${JSON.stringify(verdict.findings)}::jsonb, changed_at = now()
    where id = ${verdict.id}`);
}

export async function renewCheck(db: Queryable, id: VersionId, leaseSeconds: number): Promise<void> {
  await db.execute(sql`
    update node_versions set check_leased_until = now() + ${leaseSeconds} * interval '1 second'
    where id = ${id} and checked_at is null and check_leased_until is not null`);
}

// Gives the check back to the next process, after a pause.
export async function releaseCheck(db: Queryable, id: VersionId, pauseSeconds: number): Promise<void> {
  await db.execute(sql`
    update node_versions set check_leased_until = now() + ${pauseSeconds} * interval '1 second'
    where id = ${id} and checked_at is null`);
}

export interface ClaimedCheck {
  readonly id: VersionId;
  readonly attempts: number;
}

export async function claimChecks(
  db: Queryable,
  claim: { readonly count: number; readonly leaseSeconds: number; readonly minAgeSeconds: number },
): Promise<readonly ClaimedCheck[]> {
  const rows = await db.query<{ id: string; check_attempts: number }>(sql`
    update node_versions set check_attempts = check_attempts + 1,
      check_leased_until = now() + ${claim.leaseSeconds} * interval '1 second'
    where id in (
      select id from node_versions
      where archive_hash is not null and checked_at is null
        and (check_leased_until is null or check_leased_until < now())
        and uploaded_at <= now() - ${claim.minAgeSeconds} * interval '1 second'
      order by uploaded_at limit ${claim.count} for update skip locked)
    returning id, check_attempts`);
  return rows.map(({ id, check_attempts }) => ({ id: trustedId(id), attempts: check_attempts }));
}

interface ArchiveRow {
  readonly id: string;
  readonly node_row_id: string;
  readonly node_id: string;
  readonly node_status: NodeStatus;
  readonly publisher_id: string | null;
  readonly publisher_is_banned: boolean;
  readonly workspace_id: string | null;
  readonly visible_to: string | null;
  readonly version: string;
  readonly status: NodeVersionStatus;
  readonly archive_hash: string | null;
  readonly archive_size: string | null;
}

function toRecord(row: ArchiveRow): ArchiveRecord {
  return {
    id: trustedId(row.id),
    nodeRowId: trustedId(row.node_row_id),
    nodeId: row.node_id,
    nodeStatus: row.node_status,
    publisherId: row.publisher_id,
    publisherIsBanned: row.publisher_is_banned,
    workspaceId: row.workspace_id === null ? null : trustedId(row.workspace_id),
    visibleTo: row.visible_to === null ? null : trustedId(row.visible_to),
    version: row.version,
    status: row.status,
    archive: row.archive_hash === null ? null : { hash: row.archive_hash, size: Number(row.archive_size) },
  };
}
