import { fromRow, joinSql, type Queryable, type RowOf, type Statement, sql } from "../../foundation/database/index.ts";
import type { AuditEntry, AuditFilter, AuditPosition } from "./audit-entry.ts";

// The timestamp is the database's, so that entries of all servers share one clock.
export async function insertEntry(db: Queryable, entry: Omit<AuditEntry, "at">): Promise<void> {
  await db.execute(sql`
    insert into audit_entries (
      id, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, workspace_id, before, after, request_id
    ) values (
      ${entry.id}, ${entry.actor.kind}, ${entry.actor.id}, ${entry.actor.name}, ${entry.action},
      ${entry.subject.kind}, ${entry.subject.id}, ${entry.workspaceId},
      ${jsonText(entry.before)}::jsonb, ${jsonText(entry.after)}::jsonb, ${entry.requestId}
    )`);
}

// Newest first. Each set of filters is a separate statement, so that each uses its index.
export async function listEntries(
  db: Queryable,
  query: { filter: AuditFilter; before: AuditPosition | null; count: number },
): Promise<AuditEntry[]> {
  const conditions = [...conditionsOf(query.filter)];
  if (query.before) conditions.push(sql`(at, id) < (${query.before.at}::timestamptz, ${query.before.id}::uuid)`);
  const where = conditions.length === 0 ? sql`` : sql`where ${joinSql(conditions, sql` and `)}`;
  const rows = await db.query<RowOf<AuditEntry>>(sql`
    select id, at, json_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name) as actor, action,
      json_build_object('kind', subject_kind, 'id', subject_id) as subject, workspace_id, before, after, request_id
    from audit_entries ${where} order by at desc, id desc limit ${query.count}`);
  return rows.map(fromRow<AuditEntry>);
}

// Only this database function may delete entries; see the migration. It writes, so it belongs in a transaction, where a
// statement never shares its connection.
export async function forgetEntries(tx: Queryable, keep: { keepDays: number; batchRows: number }): Promise<number> {
  const rows = await tx.query<{ forgotten: number }>(sql`
    select forget_audit_entries(${keep.keepDays}::integer, ${keep.batchRows}::integer) as forgotten`);
  return rows[0]?.forgotten ?? 0;
}

function conditionsOf(filter: AuditFilter): Statement[] {
  const conditions: Statement[] = [];
  if (filter.workspaceId !== undefined) conditions.push(sql`workspace_id = ${filter.workspaceId}`);
  if (filter.actorKind !== undefined) conditions.push(sql`actor_kind = ${filter.actorKind}`);
  if (filter.actorId !== undefined) conditions.push(sql`actor_id = ${filter.actorId}`);
  if (filter.action !== undefined) conditions.push(sql`action = ${filter.action}`);
  if (filter.subjectKind !== undefined) conditions.push(sql`subject_kind = ${filter.subjectKind}`);
  if (filter.subjectId !== undefined) conditions.push(sql`subject_id = ${filter.subjectId}`);
  if (filter.requestId !== undefined) conditions.push(sql`request_id = ${filter.requestId}`);
  if (filter.since !== undefined) conditions.push(sql`at >= ${filter.since}`);
  if (filter.until !== undefined) conditions.push(sql`at < ${filter.until}`);
  return conditions;
}

function jsonText(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
