// Asset records, and how much of a workspace's quotas they use. Expired records are invisible, even before they are
// swept.
import { fromRow, joinSql, type Queryable, type RowOf, type Statement, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { type Asset, type AssetId, type JobId, type StoredAsset, tagsMax } from "./asset.ts";
import { type AssetKind, assetKinds } from "./media-type.ts";

// Equal bytes at an equal path are one record: storing it again adds tags and can only lengthen its life. A record that
// has expired but was not swept yet starts over. The subquery on `assets` sees the state before this statement.
// `isRenewed` makes an existing record the newest of its name.
export async function putAsset(db: Queryable, asset: Asset, isRenewed = false): Promise<StoredAsset> {
  const [row] = await db.query<AssetRow & { is_new_record: boolean; had_content: boolean }>(sql`
    insert into assets (id, workspace_id, hash, size, content_type, served_type, kind, file_path, tags, job_id,
      created_at, expires_at)
    values (${asset.id}, ${asset.workspaceId}, ${bytesOf(asset.hash)}, ${asset.size}, ${asset.contentType},
      ${asset.servedType}, ${asset.kind}, ${asset.filePath}, ${asset.tags}, ${asset.jobId}, ${asset.createdAt},
      ${asset.expiresAt})
    on conflict (workspace_id, job_id, hash, file_path) do update set
      tags = (array(select distinct tag from unnest(assets.tags || excluded.tags) as tag order by tag))[1:${tagsMax}::int],
      created_at = case when assets.expires_at <= excluded.created_at or ${isRenewed} then excluded.created_at
        else assets.created_at end,
      expires_at = case when assets.expires_at is not null and excluded.expires_at is not null
        then greatest(assets.expires_at, excluded.expires_at) end
    returning ${columns}, assets.id = ${asset.id} as is_new_record, exists (
      select from assets as other where other.workspace_id = ${asset.workspaceId}
        and other.hash = ${bytesOf(asset.hash)}
        and (other.expires_at is null or other.expires_at > ${asset.createdAt})) as had_content`);
  if (!row) throw new Error("an upsert returns its row");
  const { is_new_record: isNewRecord, had_content: hadContent, ...stored } = row;
  return { asset: toAsset(stored), isNewRecord, isNewContent: !hadContent };
}

export async function findAsset(
  db: Queryable,
  locator: { workspaceId: WorkspaceId; assetId: AssetId; now: Date },
): Promise<Asset | null> {
  const [row] = await db.query<AssetRow>(sql`
    select ${columns} from assets
    where id = ${locator.assetId} and workspace_id = ${locator.workspaceId} and ${isLive(locator.now)}`);
  return row ? toAsset(row) : null;
}

// For signed URLs, which name no workspace: their signature is checked against the workspace of the row. One result per
// id; null if there is no such asset, or no longer.
export async function findSignedAssets(
  db: Queryable,
  assetIds: readonly AssetId[],
  now: Date,
): Promise<(Asset | null)[]> {
  const rows = await db.query<AssetRow>(sql`
    select ${columns} from assets where id = any (${[...new Set(assetIds)]}::uuid[]) and ${isLive(now)}`);
  const found = new Map<string, Asset>(rows.map((row) => [row.id, toAsset(row)]));
  return assetIds.map((id) => found.get(id) ?? null);
}

// The workspace's newest record over these bytes. Probes one index once, so timing does not reveal whether other
// workspaces have the bytes.
export async function findByHash(
  db: Queryable,
  locator: { workspaceId: WorkspaceId; hash: string; now: Date },
): Promise<Asset | null> {
  const [row] = await db.query<AssetRow>(sql`
    select ${columns} from assets
    where workspace_id = ${locator.workspaceId} and hash = ${bytesOf(locator.hash)} and ${isLive(locator.now)}
    order by created_at desc, id desc limit 1`);
  return row ? toAsset(row) : null;
}

// Assets whose hash begins with these digits, in hash order: a range of one index.
export async function findByHashBeginning(
  db: Queryable,
  wanted: { workspaceId: WorkspaceId; digits: string; count: number; now: Date },
): Promise<Asset[]> {
  const [first, last] = ["0", "f"].map((digit) => bytesOf(wanted.digits.padEnd(64, digit)));
  const rows = await db.query<AssetRow>(sql`
    select ${columns} from assets
    where workspace_id = ${wanted.workspaceId} and hash between ${first} and ${last} and ${isLive(wanted.now)}
    order by workspace_id, hash limit ${wanted.count}`);
  return rows.map(toAsset);
}

// By id or by upload name. If several have the name, the newest.
export async function findAssets(
  db: Queryable,
  wanted: { workspaceId: WorkspaceId; assetIds: readonly AssetId[]; filePaths: readonly string[]; now: Date },
): Promise<Asset[]> {
  const { workspaceId, now } = wanted;
  const rows = await db.query<AssetRow>(sql`
    select ${columns} from assets
    where workspace_id = ${workspaceId} and id = any (${wanted.assetIds}::uuid[]) and ${isLive(now)}
    union all
    (select distinct on (assets.file_path) ${columns} from assets
    where workspace_id = ${workspaceId} and job_id is null and file_path = any (${wanted.filePaths}::text[])
      and ${isLive(now)}
    order by assets.file_path, created_at desc, id desc)`);
  return rows.map(toAsset);
}

export interface AssetFilter {
  readonly workspaceId: WorkspaceId;
  readonly tag: string | null;
  readonly kind: AssetKind | null;
  readonly jobId: JobId | null;
  readonly source: "upload" | "output" | null;
  // A substring of the name.
  readonly name: string | null;
  readonly hash: string | null;
  readonly createdFrom: Date | null;
  readonly createdBefore: Date | null;
  readonly expiresBefore: Date | null;
  // The last record of the previous page.
  readonly after: { readonly createdAt: Date; readonly id: AssetId } | null;
  readonly count: number;
  readonly now: Date;
}

export async function listAssetsBy(db: Queryable, filter: AssetFilter): Promise<Asset[]> {
  const conditions: Statement[] = [sql`workspace_id = ${filter.workspaceId}`, isLive(filter.now)];
  if (filter.tag !== null) conditions.push(sql`tags <> '{}' and tags @> array[${filter.tag}]::text[]`);
  if (filter.kind !== null) conditions.push(sql`kind = ${filter.kind}`);
  if (filter.jobId !== null) conditions.push(sql`job_id = ${filter.jobId}`);
  if (filter.source === "upload") conditions.push(sql`job_id is null`);
  if (filter.source === "output") conditions.push(sql`job_id is not null`);
  // Searches for the literal text: strpos has no patterns.
  if (filter.name !== null) conditions.push(sql`strpos(lower(file_path), lower(${filter.name})) > 0`);
  if (filter.hash !== null) conditions.push(sql`hash = ${bytesOf(filter.hash)}`);
  if (filter.createdFrom !== null) conditions.push(sql`created_at >= ${filter.createdFrom}`);
  if (filter.createdBefore !== null) conditions.push(sql`created_at < ${filter.createdBefore}`);
  if (filter.expiresBefore !== null) conditions.push(sql`expires_at < ${filter.expiresBefore}`);
  if (filter.after !== null) {
    conditions.push(sql`(created_at, id) < (${filter.after.createdAt}::timestamptz, ${filter.after.id}::uuid)`);
  }
  const rows = await db.query<AssetRow>(sql`
    select ${columns} from assets where ${joinSql(conditions, sql` and `)}
    order by created_at desc, id desc limit ${filter.count}`);
  return rows.map(toAsset);
}

// Null if there is no such record. Tags above the limit are cut, as with a repeated reference.
export async function changeTags(
  db: Queryable,
  change: {
    workspaceId: WorkspaceId;
    assetId: AssetId;
    add: readonly string[];
    remove: readonly string[];
    now: Date;
  },
): Promise<Asset | null> {
  const [row] = await db.query<AssetRow>(sql`
    update assets set tags = (array(
      select distinct tag from unnest(assets.tags || ${change.add}::text[]) as tag
      where tag <> all (${change.remove}::text[]) order by tag))[1:${tagsMax}::int]
    where id = ${change.assetId} and workspace_id = ${change.workspaceId} and ${isLive(change.now)}
    returning ${columns}`);
  return row ? toAsset(row) : null;
}

// Deletes nothing that is held. A hold being written right now makes us wait, and then its foreign key
// (asset_holds_asset_id_fkey) refuses the delete.
export async function deleteAsset(
  db: Queryable,
  locator: { workspaceId: WorkspaceId; assetId: AssetId },
): Promise<boolean> {
  const changed = await db.execute(sql`
    delete from assets where id = ${locator.assetId} and workspace_id = ${locator.workspaceId}
      and not exists (select from asset_holds where asset_id = ${locator.assetId})`);
  return changed > 0;
}

// Deletes up to `count` expired records that are not held. Skips rows that another process is sweeping.
export async function deleteExpired(db: Queryable, expired: { now: Date; count: number }): Promise<Asset[]> {
  const rows = await db.query<AssetRow>(sql`
    delete from assets where id in (
      select id from assets as due where due.expires_at <= ${expired.now}
        and not exists (select from asset_holds where asset_id = due.id)
      order by due.expires_at limit ${expired.count} for update skip locked)
    returning ${columns}`);
  return rows.map(toAsset);
}

// True if another record of the workspace still has these bytes.
export async function isHashUsed(db: Queryable, locator: { workspaceId: WorkspaceId; hash: string }): Promise<boolean> {
  const rows = await db.query(sql`
    select from assets where workspace_id = ${locator.workspaceId} and hash = ${bytesOf(locator.hash)} limit 1`);
  return rows.length > 0;
}

// Keeps the record from being deleted until the transaction ends.
export async function lockAsset(db: Queryable, assetId: AssetId): Promise<boolean> {
  return (await db.query(sql`select from assets where id = ${assetId} for key share`)).length > 0;
}

const isLive = (now: Date): Statement => sql`(expires_at is null or expires_at > ${now})`;

export const bytesOf = (hash: string): Buffer => Buffer.from(hash, "hex");

const columns = sql`assets.id, assets.workspace_id, encode(assets.hash, 'hex') as hash, assets.size,
  assets.content_type, assets.served_type, assets.kind, assets.file_path, assets.tags, assets.job_id,
  assets.created_at, assets.expires_at`;

interface AssetRow extends RowOf<Omit<Asset, "size" | "kind">> {
  // A bigint arrives as text.
  readonly size: string;
  readonly kind: string;
}

function toAsset(row: AssetRow): Asset {
  return {
    ...fromRow<Omit<Asset, "size" | "kind">>(row),
    size: Number(row.size),
    kind: assetKinds.find((kind) => kind === row.kind) ?? "file",
  };
}
