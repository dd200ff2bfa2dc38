import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import { parseId, trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import type { Workspace } from "./workspace.ts";

export interface ExternalWorkspace {
  readonly issuer: string;
  readonly externalId: string;
}

// False if the external issuer's workspace already exists.
export async function insertWorkspace(
  db: Queryable,
  workspace: Workspace,
  external: ExternalWorkspace | null = null,
): Promise<boolean> {
  const rows = await db.execute(sql`
    insert into workspaces (id, name, issuer, external_id, created_at)
    values (${workspace.id}, ${workspace.name}, ${external?.issuer ?? null}, ${external?.externalId ?? null},
      ${workspace.createdAt})
    on conflict (issuer, external_id) do nothing`);
  return rows === 1;
}

export async function findWorkspace(db: Queryable, workspaceId: WorkspaceId): Promise<Workspace | null> {
  const [row] = await db.query<WorkspaceRow>(sql`
    select id, name, created_at from workspaces where id = ${workspaceId}`);
  return row === undefined ? null : toWorkspace(row);
}

// Not limited to a workspace on purpose: only operators ask.
export async function listWorkspaces(
  db: Queryable,
  page: { after: WorkspaceId | null; count: number },
): Promise<Workspace[]> {
  const rows = await db.query<WorkspaceRow>(sql`
    select id, name, created_at from workspaces
    where ${page.after}::uuid is null or id > ${page.after}::uuid
    order by id limit ${page.count}`);
  return rows.map(toWorkspace);
}

// Locks the workspace until the transaction ends. A transaction that counts keys or owners and then writes comes here
// first.
export async function lockWorkspace(db: Queryable, workspaceId: WorkspaceId): Promise<Workspace | null> {
  const [row] = await db.query<WorkspaceRow>(sql`
    select id, name, created_at from workspaces where id = ${workspaceId} for update`);
  return row === undefined ? null : toWorkspace(row);
}

// An issuer names a workspace by its own name for it or, if it knows ours, by our id.
export async function findNamedWorkspace(db: Queryable, named: ExternalWorkspace): Promise<WorkspaceId | null> {
  const [row] = await db.query<{ id: string }>(sql`
    select id from workspaces
    where (issuer = ${named.issuer} and external_id = ${named.externalId})
      or id = ${parseId<"workspace">(named.externalId)}::uuid
    order by (issuer is not distinct from ${named.issuer}) desc limit 1`);
  return row === undefined ? null : trustedId(row.id);
}

export async function renameWorkspace(db: Queryable, workspaceId: WorkspaceId, name: string): Promise<void> {
  await db.execute(sql`update workspaces set name = ${name} where id = ${workspaceId}`);
}

export async function findEntitlements(
  db: Queryable,
  workspaceId: WorkspaceId,
): Promise<{ patterns: string[] | null; routerEnabled: boolean } | null> {
  const [row] = await db.query<{ entitlements: string[] | null; router_enabled: boolean }>(sql`
    select entitlements, router_enabled from workspaces where id = ${workspaceId}`);
  return row === undefined ? null : { patterns: row.entitlements, routerEnabled: row.router_enabled };
}

export async function updateEntitlements(
  db: Queryable,
  workspaceId: WorkspaceId,
  patterns: readonly string[] | null,
): Promise<void> {
  await db.execute(sql`update workspaces set entitlements = ${patterns} where id = ${workspaceId}`);
}

export async function updateRouterGate(db: Queryable, workspaceId: WorkspaceId, enabled: boolean): Promise<void> {
  await db.execute(sql`update workspaces set router_enabled = ${enabled} where id = ${workspaceId}`);
}

type WorkspaceRow = RowOf<Workspace>;

const toWorkspace = fromRow<Workspace>;
