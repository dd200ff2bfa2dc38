// Sealed credentials that operators entered for this server, at most one per setting.
import type { Queryable } from "../../../foundation/database/index.ts";
import { fromRow, type RowOf, sql } from "../../../foundation/database/index.ts";

export interface StoredCredential {
  readonly setting: string;
  readonly provider: string;
  readonly sealed: string;
  readonly hosts: readonly string[];
  readonly updatedAt: Date;
}

export async function listStoredCredentials(db: Queryable): Promise<StoredCredential[]> {
  const rows = await db.query<Row>(sql`select ${columns} from server_provider_credentials order by setting`);
  return rows.map(toStored);
}

export async function putStoredCredential(tx: Queryable, given: StoredCredential): Promise<void> {
  await tx.execute(sql`
    insert into server_provider_credentials (setting, provider, sealed, hosts, updated_at)
    values (${given.setting}, ${given.provider}, ${given.sealed}, ${given.hosts}, ${given.updatedAt})
    on conflict (setting) do update set provider = excluded.provider, sealed = excluded.sealed,
      hosts = excluded.hosts, updated_at = excluded.updated_at`);
}

export async function deleteStoredCredential(tx: Queryable, setting: string): Promise<StoredCredential | null> {
  const [row] = await tx.query<Row>(sql`
    delete from server_provider_credentials where setting = ${setting} returning ${columns}`);
  return row ? toStored(row) : null;
}

export async function replaceStoredSeal(db: Queryable, stored: StoredCredential, sealed: string): Promise<void> {
  await db.execute(sql`
    update server_provider_credentials set sealed = ${sealed}
    where setting = ${stored.setting} and sealed = ${stored.sealed}`);
}

const columns = sql`setting, provider, sealed, hosts, updated_at`;

type Row = RowOf<StoredCredential>;

const toStored = fromRow<StoredCredential>;
