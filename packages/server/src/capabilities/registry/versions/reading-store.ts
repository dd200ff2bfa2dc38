// What was read in the code of a version: its classes, what it can do, and which reader read it. A version is read with its
// verdict; older ones are claimed one by one, with a lease by the database's clock.
import { type Queryable, sql } from "../../../foundation/database/index.ts";
import type { NodeRowId } from "../nodes/stored-node.ts";
import type { CodeUse } from "../python/code-uses.ts";
import { type CodeReading, readerVersion } from "../python/read-code.ts";
import type { VersionId } from "./stored-version.ts";

// What an operator stored stays, and so does what members wrote: reading only adds what is missing. Null if the archive
// could not be opened.
export async function putReading(
  tx: Queryable,
  { id, nodeRowId, code }: { readonly id: VersionId; readonly nodeRowId: NodeRowId; readonly code: CodeReading | null },
): Promise<void> {
  const status = code?.extraction.status ?? "failed";
  const reasons = code?.extraction.reasons ?? ["The archive could not be read."];
  const [row] = await tx.query<{ is_operators: boolean }>(sql`
    update node_versions set reader = ${readerVersion}, reading_leased_until = null, capabilities = ${code?.capabilities ?? null},
      code_uses = ${code === null ? null : JSON.stringify(code.uses)}::jsonb,
      extract_status = case when extracted_by = 'operator' then extract_status else ${status} end,
      extract_reasons = case when extracted_by = 'operator' then extract_reasons else ${reasons} end,
      extracted_by = coalesce(extracted_by, 'reader'), changed_at = now()
    where id = ${id} returning extracted_by = 'operator' as is_operators`);
  if (code === null || row?.is_operators !== false || code.extraction.classes.length === 0) return;
  // A policy covers the class in every version of the node, so a new version starts with it.
  await tx.execute(sql`
    insert into node_descriptors (version_id, name, fields, policy)
    select ${id}, found.name, found.fields, coalesce((
        select earlier.policy from node_descriptors as earlier join node_versions as version on version.id = earlier.version_id
        where version.node_id = ${nodeRowId} and earlier.name = found.name
        order by earlier.changed_at desc, earlier.version_id desc limit 1), 'NodePolicyActive')
    from jsonb_to_recordset(${JSON.stringify(code.extraction.classes)}::jsonb) as found(name text, fields jsonb)
    on conflict (version_id, name) do update set fields = excluded.fields || node_descriptors.fields, changed_at = now()`);
}

export interface ClaimedReading {
  readonly id: VersionId;
  readonly attempts: number;
}

export async function claimReadings(
  db: Queryable,
  claim: { readonly count: number; readonly leaseSeconds: number },
): Promise<readonly ClaimedReading[]> {
  return db.query<ClaimedReading>(sql`
    update node_versions set reading_attempts = case when reading_leased_until is null then 1 else reading_attempts + 1 end,
      reading_leased_until = now() + ${claim.leaseSeconds} * interval '1 second'
    where id in (
      select id from node_versions
      where reader < ${readerVersion} and archive_hash is not null and status <> 'NodeVersionStatusDeleted'
        and checked_at is not null and (reading_leased_until is null or reading_leased_until < now())
      order by created_at desc, id desc limit ${claim.count} for update skip locked)
    returning id, reading_attempts as attempts`);
}

export async function findUses(db: Queryable, id: VersionId): Promise<readonly CodeUse[] | null> {
  const [row] = await db.query<{ code_uses: readonly CodeUse[] | null }>(sql`
    select code_uses from node_versions where id = ${id}`);
  return row?.code_uses ?? null;
}
