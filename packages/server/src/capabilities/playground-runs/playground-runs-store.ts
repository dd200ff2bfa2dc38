// Every statement names the workspace and the owner.
import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import type { PlaygroundRun, PlaygroundRunId, RunOwner } from "./playground-run.ts";

export async function insertRun(db: Queryable, run: Omit<PlaygroundRun, "at">): Promise<PlaygroundRun> {
  const [row] = await db.query<Row>(sql`
    insert into playground_runs (workspace_id, owner_id, id, model, input, request_id, credits, asset_ids)
    values (${run.workspaceId}, ${run.ownerId}, ${run.id}, ${run.model}, ${run.input}, ${run.requestId},
            ${run.credits === null ? null : String(run.credits)}::bigint, ${run.assetIds}::uuid[])
    returning workspace_id, owner_id, id, at, model, input, request_id, credits::text as credits, asset_ids`);
  if (!row) throw new Error("an insert returns its row");
  return toRun(row);
}

// Keeps the newest `rowsMax` of this owner.
export function deleteSurplusRuns(db: Queryable, { workspaceId, ownerId }: RunOwner, rowsMax: number): Promise<number> {
  return db.execute(sql`
    delete from playground_runs
    where workspace_id = ${workspaceId} and owner_id = ${ownerId} and id < (
      select id from playground_runs where workspace_id = ${workspaceId} and owner_id = ${ownerId}
      order by id desc offset ${rowsMax - 1} limit 1)`);
}

export async function listRuns(
  db: Queryable,
  { workspaceId, ownerId }: RunOwner,
  page: { readonly model: string | null; readonly before: PlaygroundRunId | null; readonly count: number },
): Promise<readonly PlaygroundRun[]> {
  const rows = await db.query<Row>(sql`
    select workspace_id, owner_id, id, at, model, input, request_id, credits::text as credits, asset_ids
    from playground_runs
    where workspace_id = ${workspaceId} and owner_id = ${ownerId}
      and (${page.model}::text is null or model = ${page.model})
      and (${page.before}::uuid is null or id < ${page.before})
    order by id desc limit ${page.count}`);
  return rows.map(toRun);
}

// All of the owner's if no id is given.
export function deleteRuns(
  db: Queryable,
  { workspaceId, ownerId }: RunOwner,
  id: PlaygroundRunId | null,
): Promise<number> {
  return db.execute(sql`
    delete from playground_runs
    where workspace_id = ${workspaceId} and owner_id = ${ownerId} and (${id}::uuid is null or id = ${id})`);
}

// Deletes one batch of old runs; fewer than `batchRows` means that nothing is left.
export function deleteOldRuns(
  db: Queryable,
  keep: { readonly days: number; readonly batchRows: number },
): Promise<number> {
  return db.execute(sql`
    delete from playground_runs where ctid = any(array(
      select ctid from playground_runs where at < now() - ${keep.days} * interval '1 day' limit ${keep.batchRows}))`);
}

type Row = RowOf<Omit<PlaygroundRun, "credits">> & { readonly credits: string | null };

function toRun({ credits, ...row }: Row): PlaygroundRun {
  return {
    ...fromRow<Omit<PlaygroundRun, "credits">>(row),
    credits: credits === null ? null : BigInt(credits),
  };
}
