// Loads all rows of a backup in one transaction. Foreign keys are dropped first and added again over the loaded rows: so
// tables need no order, cycles are fine, every row is still checked, and it is faster than row by row. Triggers are
// disabled meanwhile, because the rows are history and not events. Both need only the owner's rights.
import type { DedicatedConnection } from "../../foundation/database/index.ts";
import type { Log } from "../../foundation/log.ts";
import { BackupRefused } from "./backup-refused.ts";
import {
  addForeignKey,
  copyInStatement,
  deleteSeeds,
  disableTrigger,
  dropForeignKey,
  enableTrigger,
  listForeignKeys,
  listTables,
  listTriggers,
  setSequence,
} from "./backup-store.ts";
import type { Manifest, TableEntry } from "./manifest.ts";
import { unpackFile } from "./packed-file.ts";

export async function loadRows(
  db: DedicatedConnection,
  directory: string,
  manifest: Manifest,
  log: Log,
): Promise<number> {
  return db.inTransaction("read write", async () => {
    await checkShape(db, manifest);
    const foreignKeys = await listForeignKeys(db);
    const triggers = await listTriggers(db);
    for (const trigger of triggers) await disableTrigger(db, trigger);
    for (const key of foreignKeys) await dropForeignKey(db, key);
    for (const table of manifest.tables) await deleteSeeds(db, table);
    let rows = 0;
    for (const table of manifest.tables) {
      rows += await loadTable(db, directory, table);
      log.debug({ table: table.name, rows: table.rows }, "table restored");
    }
    for (const sequence of manifest.sequences) await setSequence(db, sequence);
    for (const key of foreignKeys) await addForeignKey(db, key);
    for (const trigger of triggers) await enableTrigger(db, trigger);
    return rows;
  });
}

async function loadTable(db: DedicatedConnection, directory: string, table: TableEntry): Promise<number> {
  const rows = await db.copyIn(copyInStatement(table), unpackFile(directory, table));
  if (rows !== table.rows) throw new BackupRefused(`Table ${table.name} has ${rows} rows instead of ${table.rows}.`);
  return rows;
}

async function checkShape(db: DedicatedConnection, manifest: Manifest): Promise<void> {
  const shape = (tables: readonly { name: string; columns: readonly string[] }[]) =>
    tables.map((table) => `${table.name}(${[...table.columns].sort().join(",")})`).sort();
  const [wanted, found] = [shape(manifest.tables), shape(await listTables(db))];
  const odd = [...wanted.filter((line) => !found.includes(line)), ...found.filter((line) => !wanted.includes(line))];
  if (odd.length > 0) throw new BackupRefused(`The backup's tables do not match its version: ${odd.join("; ")}.`);
}
