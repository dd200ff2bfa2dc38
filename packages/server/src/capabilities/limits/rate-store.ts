import type { Queryable } from "../../foundation/database/index.ts";
import { sql } from "../../foundation/database/index.ts";
import { trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import { type RateFamily, rateFamilies } from "./limit-names.ts";
import type { SharedBucket, Spending } from "./rate-buckets.ts";

// Adds what this process admitted to the shared buckets and returns how far each is spent. Concurrent exchanges add up: each
// waits for the row, in id order, so they cannot deadlock.
export async function addSpendings(db: Queryable, spendings: readonly Spending[]): Promise<SharedBucket[]> {
  const rows = await db.query<BucketRow>(sql`
    insert into rate_buckets as shared (workspace_id, family, added, spent_until)
    select workspace_id, family, spent_ms * interval '1 millisecond',
      now() + (spent_ms - since_ms) * interval '1 millisecond'
    from unnest(
      ${spendings.map(({ workspaceId }) => workspaceId)}::uuid[], ${spendings.map(({ family }) => family)}::text[],
      ${spendings.map(({ spentMs }) => spentMs)}::double precision[],
      ${spendings.map(({ sinceMs }) => sinceMs)}::double precision[]
    ) as spending (workspace_id, family, spent_ms, since_ms)
    order by workspace_id, family
    on conflict (workspace_id, family) do update set
      added = excluded.added,
      spent_until = greatest(shared.spent_until + excluded.added, excluded.spent_until)
    returning workspace_id, family, extract(epoch from spent_until - now())::double precision * 1000 as ahead_ms`);
  return rows.flatMap(toBucket);
}

// After a raised limit the same requests take less of the shared bucket; see rate-buckets.ts.
export async function shrinkSharedBucket(
  tx: Queryable,
  { workspaceId, family, share }: { workspaceId: WorkspaceId; family: RateFamily; share: number },
): Promise<void> {
  await tx.execute(sql`
    update rate_buckets set spent_until = now() + (spent_until - now()) * ${share}::double precision
    where workspace_id = ${workspaceId} and family = ${family} and spent_until > now()`);
}

// The buckets spent furthest, in any process: a process that never saw such a workspace must know about it too.
export async function listSpentBuckets(
  db: Queryable,
  most: { aheadSeconds: number; count: number },
): Promise<SharedBucket[]> {
  const rows = await db.query<BucketRow>(sql`
    select workspace_id, family, extract(epoch from spent_until - now())::double precision * 1000 as ahead_ms
    from rate_buckets where spent_until > now() + ${most.aheadSeconds}::double precision * interval '1 second'
    order by spent_until desc limit ${most.count}`);
  return rows.flatMap(toBucket);
}

// A drained bucket means the same as no bucket. Rows another process is adding to are left alone.
export async function forgetDrainedBuckets(db: Queryable): Promise<number> {
  return db.execute(sql`
    delete from rate_buckets where (workspace_id, family) in (
      select workspace_id, family from rate_buckets where spent_until < now() - interval '1 minute'
      order by spent_until limit 10000 for update skip locked
    )`);
}

interface BucketRow {
  readonly workspace_id: string;
  readonly family: string;
  readonly ahead_ms: number;
}

// Families that only a newer version knows are ignored.
function toBucket(row: BucketRow): SharedBucket[] {
  if (!Object.hasOwn(rateFamilies, row.family)) return [];
  return [{ workspaceId: trustedId(row.workspace_id), family: row.family as RateFamily, aheadMs: row.ahead_ms }];
}
