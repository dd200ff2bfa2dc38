// What identity holds about a person, and how they are erased: their row stays under its id, as a pseudonym, without everything
// that says who it was.
import { type Queryable, sql } from "../../../foundation/database/index.ts";
import { type ErasedPerson, erasedName, type PersonHoldings } from "../../../foundation/database/person-holdings.ts";
import { type KeyId, type PersonId, trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { SessionId } from "../principal.ts";

export const identityPersonHoldings: PersonHoldings = {
  exports: [
    {
      name: "profile",
      rows: ({ id }, count) => sql`
        select id, name, email, issuer, subject, created_at, first_signed_in_at, is_operator, is_auditor
        from people where id = ${id} limit ${count}`,
    },
    {
      name: "memberships",
      rows: ({ id }, count) => sql`
        select m.workspace_id, w.name as workspace_name, m.role, m.by_group, m.created_at, m.accepted_at, m.removed_at
        from members m join workspaces w on w.id = m.workspace_id
        where m.person_id = ${id} order by m.created_at desc limit ${count}`,
    },
    {
      name: "keys",
      rows: ({ id }, count) => sql`
        select id, workspace_id, name, prefix, role, scopes, ancestors is not null as is_token, created_at, last_used_at,
          expires_at, revoked_at
        from api_keys where created_by = ${id} order by created_at desc limit ${count}`,
    },
    {
      name: "sessions",
      rows: ({ id }, count) => sql`
        select id, signed_in_by, user_agent, address, created_at, last_seen_at, expires_at, revoked_at
        from sessions where person_id = ${id} order by created_at desc limit ${count}`,
    },
    {
      name: "sign_in_links",
      rows: ({ id }, count) => sql`
        select created_at, expires_at, used_at from sign_in_links where person_id = ${id}
        order by created_at desc limit ${count}`,
    },
    {
      name: "service_accounts_made",
      rows: ({ id }, count) => sql`
        select id, workspace_id, name, created_at from service_accounts where created_by = ${id}
        order by created_at desc limit ${count}`,
    },
  ],
};

export async function findKeyIdsOf(db: Queryable, personId: PersonId): Promise<KeyId[]> {
  const rows = await db.query<{ id: string }>(sql`select id from api_keys where created_by = ${personId}`);
  return rows.map(({ id }) => trustedId(id));
}

// Locks the person. Null if they are unknown or erased already.
export async function lockPersonToErase(tx: Queryable, personId: PersonId): Promise<ErasedPerson | null> {
  const [row] = await tx.query<{ name: string; email: string | null }>(sql`
    select name, email from people where id = ${personId} and erased_at is null for update`);
  return row === undefined ? null : { id: personId, ...row, keyIds: await findKeyIdsOf(tx, personId) };
}

// The workspaces that would be left without an owner. Locks those the person is in, so that the answer stays true.
export async function findWorkspacesOwnedAlone(
  tx: Queryable,
  personId: PersonId,
): Promise<readonly { readonly id: WorkspaceId; readonly name: string }[]> {
  await tx.query(sql`
    select w.id from workspaces w join members m on m.workspace_id = w.id
    where m.person_id = ${personId} and m.removed_at is null order by w.id for update of w`);
  const rows = await tx.query<{ id: string; name: string }>(sql`
    select w.id, w.name from workspaces w join members m on m.workspace_id = w.id
    where m.person_id = ${personId} and m.removed_at is null and m.role = 'owner' and not exists (
      select from members o where o.workspace_id = w.id and o.person_id <> ${personId} and o.removed_at is null
        and o.role = 'owner')
    order by w.id`);
  return rows.map(({ id, name }) => ({ id: trustedId(id), name }));
}

const erasedKeyName = "key of an erased person";

export interface ErasedHoldings {
  readonly counts: Readonly<Record<string, number>>;
  // What caches must forget after the commit.
  readonly sessionIds: readonly SessionId[];
  readonly workspaceIds: readonly WorkspaceId[];
}

// With `keepKeys`, the keys go on as the workspace's own, without the person's authority over others.
export async function eraseIdentityOf(
  tx: Queryable,
  { personId, keepKeys, now }: { personId: PersonId; keepKeys: boolean; now: Date },
): Promise<ErasedHoldings> {
  const sessions = await tx.query<{ id: string }>(sql`delete from sessions where person_id = ${personId} returning id`);
  const links = await tx.execute(sql`delete from sign_in_links where person_id = ${personId}`);
  const members = await tx.query<{ workspace_id: string }>(sql`
    delete from members where person_id = ${personId} returning workspace_id`);
  const revoked = keepKeys
    ? await tx.execute(sql`
        update api_keys set revoked_at = ${now}
        where created_by = ${personId} and ancestors is not null and revoked_at is null`)
    : await tx.execute(
        sql`update api_keys set revoked_at = ${now} where created_by = ${personId} and revoked_at is null`,
      );
  // People name keys after themselves.
  await tx.execute(sql`
    update api_keys set name = ${erasedKeyName} where created_by = ${personId} and revoked_at is not null`);
  const keys = await tx.query<{ workspace_id: string }>(sql`
    update api_keys set created_by = null, role = case when role = 'owner' then 'member' else role end
    where created_by = ${personId} returning workspace_id`);
  await tx.execute(sql`update service_accounts set created_by = null where created_by = ${personId}`);
  await tx.execute(sql`
    update people set name = ${erasedName}, email = null, issuer = null, subject = null, is_operator = false,
      is_auditor = false, erased_at = ${now}
    where id = ${personId}`);
  const workspaceIds = [...new Set([...members, ...keys].map((row) => trustedId<"workspace">(row.workspace_id)))];
  return {
    counts: {
      sessions: sessions.length,
      sign_in_links: links,
      memberships: members.length,
      revoked_keys: revoked,
      kept_keys: keepKeys ? keys.length - revoked : 0,
    },
    sessionIds: sessions.map(({ id }) => trustedId(id)),
    workspaceIds,
  };
}
