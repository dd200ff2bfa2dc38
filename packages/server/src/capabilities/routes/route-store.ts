// Routes of workspaces and of the server.
import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { RouteDefinition, StoredRoute } from "./model-route.ts";

const columns = sql`id, workspace_id, name, definition, version, created_at, updated_at`;

export async function listRoutes(db: Queryable, workspaceId: WorkspaceId | null): Promise<StoredRoute[]> {
  const rows = await db.query<Row>(sql`
    select ${columns} from model_routes where workspace_id is not distinct from ${workspaceId}::uuid order by name`);
  return rows.map(toRoute);
}

// Writers of the same owner wait for each other, so that none exceeds the number of routes it may have.
export async function lockRoutes(tx: Queryable, workspaceId: WorkspaceId | null): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`model routes ${workspaceId}`}, 0))`);
}

export async function writeRoute(tx: Queryable, route: StoredRoute): Promise<void> {
  await tx.execute(sql`
    insert into model_routes (${columns})
    values (${route.id}, ${route.workspaceId}, ${route.name}, ${JSON.stringify(route.definition)}, ${route.version},
            ${route.createdAt}, ${route.updatedAt})
    on conflict (workspace_id, name) do update
      set definition = excluded.definition, version = excluded.version, updated_at = excluded.updated_at`);
}

export async function deleteRoute(
  tx: Queryable,
  { workspaceId, name }: Pick<StoredRoute, "workspaceId" | "name">,
): Promise<void> {
  await tx.execute(sql`
    delete from model_routes where workspace_id is not distinct from ${workspaceId}::uuid and name = ${name}`);
}

type Row = RowOf<Omit<StoredRoute, "definition">> & { readonly definition: string };

function toRoute({ definition, ...row }: Row): StoredRoute {
  const read: RouteDefinition = JSON.parse(definition);
  return { ...fromRow<Omit<StoredRoute, "definition">>(row), definition: read };
}
