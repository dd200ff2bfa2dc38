// What the database rows say about a test's queued model calls.
import assert from "node:assert/strict";
import { type Queryable, sql } from "../../src/foundation/database/index.ts";
import { allInvariants } from "../../src/processes/invariants.ts";

// Checks every invariant of the system.
export async function invariantsHold(db: Queryable): Promise<void> {
  for (const { name, statement } of allInvariants) assert.deepEqual(await db.query(statement), [], name);
}

// Makes a request look as if it had been submitted that much earlier.
export async function ageRequest(db: Queryable, id: string, seconds: number): Promise<void> {
  await db.execute(sql`
    update model_requests set created_at = created_at - ${seconds} * interval '1 second',
      completed_at = completed_at - ${seconds} * interval '1 second' where id = ${id}`);
}

export async function startedOrder(db: Queryable, workspaceId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from model_requests where workspace_id = ${workspaceId} and started_at is not null order by started_at, id`);
  return rows.map(({ id }) => id);
}

export async function bodyBlobs(db: Queryable): Promise<number> {
  return (await db.query(sql`select 1 from blob_references where holder_kind = 'model-request'`)).length;
}

export async function requestRows(db: Queryable): Promise<number> {
  return (await db.query(sql`select 1 from model_requests`)).length;
}
