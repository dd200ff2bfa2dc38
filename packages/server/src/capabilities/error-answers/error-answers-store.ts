// Errors as their callers saw them. Every read names its workspace.
import type { Queryable } from "../../foundation/database/index.ts";
import { fromRow, type RowOf, sql } from "../../foundation/database/index.ts";
import type { AnsweredError } from "../../foundation/http/answered-error.ts";
import type { RequestId, WorkspaceId } from "../../foundation/ids.ts";
import type { ErrorFilter, StoredError } from "./stored-error.ts";

export async function insertErrors(db: Queryable, errors: readonly AnsweredError[]): Promise<void> {
  await db.execute(sql`
    insert into error_answers (request_id, workspace_id, api_key_id, method, path, status, code, message, fields)
    select * from unnest(
      ${errors.map(({ requestId }) => requestId)}::uuid[],
      ${errors.map(({ workspaceId }) => workspaceId)}::uuid[],
      ${errors.map(({ apiKeyId }) => apiKeyId)}::uuid[],
      ${errors.map(({ method }) => method)}::text[],
      ${errors.map(({ path }) => path)}::text[],
      ${errors.map(({ status }) => status)}::int[],
      ${errors.map(({ code }) => code)}::text[],
      ${errors.map(({ message }) => message)}::text[],
      ${errors.map(({ fields }) => (fields.length === 0 ? null : JSON.stringify(fields)))}::jsonb[]
    ) as given
    on conflict do nothing`);
}

export async function findError(
  db: Queryable,
  wanted: { readonly workspaceId: WorkspaceId; readonly requestId: RequestId },
): Promise<StoredError | null> {
  const [row] = await db.query<Row>(sql`
    select request_id, workspace_id, at, api_key_id, method, path, status, code, message, fields from error_answers
    where workspace_id = ${wanted.workspaceId} and request_id = ${wanted.requestId}`);
  return row ? toError(row) : null;
}

// Newest first. Ids begin with their time, so they are also the position.
export async function listErrors(
  db: Queryable,
  { workspaceId, status, apiKeyId }: ErrorFilter,
  page: { readonly before: RequestId | null; readonly count: number },
): Promise<readonly StoredError[]> {
  const rows = await db.query<Row>(sql`
    select request_id, workspace_id, at, api_key_id, method, path, status, code, message, fields from error_answers
    where workspace_id = ${workspaceId}
      and (${page.before}::uuid is null or request_id < ${page.before})
      and (${status ?? null}::int is null or status = ${status ?? null})
      and (${apiKeyId ?? null}::uuid is null or api_key_id = ${apiKeyId ?? null})
    order by request_id desc limit ${page.count}`);
  return rows.map(toError);
}

// Deletes one batch of old errors; fewer than `batchRows` means that nothing is left.
export function deleteOldErrors(
  db: Queryable,
  keep: { readonly days: number; readonly batchRows: number },
): Promise<number> {
  return db.execute(sql`
    delete from error_answers where ctid = any(array(
      select ctid from error_answers where at < now() - ${keep.days} * interval '1 day' limit ${keep.batchRows}))`);
}

// For each workspace with more than `rowsMax` errors, deletes the oldest. Ids begin with their time.
export function deleteSurplusErrors(db: Queryable, rowsMax: number): Promise<number> {
  return db.execute(sql`
    delete from error_answers e using (
      select full_one.workspace_id, (
        select request_id from error_answers newest where newest.workspace_id = full_one.workspace_id
        order by request_id desc offset ${rowsMax - 1} limit 1) as oldest
      from (select workspace_id from error_answers group by workspace_id having count(*) > ${rowsMax}) full_one
    ) bound
    where e.workspace_id = bound.workspace_id and e.request_id < bound.oldest`);
}

interface Row extends RowOf<Omit<StoredError, "fields">> {
  readonly fields: StoredError["fields"] | null;
}

function toError({ fields, ...row }: Row): StoredError {
  return { ...fromRow<Omit<StoredError, "fields">>(row), fields: fields ?? [] };
}
