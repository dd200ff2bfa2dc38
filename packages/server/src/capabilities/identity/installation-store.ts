import type { Queryable } from "../../foundation/database/database.ts";
import { sql } from "../../foundation/database/sql.ts";
import type { KeyId, PersonId, WorkspaceId } from "../../foundation/ids.ts";

// Lets one process at a time check whether the database is empty and fill it. The lock ends with the transaction, so it
// does not need its own session and works behind a connection pooler. The number is the lock's name, chosen once.
export async function lockInstallation(db: Queryable): Promise<void> {
  await db.query(sql`select pg_advisory_xact_lock(7300110441520001)`);
}

export async function isBootstrapped(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ done: boolean }>(sql`
    select exists (select 1 from installation) or exists (select 1 from workspaces) as done`);
  return row?.done ?? false;
}

export async function insertInstallation(
  db: Queryable,
  first: { workspaceId: WorkspaceId; personId: PersonId; keyId: KeyId; now: Date },
): Promise<void> {
  await db.execute(sql`
    insert into installation (workspace_id, person_id, key_id, bootstrapped_at)
    values (${first.workspaceId}, ${first.personId}, ${first.keyId}, ${first.now})`);
}
