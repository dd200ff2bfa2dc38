// Everything a workspace has, as it can be taken along: one list of JSON lines per kind of thing, and the bytes of every
// file. Secrets and hashes of keys are not part of it. One list is read as of one moment or another: what changes while
// it is written may be in it or not.
import type { Queryable } from "../../foundation/database/database.ts";
import { Fault } from "../../foundation/fault.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { type ExportRow, exportTables, readExportRows } from "./export-store.ts";

export interface ExportSink {
  // The rows of one list, in order; called once for each list.
  list(name: string, rows: AsyncIterable<Readonly<Record<string, unknown>>>): Promise<void>;
}

const rowsPerRead = 500;

// How many rows each list has.
export async function exportWorkspace(
  database: Queryable,
  workspaceId: WorkspaceId,
  sink: ExportSink,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const table of exportTables) {
    let count = 0;
    const walk = async function* () {
      for (let after = ""; ; ) {
        const rows: readonly ExportRow[] = await readExportRows(database, table, {
          workspaceId,
          after,
          count: rowsPerRead,
        });
        for (const { position, ...row } of rows) {
          yield row;
          after = position;
          count++;
        }
        if (rows.length < rowsPerRead) return;
      }
    };
    await sink.list(table.name, walk());
    if (table.name === "workspace" && count === 0) throw new Fault("not_found", "There is no such workspace.");
    counts[table.name] = count;
  }
  return counts;
}
