import type { Queryable } from "../../foundation/database/database.ts";
import { type Statement, sql } from "../../foundation/database/sql.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";

export type ExportRow = Readonly<Record<string, unknown>> & { readonly position: string };

export interface ExportTable {
  readonly name: string;
  // Rows in the order of `position`, those behind `after` only; "" is before all.
  rows(workspaceId: WorkspaceId, after: string, count: number): Statement;
}

// Columns are named one by one: hashes of keys, sealed secrets and fingerprints never leave.
export const exportTables: readonly ExportTable[] = [
  {
    name: "workspace",
    rows: (id, after, count) => sql`
      select id::text as position, id, name, created_at from workspaces
      where id = ${id} and id::text > ${after} limit ${count}`,
  },
  {
    name: "members",
    rows: (id, after, count) => sql`
      select p.id::text as position, p.id, p.name, p.email, m.role, m.created_at, m.removed_at
      from members m join people p on p.id = m.person_id
      where m.workspace_id = ${id} and p.id::text > ${after} order by p.id::text limit ${count}`,
  },
  {
    name: "keys",
    rows: (id, after, count) => sql`
      select id::text as position, id, name, prefix, role, scopes, created_at, last_used_at, expires_at, revoked_at
      from api_keys where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
  },
  {
    name: "jobs",
    rows: (id, after, count) => sql`
      select j.id::text as position, j.id, j.state, j.priority, j.metadata, j.webhook_url, j.created_at, j.started_at,
        j.finished_at, j.expires_at, j.problem, convert_from(coalesce(g.executed, g.submitted), 'UTF8') as graph
      from jobs j left join job_graphs g on g.job_id = j.id
      where j.workspace_id = ${id} and j.id::text > ${after} order by j.id::text limit ${count}`,
  },
  {
    name: "assets",
    rows: (id, after, count) => sql`
      select id::text as position, id, encode(hash, 'hex') as hash, size, content_type, file_path, tags, job_id,
        created_at, expires_at
      from assets where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
  },
  {
    name: "partner-tasks",
    rows: (id, after, count) => sql`
      select id::text as position, id, partner, operation, state, body, created_at, ended_at
      from partner_tasks where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
  },
  {
    name: "webhook-deliveries",
    rows: (id, after, count) => sql`
      select id::text as position, id, subject_id, sequence, type, url, status, attempts, last_status, last_error,
        created_at, delivered_at, convert_from(body, 'UTF8') as body
      from webhook_deliveries where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
  },
  {
    name: "usage",
    rows: (id, after, count) => sql`
      select id::text as position, id, request_id, call_id, api_key_id, subject, outcome, status, credits::text as credits,
        is_replay, at, total_ms, provider_ms, refused_account
      from usage where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
  },
  {
    name: "journal",
    rows: (id, after, count) => sql`
      select transaction_id || ' ' || kind as position, transaction_id, kind, debit, credit, amount::text as amount, at
      from journal where workspace_id = ${id} and transaction_id || ' ' || kind > ${after}
      order by transaction_id || ' ' || kind limit ${count}`,
  },
];

export async function readExportRows(
  db: Queryable,
  table: ExportTable,
  page: { readonly workspaceId: WorkspaceId; readonly after: string; readonly count: number },
): Promise<readonly ExportRow[]> {
  return db.query<ExportRow>(table.rows(page.workspaceId, page.after, page.count));
}
