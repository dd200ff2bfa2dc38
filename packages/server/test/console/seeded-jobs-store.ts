// Many jobs for lists: copies of one that really ran.
import { type Queryable, sql } from "../../src/foundation/database/index.ts";

// As many as one statement can do within its time limit.
const batch = 5_000;

// Ended jobs, older than everything else.
export async function copyEnded(db: Queryable, jobId: string, count: number): Promise<void> {
  for (let from = 1; from <= count; from += batch) await copySome(db, jobId, from, from + batch - 1);
}

async function copySome(db: Queryable, jobId: string, from: number, to: number): Promise<void> {
  await db.query(sql`
    insert into jobs select copy.* from jobs j cross join generate_series(${from}::int, ${to}::int) as n
      cross join lateral jsonb_populate_record(j, jsonb_build_object(
        'id', '00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'),
        'idempotency_key', null, 'metadata', 'seeded')) as copy
    where j.id = ${jobId}`);
}

// Running jobs of a worker that is never heard from. Without a lease, it is not missed.
export async function copyRunning(db: Queryable, jobId: string, count: number): Promise<void> {
  await db.query(sql`
    insert into jobs select copy.* from jobs j cross join generate_series(1, ${count}::int) as n
      cross join lateral jsonb_populate_record(j, jsonb_build_object(
        'id', 'ffffffff-0000-7000-8000-' || lpad(to_hex(n), 12, '0'),
        'idempotency_key', null, 'metadata', 'running ' || n, 'state', 'running', 'finished_at', null, 'progress', null,
        'worker_id', j.id, 'claimed_at', now(), 'started_at', now(), 'created_at', now(),
        'expires_at', now() + interval '1 day', 'due_at', now() + interval '1 day')) as copy
    where j.id = ${jobId}`);
}

// Advances all of them a little.
export async function advanceRunning(db: Queryable, share: number): Promise<void> {
  await db.query(sql`
    insert into job_live (job_id, progress)
    select id, jsonb_build_object('value', ${share}::float8, 'nodesDone', 1, 'nodesTotal', 4, 'currentNode', '2',
      'currentNodeClass', 'ImageAddNoise', 'step', ${Math.round(share * 100)}::int, 'steps', 100, 'message', null)
    from jobs where metadata like 'running %'
    on conflict (job_id) do update set progress = excluded.progress, version = job_live.version + 1`);
}

export async function removeSeeded(db: Queryable): Promise<void> {
  for (let gone = batch; gone === batch; ) {
    const rows = await db.query(sql`
      delete from jobs where id in (
        select id from jobs where metadata like 'running %' or metadata = 'seeded' limit ${batch}) returning 1 as one`);
    gone = rows.length;
  }
}
