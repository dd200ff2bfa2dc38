// Reads of a workspace's own works and their versions, by name.
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { OfferedWork, PublishedVersion, PublishedWork, WorkId, WorkLocator } from "./published-work.ts";

export interface WorkPage {
  readonly workspaceId: WorkspaceId;
  // Only names and titles that contain it, in any case.
  readonly text: string | null;
  // The name at which the page before ended.
  readonly after: string | null;
  readonly count: number;
}

export async function listWorks(
  db: Queryable,
  { workspaceId, text, after, count }: WorkPage,
): Promise<PublishedWork[]> {
  const found = text?.toLowerCase() ?? "";
  const rows = await db.query<RowOf<PublishedWork>>(sql`
    select ${columns} from (
      select * from published_works w where w.workspace_id = ${workspaceId}
        ${after === null ? sql`` : sql`and w.model_id > ${ownProvider(workspaceId)} || '/' || ${after}::text`}
        ${found === "" ? sql`` : sql`and (strpos(w.name, ${found}) > 0 or strpos(lower(w.title), ${found}) > 0)`}
      order by w.model_id limit ${count}) as w
    ${current} order by w.model_id`);
  return rows.map(fromRow<PublishedWork>);
}

export async function findWork(db: Queryable, locator: WorkLocator): Promise<PublishedWork | null> {
  const [row] = await db.query<RowOf<PublishedWork>>(sql`
    select ${columns} from published_works w ${current}
    where w.workspace_id = ${locator.workspaceId} and w.model_id = ${ownProvider(locator.workspaceId)} || '/' || ${locator.name}::text`);
  return row ? fromRow<PublishedWork>(row) : null;
}

export async function countWorks(db: Queryable, workspaceId: WorkspaceId, bound: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from (select from published_works where workspace_id = ${workspaceId} limit ${bound}) as found`);
  return row?.count ?? 0;
}

// Works that every workspace may call, for the release notes. Not limited to a workspace on purpose.
export async function listOfferedWorks(db: Queryable, at: Date, count: number): Promise<OfferedWork[]> {
  const rows = await db.query<RowOf<OfferedWork>>(sql`
    select model_id, version, deprecated_at, sunset_at from published_works
    where visibility = 'public' and (sunset_at is null or sunset_at > ${at}) order by model_id limit ${count}`);
  return rows.map(fromRow<OfferedWork>);
}

// Null if the workspace has published nothing yet.
export async function findProvider(db: Queryable, workspaceId: WorkspaceId): Promise<string | null> {
  const [row] = await db.query<{ provider: string }>(sql`
    select provider from work_providers where workspace_id = ${workspaceId}`);
  return row?.provider ?? null;
}

// Those of the providers that are taken, by any workspace: only their names are compared.
export async function findTakenProviders(db: Queryable, providers: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ provider: string }>(sql`
    select provider from work_providers where provider = any (${providers}::text[])`);
  return new Set(rows.map(({ provider }) => provider));
}

export interface VersionKey {
  readonly workspaceId: WorkspaceId;
  readonly workId: WorkId;
}

export async function listWorkVersions(
  db: Queryable,
  { workspaceId, workId }: VersionKey,
  { before, count }: { readonly before: number | null; readonly count: number },
): Promise<PublishedVersion[]> {
  const rows = await db.query<RowOf<PublishedVersion>>(sql`
    select ${versionColumns} from work_versions v where v.work_id = ${workId} and v.workspace_id = ${workspaceId}
      ${before === null ? sql`` : sql`and v.version < ${before}`}
    order by v.version desc limit ${count}`);
  return rows.map(fromRow<PublishedVersion>);
}

export interface StoredVersion extends PublishedVersion {
  readonly graph: Buffer;
  readonly fingerprint: Buffer;
}

export async function findWorkVersion(
  db: Queryable,
  { workspaceId, workId }: VersionKey,
  version: number,
): Promise<StoredVersion | null> {
  const [row] = await db.query<RowOf<StoredVersion>>(sql`
    select ${versionColumns}, v.graph, v.fingerprint from work_versions v
    where v.work_id = ${workId} and v.workspace_id = ${workspaceId} and v.version = ${version}`);
  return row ? fromRow<StoredVersion>(row) : null;
}

const ownProvider = (workspaceId: WorkspaceId) =>
  sql`(select p.provider from work_providers p where p.workspace_id = ${workspaceId})`;
const versionColumns = sql`v.version, v.workflow_id, v.workflow_version, v.form, v.needs, v.examples::text as examples, v.note, v.created_at,
  v.created_by_kind, v.created_by_id`;
const columns = sql`w.id, w.workspace_id, w.model_id, w.name, w.title, w.description, w.visibility, w.version, w.versions,
  w.revision, w.cover, w.deprecated_at, w.sunset_at, w.created_at, w.updated_at, v.workflow_id,
  array(select s.workspace_id::text from work_shares s where s.model_id = w.model_id order by 1) as shared_with`;
const current = sql`join work_versions v on v.work_id = w.id and v.version = w.version and v.workspace_id = w.workspace_id`;
