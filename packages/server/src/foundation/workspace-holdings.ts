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

// What an owner can have deleted after some days (docs/PRIVACY.md).
export const agedKinds = ["outputs", "uploads", "history"] as const;
export type AgedKind = (typeof agedKinds)[number];

// Things of one kind from before a moment. Never anything that is still needed, and never a line of the books.
export interface AgedThings {
  readonly kind: AgedKind;
  readonly name: string;
  count(
    db: Queryable,
    old: { readonly workspaceId: WorkspaceId; readonly before: Date },
  ): Promise<{ readonly things: number; readonly bytes: number }>;
  // One batch. Fewer than `count` means that nothing is left for this round.
  remove(
    tx: Queryable,
    old: { readonly workspaceId: WorkspaceId; readonly before: Date; readonly now: Date; readonly count: number },
  ): Promise<number>;
}

export interface WorkspaceHoldings {
  readonly exports?: readonly ExportTable[];
  readonly aged?: readonly AgedThings[];
  // Things that would keep costing money without an owner, counted by plural name. Deletion is refused while there are any.
  countOpen?(db: Queryable, workspaceId: WorkspaceId): Promise<Readonly<Record<string, number>>>;
  // Removes everything, or makes it due for the module's own sweeper. Returns how many of each.
  release?(tx: Queryable, workspaceId: WorkspaceId, now: Date): Promise<Readonly<Record<string, number>>>;
}
