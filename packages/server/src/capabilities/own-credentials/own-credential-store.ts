// Workspaces' own credentials, sealed, at most one per workspace and provider.
import type { Queryable } from "../../foundation/database/index.ts";
import { fromRow, type RowOf, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";

export interface StoredOwnCredential {
  readonly workspaceId: WorkspaceId;
  readonly provider: string;
  readonly sealed: string;
  readonly hosts: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export async function listOwnCredentials(db: Queryable, workspaceId: WorkspaceId): Promise<StoredOwnCredential[]> {
  const rows = await db.query<Row>(sql`
    select ${columns} from workspace_provider_credentials where workspace_id = ${workspaceId} order by provider`);
  return rows.map(toStored);
}

export async function putOwnCredential(
  tx: Queryable,
  request: Pick<StoredOwnCredential, "workspaceId" | "provider" | "sealed" | "hosts"> & { readonly at: Date },
): Promise<{ readonly stored: StoredOwnCredential; readonly isNew: boolean }> {
  const [row] = await tx.query<Row & { is_new: boolean }>(sql`
    insert into workspace_provider_credentials (workspace_id, provider, sealed, hosts, created_at, updated_at)
    values (${request.workspaceId}, ${request.provider}, ${request.sealed}, ${request.hosts}, ${request.at}, ${request.at})
    on conflict (workspace_id, provider) do update
      set sealed = excluded.sealed, hosts = excluded.hosts, updated_at = excluded.updated_at
    returning ${columns}, xmax = 0 as is_new`);
  if (!row) throw new Error(`The credential for ${request.provider} was written but could not be found afterwards.`);
  const { is_new: isNew, ...stored } = row;
  return { stored: toStored(stored), isNew };
}

export async function deleteOwnCredential(
  tx: Queryable,
  workspaceId: WorkspaceId,
  provider: string,
): Promise<StoredOwnCredential | null> {
  const [row] = await tx.query<Row>(sql`
    delete from workspace_provider_credentials where workspace_id = ${workspaceId} and provider = ${provider}
    returning ${columns}`);
  return row ? toStored(row) : null;
}

// For all workspaces: envelopes sealed by a key other than the current one.
export async function listSealedByOthers(db: Queryable, keyId: string, count: number): Promise<StoredOwnCredential[]> {
  const rows = await db.query<Row>(sql`
    select ${columns} from workspace_provider_credentials
    where split_part(sealed, '.', 2) <> ${keyId} order by workspace_id, provider limit ${count}`);
  return rows.map(toStored);
}

export async function replaceSealed(db: Queryable, stored: StoredOwnCredential, sealed: string): Promise<void> {
  await db.execute(sql`
    update workspace_provider_credentials set sealed = ${sealed}
    where workspace_id = ${stored.workspaceId} and provider = ${stored.provider} and sealed = ${stored.sealed}`);
}

const columns = sql`workspace_id, provider, sealed, hosts, created_at, updated_at`;

type Row = RowOf<StoredOwnCredential>;

const toStored = fromRow<StoredOwnCredential>;
