// Changes of works. Everything that publishes or changes a work first locks the row of the workspace's provider, so two
// publishers of one name come one after the other and versions have no gaps.
import { type Queryable, sql } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { PublishedVersion, PublishedWork, WorkId } from "./published-work.ts";

// Reserves the provider unless the workspace has one. Returns the workspace's provider, locked until the transaction ends; null
// if another workspace has the one that was asked for.
export async function reserveProvider(
  tx: Queryable,
  { workspaceId, provider, at }: { readonly workspaceId: WorkspaceId; readonly provider: string; readonly at: Date },
): Promise<string | null> {
  await tx.execute(sql`
    insert into work_providers (provider, workspace_id, created_at) values (${provider}, ${workspaceId}, ${at})
    on conflict do nothing`);
  return lockProvider(tx, workspaceId);
}

export async function lockProvider(tx: Queryable, workspaceId: WorkspaceId): Promise<string | null> {
  const [row] = await tx.query<{ provider: string }>(sql`
    select provider from work_providers where workspace_id = ${workspaceId} for update`);
  return row?.provider ?? null;
}

export type WorkFields = Pick<
  PublishedWork,
  "title" | "description" | "visibility" | "version" | "versions" | "cover" | "deprecatedAt" | "sunsetAt"
>;

export async function insertWork(
  tx: Queryable,
  work: WorkFields & Pick<PublishedWork, "id" | "workspaceId" | "modelId" | "name"> & { readonly at: Date },
): Promise<void> {
  await tx.execute(sql`
    insert into published_works (id, workspace_id, model_id, name, title, description, visibility, version, versions, revision, cover,
      deprecated_at, sunset_at, created_at, updated_at)
    values (${work.id}, ${work.workspaceId}, ${work.modelId}, ${work.name}, ${work.title}, ${work.description},
      ${work.visibility}, ${work.version}, ${work.versions}, 1, ${work.cover}, ${work.deprecatedAt}, ${work.sunsetAt},
      ${work.at}, ${work.at})`);
}

export async function replaceWork(
  tx: Queryable,
  { workspaceId, id }: Pick<PublishedWork, "workspaceId" | "id">,
  fields: WorkFields & { readonly at: Date },
): Promise<void> {
  await tx.execute(sql`
    update published_works set title = ${fields.title}, description = ${fields.description}, visibility = ${fields.visibility},
      version = ${fields.version}, versions = ${fields.versions}, cover = ${fields.cover},
      deprecated_at = ${fields.deprecatedAt}, sunset_at = ${fields.sunsetAt}, revision = revision + 1, updated_at = ${fields.at}
    where id = ${id} and workspace_id = ${workspaceId}`);
}

// The rows of the table are the workspaces that may call the work, so a work that is not shared has none.
export async function replaceShares(
  tx: Queryable,
  modelId: string,
  workspaceIds: readonly WorkspaceId[],
): Promise<void> {
  await tx.execute(sql`
    delete from work_shares where model_id = ${modelId} and workspace_id <> all (${workspaceIds}::uuid[])`);
  await tx.execute(sql`
    insert into work_shares (workspace_id, model_id)
    select given, ${modelId} from unnest(${workspaceIds}::uuid[]) as given on conflict do nothing`);
}

export interface NewWorkVersion extends Omit<PublishedVersion, "createdAt" | "createdByKind" | "createdById"> {
  readonly workId: WorkId;
  readonly workspaceId: WorkspaceId;
  readonly graph: Buffer;
  readonly fingerprint: Buffer;
  readonly createdByKind: "person" | "key";
  readonly createdById: string;
  readonly at: Date;
}

export async function insertWorkVersion(tx: Queryable, given: NewWorkVersion): Promise<void> {
  await tx.execute(sql`
    insert into work_versions (work_id, version, workspace_id, workflow_id, workflow_version, graph, form, needs, examples,
      fingerprint, note, created_at, created_by_kind, created_by_id)
    values (${given.workId}, ${given.version}, ${given.workspaceId}, ${given.workflowId}, ${given.workflowVersion},
      ${given.graph}, ${given.form}, ${JSON.stringify(given.needs)}::jsonb, ${given.examples}::jsonb,
      ${given.fingerprint}, ${given.note}, ${given.at}, ${given.createdByKind}, ${given.createdById})`);
}

export async function deleteWork(
  tx: Queryable,
  { workspaceId, id }: Pick<PublishedWork, "workspaceId" | "id">,
): Promise<void> {
  await tx.execute(sql`delete from published_works where id = ${id} and workspace_id = ${workspaceId}`);
}
