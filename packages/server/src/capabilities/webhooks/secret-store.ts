// Webhook secrets, sealed. At most one per workspace has no end, which an index enforces.
import type { Queryable } from "../../foundation/database/database.ts";
import { fromRow, type RowOf } from "../../foundation/database/rows.ts";
import { sql } from "../../foundation/database/sql.ts";
import { trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import type { NewSecret, StoredSecret, WebhookSecretId } from "./sealed-secret.ts";

// The secrets that sign, newest first.
export async function listSigningSecrets(db: Queryable, workspaceId: WorkspaceId, now: Date): Promise<StoredSecret[]> {
  const rows = await db.query<SecretRow>(sql`
    select id, sealed, created_at, signs_until from webhook_secrets
    where workspace_id = ${workspaceId} and (signs_until is null or signs_until > ${now})
    order by signs_until desc nulls first, id desc`);
  return rows.map(toSecret);
}

export async function listSecrets(db: Queryable, workspaceId: WorkspaceId): Promise<StoredSecret[]> {
  const rows = await db.query<SecretRow>(sql`
    select id, sealed, created_at, signs_until from webhook_secrets
    where workspace_id = ${workspaceId} order by signs_until desc nulls first, created_at desc, id desc limit 100`);
  return rows.map(toSecret);
}

// False if the workspace already has a current one.
export async function insertFirstSecret(db: Queryable, secret: NewSecret): Promise<boolean> {
  const count = await db.execute(sql`
    insert into webhook_secrets (id, workspace_id, sealed, created_at)
    values (${secret.id}, ${secret.workspaceId}, ${secret.sealed}, ${secret.at})
    on conflict (workspace_id) where signs_until is null do nothing`);
  return count === 1;
}

// Makes every signing secret end by then at the latest.
export async function endSecrets(tx: Queryable, workspaceId: WorkspaceId, signsUntil: Date): Promise<number> {
  return tx.execute(sql`
    update webhook_secrets set signs_until = ${signsUntil}
    where workspace_id = ${workspaceId} and (signs_until is null or signs_until > ${signsUntil})`);
}

export interface SecretToReseal {
  readonly id: WebhookSecretId;
  readonly workspaceId: WorkspaceId;
  readonly sealed: string;
}

// Envelopes sealed by a key other than the current one.
export async function listSealedByOthers(db: Queryable, keyId: string, count: number): Promise<SecretToReseal[]> {
  const rows = await db.query<{ id: string; workspace_id: string; sealed: string }>(sql`
    select id, workspace_id, sealed from webhook_secrets
    where split_part(sealed, '.', 2) <> ${keyId} order by id limit ${count}`);
  return rows.map((row) => ({ id: trustedId(row.id), workspaceId: trustedId(row.workspace_id), sealed: row.sealed }));
}

export async function replaceSealed(db: Queryable, secret: SecretToReseal, sealed: string): Promise<void> {
  await db.execute(sql`
    update webhook_secrets set sealed = ${sealed}
    where workspace_id = ${secret.workspaceId} and id = ${secret.id} and sealed = ${secret.sealed}`);
}

export async function forgetSecrets(db: Queryable, before: Date): Promise<number> {
  return db.execute(sql`delete from webhook_secrets where signs_until < ${before}`);
}

type SecretRow = RowOf<StoredSecret>;

const toSecret = fromRow<StoredSecret>;
