// What a module holds of one workspace: how it can be taken along, what still runs, and how it is let go. Every module says
// it of its own tables, and the export and deletion of a workspace ask all of them.
import type { Queryable } from "./database/database.ts";
import type { Statement } from "./database/sql.ts";
import type { WorkspaceId } from "./ids.ts";

export interface ExportTable {
  readonly name: string;
  // Rows in the order of a text column `position`, those behind `after` only; "" is before all. Columns are named one by
  // one: hashes of keys, sealed secrets and fingerprints never leave.
  rows(workspaceId: WorkspaceId, after: string, count: number): Statement;
}

export interface WorkspaceHoldings {
  readonly exports?: readonly ExportTable[];
  // What would go on being paid without an owner, by its name in the plural: the deletion is refused while there is any.
  countOpen?(db: Queryable, workspaceId: WorkspaceId): Promise<Readonly<Record<string, number>>>;
  // Removes it, or makes it due for the module's own sweeper. How many of each.
  release?(tx: Queryable, workspaceId: WorkspaceId, now: Date): Promise<Readonly<Record<string, number>>>;
}
