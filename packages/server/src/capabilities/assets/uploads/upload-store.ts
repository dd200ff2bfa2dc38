// Resumable uploads in progress. `received` counts only bytes that are safely on disk.
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import { trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { AssetId } from "../asset.ts";
import { bytesOf } from "../asset-store.ts";
import type { Upload, UploadId } from "./upload.ts";

// The quota reserved for it until it becomes an asset.
export function reservedFor(upload: Upload): { readonly bytes: number; readonly assets: number } {
  return upload.finalId === null ? { bytes: upload.length ?? upload.received, assets: 1 } : { bytes: 0, assets: 0 };
}

export async function insertUpload(db: Queryable, upload: Upload): Promise<void> {
  await db.execute(sql`
    insert into asset_uploads (id, workspace_id, length, received, content_type, file_path, tags, expected_hash,
      keep_seconds, metadata, created_at, expires_at, concat)
    values (${upload.id}, ${upload.workspaceId}, ${upload.length}, ${upload.received}, ${upload.contentType},
      ${upload.filePath}, ${upload.tags}, ${upload.expectedHash === null ? null : bytesOf(upload.expectedHash)},
      ${upload.keepSeconds}, ${upload.metadata}, ${upload.createdAt}, ${upload.expiresAt},
      ${upload.concat})`);
}

export interface UploadLocator {
  readonly workspaceId: WorkspaceId;
  readonly uploadId: UploadId;
  readonly now: Date;
}

export async function findUpload(db: Queryable, locator: UploadLocator): Promise<Upload | null> {
  const [row] = await db.query<UploadRow>(sql`
    select ${columns} from asset_uploads
    where id = ${locator.uploadId} and workspace_id = ${locator.workspaceId} and expires_at > ${locator.now}`);
  return row ? toUpload(row) : null;
}

// Locks the row until the transaction ends. If two requests complete it, the second finds the asset of the first.
export async function lockUpload(db: Queryable, uploadId: UploadId): Promise<Upload | null> {
  const [row] = await db.query<UploadRow>(sql`
    select ${columns} from asset_uploads where id = ${uploadId} for update`);
  return row ? toUpload(row) : null;
}

export interface Writer {
  readonly uploadId: UploadId;
  readonly writer: string;
  readonly now: Date;
  readonly leaseSeconds: number;
}

// One writer at a time across all processes; an expired lease is free. Null if another writer has it. Also returns the
// length, since the previous writer may have declared it.
export async function claimWriter(
  db: Queryable,
  claim: Writer & { offset: number },
): Promise<{ readonly length: number | null } | null> {
  const [row] = await db.query<Pick<UploadRow, "length">>(sql`
    update asset_uploads set writer = ${claim.writer},
      writer_until = ${claim.now}::timestamptz + ${claim.leaseSeconds} * interval '1 second'
    where id = ${claim.uploadId} and asset_id is null and received = ${claim.offset}
      and (writer is null or writer_until <= ${claim.now})
    returning length`);
  return row ? { length: lengthIn(row) } : null;
}

// Called by the writer, once.
export async function setUploadLength(db: Queryable, { id, workspaceId, length }: LengthOfUpload): Promise<void> {
  await db.execute(sql`
    update asset_uploads set length = ${length}
    where id = ${id} and workspace_id = ${workspaceId} and length is null`);
}

type LengthOfUpload = Pick<Upload, "id" | "workspaceId"> & { readonly length: number };

// The ids that are partial uploads of this workspace, locked until the transaction ends.
export async function lockPartialUploads(
  db: Queryable,
  wanted: { readonly workspaceId: WorkspaceId; readonly uploadIds: readonly UploadId[]; readonly now: Date },
): Promise<Upload[]> {
  const rows = await db.query<UploadRow>(sql`
    select ${columns} from asset_uploads
    where id = any (${wanted.uploadIds}::uuid[]) and workspace_id = ${wanted.workspaceId} and concat = 'partial'
      and expires_at > ${wanted.now}
    order by id for update`);
  return rows.map(toUpload);
}

export async function markJoined(
  db: Queryable,
  joined: { readonly workspaceId: WorkspaceId; readonly uploadIds: readonly UploadId[]; readonly finalId: UploadId },
): Promise<void> {
  await db.execute(sql`
    update asset_uploads set final_id = ${joined.finalId}
    where id = any (${joined.uploadIds}::uuid[]) and workspace_id = ${joined.workspaceId} and concat = 'partial'`);
}

// False if the lease went to another writer; then this one must not write any more.
export async function advanceUpload(db: Queryable, claim: Writer & { received: number }): Promise<boolean> {
  const changed = await db.execute(sql`
    update asset_uploads set received = ${claim.received},
      writer_until = ${claim.now}::timestamptz + ${claim.leaseSeconds} * interval '1 second'
    where id = ${claim.uploadId} and writer = ${claim.writer} and received <= ${claim.received}`);
  return changed > 0;
}

export async function endWriter(db: Queryable, claim: Pick<Writer, "uploadId" | "writer">): Promise<void> {
  await db.execute(sql`
    update asset_uploads set writer = null, writer_until = null
    where id = ${claim.uploadId} and writer = ${claim.writer}`);
}

export async function completeUpload(db: Queryable, uploadId: UploadId, assetId: AssetId): Promise<void> {
  await db.execute(sql`
    update asset_uploads set asset_id = ${assetId}, writer = null, writer_until = null where id = ${uploadId}`);
}

export async function deleteUpload(db: Queryable, uploadId: UploadId): Promise<Upload | null> {
  const [row] = await db.query<UploadRow>(sql`
    delete from asset_uploads where id = ${uploadId} returning ${columns}`);
  return row ? toUpload(row) : null;
}

export async function listExpiredUploads(db: Queryable, expired: { now: Date; count: number }): Promise<UploadId[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from asset_uploads where expires_at <= ${expired.now} order by expires_at limit ${expired.count}`);
  return rows.map(({ id }) => trustedId(id));
}

const columns = sql`id, workspace_id, length, received, content_type, file_path, tags,
  encode(expected_hash, 'hex') as expected_hash, keep_seconds, metadata, created_at, expires_at, asset_id, concat, final_id`;

interface UploadRow extends RowOf<Omit<Upload, "length" | "received">> {
  readonly length: string | null;
  readonly received: string;
}

function lengthIn({ length }: Pick<UploadRow, "length">): number | null {
  return length === null ? null : Number(length);
}

function toUpload(row: UploadRow): Upload {
  return {
    ...fromRow<Omit<Upload, "length" | "received">>(row),
    length: lengthIn(row),
    received: Number(row.received),
  };
}
