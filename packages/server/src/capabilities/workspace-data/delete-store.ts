import type { Queryable } from "../../foundation/database/database.ts";
import { sql } from "../../foundation/database/sql.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";

export interface LockedWorkspace {
  readonly name: string;
  readonly others: number;
}

export async function lockWorkspaceRow(
  db: Queryable,
  id: WorkspaceId,
  deletedName: string,
): Promise<LockedWorkspace | null> {
  const [row] = await db.query<{ name: string; others: number }>(sql`
    select name, (select count(*)::int from workspaces o where o.id <> ${id} and o.name <> ${deletedName}) as others
    from workspaces where id = ${id} for update`);
  return row ?? null;
}

export interface OpenWork {
  readonly jobs: number;
  readonly calls: number;
  readonly tasks: number;
  readonly deployments: number;
  readonly publishers: number;
}

export async function countOpenWork(db: Queryable, id: WorkspaceId): Promise<OpenWork> {
  const [row] = await db.query<OpenWork>(sql`
    select
      (select count(*)::int from jobs where workspace_id = ${id} and finished_at is null) as jobs,
      (select coalesce(sum(in_flight), 0)::int from wallets where workspace_id = ${id}) as calls,
      (select count(*)::int from partner_tasks where workspace_id = ${id} and ended_at is null) as tasks,
      (select count(*)::int from deployments where workspace_id = ${id}) as deployments,
      (select count(*)::int from publishers where workspace_id = ${id}) as publishers`);
  return row ?? { jobs: 0, calls: 0, tasks: 0, deployments: 0, publishers: 0 };
}

// Keys, memberships, and the people who are in no other workspace, with their sessions and links. Whom an external
// issuer vouches for and another workspace has removed stays known, so that the next token does not let them in there.
export async function deletePeopleAndKeys(db: Queryable, id: WorkspaceId): Promise<{ keys: number; people: number }> {
  const keys = await db.execute(sql`delete from api_keys where workspace_id = ${id}`);
  await db.execute(sql`update sessions set workspace_id = null where workspace_id = ${id}`);
  const people = await db.execute(sql`
    delete from people p using members m where m.workspace_id = ${id} and m.person_id = p.id
      and not exists (select from members o where o.person_id = p.id and o.workspace_id <> ${id}
        and (o.removed_at is null or p.issuer is not null))`);
  await db.execute(sql`delete from members where workspace_id = ${id}`);
  return { keys, people };
}

// What is small and belongs to nobody else goes at once.
export async function deleteSettings(db: Queryable, id: WorkspaceId): Promise<void> {
  await db.execute(sql`delete from limit_overrides where workspace_id = ${id}`);
  await db.execute(sql`delete from workspace_provider_credentials where workspace_id = ${id}`);
  await db.execute(sql`delete from webhook_queue where workspace_id = ${id}`);
  await db.execute(sql`delete from webhook_attempts where workspace_id = ${id}`);
  await db.execute(sql`delete from webhook_deliveries where workspace_id = ${id}`);
  await db.execute(sql`delete from webhook_receivers where workspace_id = ${id}`);
  await db.execute(sql`delete from webhook_secrets where workspace_id = ${id}`);
  await db.execute(sql`delete from storage_tickets where workspace_id = ${id}`);
  await db.execute(sql`delete from partner_tasks where workspace_id = ${id} and ended_at is not null`);
}

// Jobs and files become due: the sweepers of their own capabilities remove them, with everything that hangs on them.
export async function expireJobsAndFiles(
  db: Queryable,
  id: WorkspaceId,
  now: Date,
): Promise<{ jobs: number; assets: number }> {
  const jobs = await db.execute(sql`
    update jobs set expires_at = least(expires_at, ${now}), due_at = ${now}, webhook_url = null, metadata = null
    where workspace_id = ${id}`);
  const assets = await db.execute(sql`update assets set expires_at = ${now}, tags = '{}' where workspace_id = ${id}`);
  await db.execute(sql`update asset_uploads set expires_at = least(expires_at, ${now}) where workspace_id = ${id}`);
  return { jobs, assets };
}

export async function forgetName(db: Queryable, id: WorkspaceId, name: string): Promise<void> {
  await db.execute(sql`
    update workspaces set name = ${name}, entitlements = '{}', issuer = null, external_id = null where id = ${id}`);
}
