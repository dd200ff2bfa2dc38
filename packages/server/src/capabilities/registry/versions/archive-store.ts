// Archives of versions: announced, uploaded once, checked once. One process claims an archive that has no verdict yet.
// The claim is a lease by the database's clock, so a process that dies blocks the check only briefly.
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { Finding } from "../checks/finding.ts";
import type { Readme } from "../checks/readme.ts";
import type { StoredVersion, VersionId } from "./stored-version.ts";

type OfVersion = "id" | "nodeRowId" | "nodeId" | "nodeStatus" | "publisherId" | "visibleTo" | "version" | "status";

export interface ArchiveRecord extends Pick<StoredVersion, OfVersion | "archive"> {
  readonly publisherIsBanned: boolean;
  // The workspace whose limits apply.
  readonly workspaceId: WorkspaceId | null;
}

// In JSON the size comes back as a number; selected by name it would come back as text.
export const archiveColumn = sql`case when version.archive_hash is not null then json_build_object(
  'hash', encode(version.archive_hash, 'hex'), 'size', version.archive_size) end as archive`;
const archiveColumns = sql`version.id, version.node_id as node_row_id, node.node_id, node.status as node_status,
  node.publisher_id, coalesce(publisher.status = 'PublisherStatusBanned', false) as publisher_is_banned,
  publisher.workspace_id, node.visible_to, version.version, version.status, ${archiveColumn}`;
export const versionTables = sql`node_versions as version join nodes as node on node.id = version.node_id
  left join publishers as publisher on publisher.id = node.publisher_id`;

export async function findArchive(db: Queryable, id: VersionId): Promise<ArchiveRecord | null> {
  const [row] = await db.query<RowOf<ArchiveRecord>>(sql`
    select ${archiveColumns} from ${versionTables} where version.id = ${id}`);
  return row === undefined ? null : fromRow<ArchiveRecord>(row);
}

// The caller must hold the row lock. The process that uploads also gets the first lease to check.
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

// The bytes were not an archive, so the number can be uploaded again.
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
  verdict: { id: VersionId; ruleSet: string; findings: readonly Finding[]; readme: Readme | null },
): Promise<void> {
  await tx.execute(sql`
    update node_versions set checked_at = now(), rule_set = ${verdict.ruleSet}, check_leased_until = null,
      findings = ${JSON.stringify(verdict.findings)}::jsonb, readme_file = ${verdict.readme?.file ?? null},
      readme = ${verdict.readme?.text ?? null}, readme_is_cut = ${verdict.readme?.isCut ?? false}, changed_at = now()
    where id = ${verdict.id}`);
}

export async function renewCheck(db: Queryable, id: VersionId, leaseSeconds: number): Promise<void> {
  await db.execute(sql`
    update node_versions set check_leased_until = now() + ${leaseSeconds} * interval '1 second'
    where id = ${id} and checked_at is null and check_leased_until is not null`);
}

// Gives up the lease, so that the next process can check after a pause.
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
  return db.query<ClaimedCheck>(sql`
    update node_versions set check_attempts = check_attempts + 1,
      check_leased_until = now() + ${claim.leaseSeconds} * interval '1 second'
    where id in (
      select id from node_versions
      where archive_hash is not null and checked_at is null
        and (check_leased_until is null or check_leased_until < now())
        and uploaded_at <= now() - ${claim.minAgeSeconds} * interval '1 second'
      order by uploaded_at limit ${claim.count} for update skip locked)
    returning id, check_attempts as attempts`);
}
