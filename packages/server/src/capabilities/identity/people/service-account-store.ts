// Service accounts of workspaces. A removed one is kept, so that its keys and the audit can still name it.
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import { type KeyId, type ServiceAccountId, trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { ServiceAccount } from "./person.ts";

const columns = sql`id, workspace_id, name, role, created_by, created_at`;

export async function insertServiceAccount(db: Queryable, account: ServiceAccount): Promise<void> {
  await db.execute(sql`
    insert into service_accounts (id, workspace_id, name, role, created_by, created_at)
    values (${account.id}, ${account.workspaceId}, ${account.name}, ${account.role}, ${account.createdBy},
      ${account.createdAt})`);
}

// Oldest first.
export async function listServiceAccounts(db: Queryable, workspaceId: WorkspaceId): Promise<ServiceAccount[]> {
  const rows = await db.query<RowOf<ServiceAccount>>(sql`
    select ${columns} from service_accounts where workspace_id = ${workspaceId} and removed_at is null order by id`);
  return rows.map(fromRow<ServiceAccount>);
}

export async function findServiceAccount(
  db: Queryable,
  workspaceId: WorkspaceId,
  id: ServiceAccountId,
): Promise<ServiceAccount | null> {
  const [row] = await db.query<RowOf<ServiceAccount>>(sql`
    select ${columns} from service_accounts
    where workspace_id = ${workspaceId} and id = ${id} and removed_at is null`);
  return row === undefined ? null : fromRow<ServiceAccount>(row);
}

export async function markServiceAccountRemoved(
  db: Queryable,
  removal: { workspaceId: WorkspaceId; id: ServiceAccountId; now: Date },
): Promise<void> {
  await db.execute(sql`
    update service_accounts set removed_at = ${removal.now}
    where workspace_id = ${removal.workspaceId} and id = ${removal.id} and removed_at is null`);
}

// Its keys; the tokens made from them end with them.
export async function revokeServiceAccountKeys(
  db: Queryable,
  removal: { workspaceId: WorkspaceId; id: ServiceAccountId; now: Date },
): Promise<KeyId[]> {
  const rows = await db.query<{ id: string }>(sql`
    update api_keys set revoked_at = ${removal.now}
    where workspace_id = ${removal.workspaceId} and service_account_id = ${removal.id} and revoked_at is null
    returning id`);
  return rows.map((row) => trustedId(row.id));
}
