// Storage tickets: addresses for files yet to be uploaded, and the asset each one became.
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import type { Id, WorkspaceId } from "../../../foundation/ids.ts";
import type { AssetId } from "../asset.ts";

export type TicketId = Id<"storage-ticket">;

export interface Ticket {
  readonly id: TicketId;
  readonly workspaceId: WorkspaceId;
  readonly fileName: string;
  readonly contentType: string;
  // 64 hexadecimal digits in lower case. Null if it was not announced and the bytes have not arrived.
  readonly sha256: string | null;
  readonly assetId: AssetId | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertTicket(db: Queryable, ticket: Ticket): Promise<void> {
  await db.execute(sql`
    insert into storage_tickets (id, workspace_id, file_name, content_type, sha256, asset_id, created_at, expires_at)
    values (${ticket.id}, ${ticket.workspaceId}, ${ticket.fileName}, ${ticket.contentType},
      decode(${ticket.sha256}::text, 'hex'), ${ticket.assetId}, ${ticket.createdAt}, ${ticket.expiresAt})`);
}

// A signed address names no workspace; its signature is checked against the workspace of the row.
export async function findTicket(db: Queryable, id: TicketId, now: Date): Promise<Ticket | null> {
  const [row] = await db.query<TicketRow>(sql`
    select ${columns} from storage_tickets where id = ${id} and expires_at > ${now}`);
  return row ? toTicket(row) : null;
}

// The workspace's newest file with these bytes.
export async function findTicketBySha256(
  db: Queryable,
  wanted: { readonly workspaceId: WorkspaceId; readonly sha256: string; readonly now: Date },
): Promise<Ticket | null> {
  const [row] = await db.query<TicketRow>(sql`
    select ${columns} from storage_tickets
    where workspace_id = ${wanted.workspaceId} and sha256 = decode(${wanted.sha256}, 'hex') and asset_id is not null
      and expires_at > ${wanted.now}
    order by created_at desc limit 1`);
  return row ? toTicket(row) : null;
}

// The first upload wins. Returns the SHA-256 of the file that is there now.
export async function fillTicket(
  db: Queryable,
  fill: {
    readonly id: TicketId;
    readonly workspaceId: WorkspaceId;
    readonly sha256: string;
    readonly assetId: AssetId;
  },
): Promise<string | null> {
  const [row] = await db.query<{ sha256: string }>(sql`
    update storage_tickets
    set asset_id = case when asset_id is null then ${fill.assetId}::uuid else asset_id end,
        sha256 = case when asset_id is null then decode(${fill.sha256}, 'hex') else sha256 end
    where id = ${fill.id} and workspace_id = ${fill.workspaceId} returning encode(sha256, 'hex') as sha256`);
  return row?.sha256 ?? null;
}

export async function deleteExpiredTickets(db: Queryable, now: Date, batchMax: number): Promise<number> {
  return db.execute(sql`
    delete from storage_tickets where id in (
      select id from storage_tickets where expires_at <= ${now} limit ${batchMax} for update skip locked)`);
}

const columns = sql`
  id, workspace_id, file_name, content_type, encode(sha256, 'hex') as sha256, asset_id, created_at, expires_at`;

type TicketRow = RowOf<Ticket>;

const toTicket = fromRow<Ticket>;
