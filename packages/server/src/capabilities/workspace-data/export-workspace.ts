// Exports everything a workspace has: one list of JSON lines per kind of thing, and the bytes of every file. Secrets and
// hashes of keys are not included. The lists are one snapshot if the database is.
import type { Queryable } from "../../foundation/database/database.ts";
import { Fault } from "../../foundation/fault.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { ExportTable, WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export interface ExportSink {
  // The rows of one list, in order; called once per list.
  list(name: string, rows: AsyncIterable<Readonly<Record<string, unknown>>>): Promise<void>;
}

const rowsPerReadUsual = 500;

// Returns how many rows each list has.
export async function exportWorkspace(
  { database, holdings }: { readonly database: Queryable; readonly holdings: readonly WorkspaceHoldings[] },
  workspaceId: WorkspaceId,
  sink: ExportSink,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const table of holdings.flatMap(({ exports = [] }) => exports)) {
    let count = 0;
    const counted = async function* () {
      for await (const row of walk(database, table, workspaceId)) {
        count++;
        yield row;
      }
    };
    await sink.list(table.name, counted());
    if (table.name === "workspace" && count === 0) throw new Fault("not_found", "There is no such workspace.");
    counts[table.name] = count;
  }
  return counts;
}

type ExportRow = Readonly<Record<string, unknown>> & { readonly position: string };

async function* walk(database: Queryable, table: ExportTable, workspaceId: WorkspaceId) {
  const count = table.rowsPerRead ?? rowsPerReadUsual;
  for (let after = ""; ; ) {
    const rows: readonly ExportRow[] = await database.query<ExportRow>(table.rows(workspaceId, after, count));
    for (const { position, ...row } of rows) {
      yield row;
      after = position;
    }
    if (rows.length < count) return;
  }
}
