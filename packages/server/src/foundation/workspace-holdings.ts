// What a module holds for one workspace: how to export it, what is still running, and how to release it. Every module describes
// its own tables, and the export and deletion of a workspace ask all of them.
import type { Queryable } from "./database/database.ts";
import type { Statement } from "./database/sql.ts";
import type { WorkspaceId } from "./ids.ts";

export interface ExportTable {
  readonly name: string;
  // Rows sorted by a text column `position`, starting after `after`; "" is before all. List the columns one by one: hashes of
  // keys, sealed secrets and fingerprints must never leave.
  rows(workspaceId: WorkspaceId, after: string, count: number): Statement;
}

export interface WorkspaceHoldings {
  readonly exports?: readonly ExportTable[];
  // Things that would keep costing money without an owner, counted by plural name. Deletion is refused while there are any.
  countOpen?(db: Queryable, workspaceId: WorkspaceId): Promise<Readonly<Record<string, number>>>;
  // Removes everything, or makes it due for the module's own sweeper. Returns how many of each.
  release?(tx: Queryable, workspaceId: WorkspaceId, now: Date): Promise<Readonly<Record<string, number>>>;
}
