// The secrets of endpoints, sealed. At most one per endpoint has no end, which an index enforces.
import type { Queryable } from "../../../foundation/database/database.ts";
import { fromRow, type RowOf } from "../../../foundation/database/rows.ts";
import { sql } from "../../../foundation/database/sql.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { EndpointId } from "../delivery.ts";
import type { NewSecret, WebhookSecretId } from "../sealed-secret.ts";
import type { SecretToReseal } from "../secret-store.ts";
import type { NamedEndpoint } from "./endpoint-store.ts";

export interface EndpointSecret {
  readonly endpointId: EndpointId;
  readonly isPaused: boolean;
  readonly id: WebhookSecretId;
  readonly sealed: string;
}

// Those that sign for any endpoint of the workspace, newest first.
export async function listEndpointSigning(
  db: Queryable,
  workspaceId: WorkspaceId,
  now: Date,
): Promise<EndpointSecret[]> {
  const rows = await db.query<RowOf<EndpointSecret>>(sql`
    select e.id as endpoint_id, e.paused_at is not null as is_paused, s.id, s.sealed
    from webhook_endpoints e join webhook_endpoint_secrets s on s.endpoint_id = e.id and s.workspace_id = e.workspace_id
    where e.workspace_id = ${workspaceId} and (s.signs_until is null or s.signs_until > ${now})
    order by s.signs_until desc nulls first, s.id desc`);
  return rows.map((row) => fromRow<EndpointSecret>(row));
}

export async function hasCurrentSecret(db: Queryable, { workspaceId, id }: NamedEndpoint): Promise<boolean> {
  const rows = await db.query(sql`
    select from webhook_endpoint_secrets
    where workspace_id = ${workspaceId} and endpoint_id = ${id} and signs_until is null`);
  return rows.length > 0;
}

export async function insertEndpointSecret(tx: Queryable, endpointId: EndpointId, secret: NewSecret): Promise<void> {
  await tx.execute(sql`
    insert into webhook_endpoint_secrets (id, workspace_id, endpoint_id, sealed, created_at)
    values (${secret.id}, ${secret.workspaceId}, ${endpointId}, ${secret.sealed}, ${secret.at})`);
}

// Makes every signing secret end by then at the latest.
export async function endEndpointSecrets(
  tx: Queryable,
  { workspaceId, id }: NamedEndpoint,
  signsUntil: Date,
): Promise<void> {
  await tx.execute(sql`
    update webhook_endpoint_secrets set signs_until = ${signsUntil}
    where workspace_id = ${workspaceId} and endpoint_id = ${id}
      and (signs_until is null or signs_until > ${signsUntil})`);
}

// Envelopes sealed by a key other than the current one.
export async function listEndpointSealedByOthers(
  db: Queryable,
  keyId: string,
  count: number,
): Promise<SecretToReseal[]> {
  const rows = await db.query<RowOf<SecretToReseal>>(sql`
    select id, workspace_id, sealed from webhook_endpoint_secrets
    where split_part(sealed, '.', 2) <> ${keyId} order by id limit ${count}`);
  return rows.map((row) => fromRow<SecretToReseal>(row));
}

export async function replaceEndpointSealed(db: Queryable, secret: SecretToReseal, sealed: string): Promise<void> {
  await db.execute(sql`
    update webhook_endpoint_secrets set sealed = ${sealed}
    where workspace_id = ${secret.workspaceId} and id = ${secret.id} and sealed = ${secret.sealed}`);
}

export async function forgetEndpointSecrets(db: Queryable, before: Date): Promise<number> {
  return db.execute(sql`delete from webhook_endpoint_secrets where signs_until < ${before}`);
}
