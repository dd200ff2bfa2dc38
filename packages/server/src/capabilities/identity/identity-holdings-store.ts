// A workspace's people, keys and name.
import { type Queryable, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { RestoreBatch, WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";
import { deletedName } from "./deleted-name.ts";

export const identityHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "workspace",
      rows: (id, after, count) => sql`
        select id::text as position, id, name, created_at from workspaces
        where id = ${id} and id::text > ${after} limit ${count}`,
      restore: {
        read: (tx, { workspaceId, json }) =>
          tx.execute(sql`
            insert into workspaces (id, name, created_at)
            select ${workspaceId}::uuid, name, created_at
            from jsonb_to_recordset(${json}::jsonb) as r (id uuid, name text, created_at timestamptz)
            where id = ${workspaceId}`),
      },
    },
    {
      name: "members",
      rows: (id, after, count) => sql`
        select p.id::text as position, p.id, p.name, p.email, m.role, m.created_at, m.removed_at, m.accepted_at
        from members m join people p on p.id = m.person_id
        where m.workspace_id = ${id} and p.id::text > ${after} order by p.id::text limit ${count}`,
      restore: { read: restoreMembers },
    },
    {
      name: "keys",
      rows: (id, after, count) => sql`
        select id::text as position, id, name, prefix, role, scopes, created_at, last_used_at, expires_at, revoked_at
        from api_keys where workspace_id = ${id} and ancestors is null and id::text > ${after} order by id::text limit ${count}`,
      restore: "keys are not exported, only their names: make new ones",
    },
    {
      name: "service accounts",
      rows: (id, after, count) => sql`
        select id::text as position, id, name, role, created_by, created_at, removed_at
        from service_accounts where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
      restore: {
        people: ["created_by"],
        read: (tx, { workspaceId, json }) =>
          tx.execute(sql`
            insert into service_accounts (id, workspace_id, name, role, created_by, created_at, removed_at)
            select id, ${workspaceId}::uuid, name, role, (select p.id from people p where p.id = r.created_by), created_at,
              removed_at
            from jsonb_to_recordset(${json}::jsonb) as r (id uuid, name text, role text, created_by uuid,
              created_at timestamptz, removed_at timestamptz)`),
      },
    },
    {
      name: "tokens",
      rows: (id, after, count) => sql`
        select id::text as position, id, prefix, ancestors, restrictions, origins, created_at, expires_at, revoked_at
        from api_keys where workspace_id = ${id} and ancestors is not null and id::text > ${after}
        order by id::text limit ${count}`,
      restore: "tokens end within a day, and with their keys",
    },
  ],
  // Deletes keys, memberships, and people who are in no other workspace, with their sessions and links. Someone whom an
  // external issuer vouches for and whom another workspace removed stays known, so that their next token does not let
  // them in there.
  async release(tx, id) {
    const keys = await tx.execute(sql`delete from api_keys where workspace_id = ${id}`);
    await tx.execute(sql`delete from service_accounts where workspace_id = ${id}`);
    await tx.execute(sql`update sessions set workspace_id = null where workspace_id = ${id}`);
    const people = await tx.execute(sql`
      delete from people p using members m where m.workspace_id = ${id} and m.person_id = p.id
        and not exists (select from members o where o.person_id = p.id and o.workspace_id <> ${id}
          and (o.removed_at is null or p.issuer is not null))`);
    await tx.execute(sql`delete from members where workspace_id = ${id}`);
    return { keys, people };
  },
};

// Someone is the person who has this id here, or who alone has this e-mail address; otherwise they are new. If several have the
// address, we do not guess who is meant. An export cannot make an operator, or vouch for a person.
async function restoreMembers(tx: Queryable, { workspaceId, json, people }: RestoreBatch): Promise<number> {
  const met = await tx.query<{ id: string; known: string | null }>(sql`
    select r.id, coalesce(
      (select p.id from people p where p.id = r.id),
      (select (array_agg(p.id))[1] from people p where lower(p.email) = lower(r.email) having count(*) = 1)) as known
    from jsonb_to_recordset(${json}::jsonb) as r (id uuid, email text)`);
  for (const { id, known } of met) if (known !== null && known !== id) people.set(id, known);
  await tx.execute(sql`
    insert into people (id, name, email, created_at)
    select id, name, email, created_at
    from jsonb_to_recordset(${json}::jsonb) as r (id uuid, name text, email text, created_at timestamptz)
    where id = any (${met.flatMap(({ id, known }) => (known === null ? [id] : []))}::uuid[])`);
  return tx.execute(sql`
    insert into members (workspace_id, person_id, role, created_at, removed_at, accepted_at)
    select ${workspaceId}::uuid, met.known, role, created_at, removed_at, accepted_at
    from jsonb_to_recordset(${json}::jsonb) as r (id uuid, role text, created_at timestamptz, removed_at timestamptz,
      accepted_at timestamptz)
    join unnest(${met.map(({ id }) => id)}::uuid[], ${met.map(({ id, known }) => known ?? id)}::uuid[]) as met (id, known)
      on met.id = r.id`);
}

// Returns its name, and how many other workspaces there are.
export async function lockWorkspaceToDelete(
  tx: Queryable,
  id: WorkspaceId,
): Promise<{ readonly name: string; readonly others: number } | null> {
  const [row] = await tx.query<{ name: string; others: number }>(sql`
    select name, (select count(*)::int from workspaces o where o.id <> ${id} and o.name <> ${deletedName}) as others
    from workspaces where id = ${id} for update`);
  return row ?? null;
}

export async function forgetWorkspaceName(tx: Queryable, id: WorkspaceId): Promise<void> {
  await tx.execute(sql`
    update workspaces set name = ${deletedName}, entitlements = '{}', issuer = null, external_id = null where id = ${id}`);
}
