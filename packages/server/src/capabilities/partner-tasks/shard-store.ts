// Which process asks partners about which tasks. One statement renews a holder's shards and takes those whose holder has
// gone silent. Two holders for a moment do no harm, since states only move forward.
import type { Queryable } from "../../foundation/database/database.ts";
import { sql } from "../../foundation/database/sql.ts";

export async function claimShards(
  db: Queryable,
  claim: { readonly holderId: string; readonly leaseSeconds: number },
): Promise<number[]> {
  const rows = await db.query<{ shard: number }>(sql`
    update partner_shards s
    set holder_id = ${claim.holderId}, held_until = now() + ${claim.leaseSeconds} * interval '1 second'
    where s.shard in (
      select shard from partner_shards where holder_id = ${claim.holderId} or held_until < now()
      for update skip locked)
    returning s.shard`);
  return rows.map(({ shard }) => shard).sort((one, other) => one - other);
}

export async function releaseShards(db: Queryable, holderId: string): Promise<void> {
  await db.execute(sql`
    update partner_shards set holder_id = null, held_until = '-infinity' where holder_id = ${holderId}`);
}
