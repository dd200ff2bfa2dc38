// What the router bench needs from the gateway's database: its first workspace, with limits high enough not to matter.
import { putOverride } from "../packages/server/src/capabilities/limits/limit-store.ts";
import type { Database } from "../packages/server/src/foundation/database/index.ts";
import { sql } from "../packages/server/src/foundation/database/sql.ts";
import type { WorkspaceId } from "../packages/server/src/foundation/ids.ts";

export async function liftLimits(database: Database): Promise<void> {
  const rows = await database.query<{ id: WorkspaceId }>(sql`select id from workspaces`);
  for (const { id: workspaceId } of rows) {
    await putOverride(database, { workspaceId, name: "router_and_partner_requests_per_minute", value: 1_000_000_000 });
    await putOverride(database, { workspaceId, name: "concurrency", value: 1_000 });
    await putOverride(database, { workspaceId, name: "queued_requests", value: 1_000_000 });
  }
}

// For many calls at once.
export async function liftStreams(database: Database, value: number): Promise<void> {
  const rows = await database.query<{ id: WorkspaceId }>(sql`select id from workspaces`);
  for (const { id: workspaceId } of rows) await putOverride(database, { workspaceId, name: "concurrency", value });
}

export async function countOpenRequests(database: Database): Promise<number> {
  const [row] = await database.query<{ open: string }>(
    sql`select count(*) as open from model_requests where state in ('queued', 'running')`,
  );
  return Number(row?.open ?? 0);
}

// Forces a checkpoint, with its effect on concurrent writes.
export async function checkpointNow(database: Database): Promise<void> {
  await database.execute(sql`checkpoint`);
}
