// What a module holds for one workspace: how to export it, how to read that in at another server, what is still running, and how
// to release it. Every module describes its own tables, and the export, import and deletion of a workspace ask all of them.
import type { Queryable } from "./database/database.ts";
import type { Statement } from "./database/sql.ts";
import type { WorkspaceId } from "./ids.ts";

export interface ExportTable {
  readonly name: string;
  // Rows sorted by a text column `position`, starting after `after`; "" is before all. List the columns one by one: hashes of
  // keys, sealed secrets and fingerprints must never leave.
  rows(workspaceId: WorkspaceId, after: string, count: number): Statement;
  // Each read sorts what is left of the list, so lists that get long read more at a time if their rows are short.
  readonly rowsPerRead?: number;
  // The bytes that go with a row. They are exported under this name, which is an id, and verified by this BLAKE3 hash.
  file?(row: ExportRow): ExportedFile | null;
  // How another server reads the list in, or the reason why it does not. Lists are read in in their order: what rows refer to comes
  // before them.
  readonly restore: ListRestore | string;
}

export type ExportRow = Readonly<Record<string, unknown>>;

export interface ExportedFile {
  readonly name: string;
  readonly hash: string;
}

export interface ListRestore {
  // Columns with ids of people, who may be known under other ids at the other server.
  readonly people?: readonly string[];
  // Rows that do not move, and the reason.
  readonly stays?: { readonly why: string; readonly test: (row: ExportRow) => boolean };
  // Returns how many of the rows could be read in; if that is not all of them, nothing of the export is. Rows name no workspace and
  // belong to this one. What a row refers to must belong to it as well: check it, because ids are all that an export has.
  read(tx: Queryable, batch: RestoreBatch): Promise<number>;
}

export interface RestoreBatch {
  readonly workspaceId: WorkspaceId;
  readonly now: Date;
  readonly rows: readonly ExportRow[];
  // The same as a JSON array, for jsonb_to_recordset.
  readonly json: string;
  // People of the export who have another id here. The list of people adds to it.
  readonly people: Map<string, string>;
  // Where the workspace's jobs are found at this server.
  readonly poolId: string;
  // The first bytes of a file.
  head(file: ExportedFile, bytes: number): Promise<Uint8Array>;
  // References bytes that are stored already.
  hold(tx: Queryable, holderKind: string, files: readonly ExportedFile[]): Promise<void>;
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
