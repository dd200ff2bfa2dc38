// The parts that a resumable upload consists of so far, by offset.
import { type Invariant, type Queryable, sql } from "../../../foundation/database/index.ts";
import { blobReferenceFacts } from "../../blobs/shared-sql.ts";
import { bytesOf } from "../asset-store.ts";
import type { UploadId } from "./upload.ts";

export interface UploadPart {
  readonly start: number;
  readonly size: number;
  readonly hash: string;
}

export async function insertUploadPart(tx: Queryable, uploadId: UploadId, part: UploadPart): Promise<void> {
  await tx.execute(sql`
    insert into asset_upload_parts (upload_id, start, size, hash)
    values (${uploadId}, ${part.start}, ${part.size}, ${bytesOf(part.hash)})`);
}

export async function listUploadParts(db: Queryable, uploadId: UploadId): Promise<UploadPart[]> {
  const rows = await db.query<PartRow>(sql`
    select start, size, encode(hash, 'hex') as hash from asset_upload_parts
    where upload_id = ${uploadId} order by start`);
  return rows.map(toPart);
}

export async function deleteUploadParts(tx: Queryable, uploadId: UploadId): Promise<UploadPart[]> {
  const rows = await tx.query<PartRow>(sql`
    delete from asset_upload_parts where upload_id = ${uploadId}
    returning start, size, encode(hash, 'hex') as hash`);
  return rows.map(toPart);
}

interface PartRow {
  readonly start: string;
  readonly size: string;
  readonly hash: string;
}

function toPart({ start, size, hash }: PartRow): UploadPart {
  return { start: Number(start), size: Number(size), hash };
}

export const uploadInvariants: readonly Invariant[] = [
  {
    name: "I24 every part of an upload holds its bytes, and nothing else does in its name",
    statement: sql`
      select part.holder_id, reference.holder_id as held from (
        select upload_id || '/' || start as holder_id, hash from asset_upload_parts
      ) as part
      full join (select * from ${blobReferenceFacts} as held where held.holder_kind = 'upload_part') as reference
        on reference.holder_id = part.holder_id and reference.hash = part.hash
      where part.holder_id is null or reference.holder_id is null`,
  },
  {
    name: "I24 the parts of an upload follow each other and are as long as what it has received",
    statement: sql`
      select upload.id from asset_uploads as upload
      left join lateral (
        select coalesce(sum(part.size), 0) as size, coalesce(max(part.start + part.size), 0) as reach
        from asset_upload_parts as part where part.upload_id = upload.id
      ) as parts on true
      where upload.asset_id is null and upload.final_id is null and (parts.size <> upload.received or parts.reach <> upload.received)`,
  },
];
