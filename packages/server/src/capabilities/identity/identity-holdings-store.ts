// A workspace's people, keys and name.
import { type Queryable, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";
import { deletedName } from "./deleted-name.ts";

export const identityHoldings: WorkspaceHoldings = {
  exports: [
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
        from api_keys where workspace_id = ${id} and ancestors is null and id::text > ${after} order by id::text limit ${count}`,
    },
    {
      name: "service accounts",
      rows: (id, after, count) => sql`
        select id::text as position, id, name, role, created_at, removed_at
        from service_accounts where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
    },
    {
      name: "tokens",
      rows: (id, after, count) => sql`
        select id::text as position, id, prefix, ancestors, restrictions, origins, created_at, expires_at, revoked_at
        from api_keys where workspace_id = ${id} and ancestors is not null and id::text > ${after}
        order by id::text limit ${count}`,
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
