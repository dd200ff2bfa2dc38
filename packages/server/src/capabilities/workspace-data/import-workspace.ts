// Reads an export in: the files first, then all rows in one transaction, so that a kill at any moment leaves no part of the
// workspace. Files of an import that did not end have no reference, and the collector removes them after its grace. Repeating it
// stores the same bytes again, which changes nothing.
import type { Clock } from "../../foundation/clock.ts";
import { errorCode, isUniqueViolation, type Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { newId } from "../../foundation/ids.ts";
import type { ExportRow, ExportTable, WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";
import type { Audit, AuditActor } from "../audit/index.ts";
import { fundWallet } from "../calls/shared-sql.ts";
import { lockWorkspace } from "../identity/shared-sql.ts";
import { type OpenedExport, openExport, requireNoOtherFiles } from "./export-folder.ts";
import type { ExportManifest } from "./export-manifest.ts";
import { type ImportFilesDeps, readFiles } from "./import-files.ts";

export interface ImportDeps extends ImportFilesDeps {
  // One transaction, without a limit of time.
  transaction<T>(run: (tx: Queryable) => Promise<T>): Promise<T>;
  readonly holdings: readonly WorkspaceHoldings[];
  readonly audit: Pick<Audit, "append">;
  readonly clock: Clock;
  readonly poolId: string;
  // The latest migration of this server.
  readonly schema: number;
}

export interface ImportRequest {
  readonly folder: string;
  // The fingerprint that was compared.
  readonly from: string;
  // Verify everything and try it, and keep nothing.
  readonly isCheck: boolean;
  // Grants what the export says was left.
  readonly withCredits: boolean;
  // Lists to leave out, with those that need them.
  readonly without: readonly string[];
  readonly actor: AuditActor;
  // Called with every row.
  see?(list: string, row: ExportRow): void;
}

export interface ImportedList {
  readonly name: string;
  readonly rows: number;
  readonly read: number;
  // Why those that were not read in stay behind. Null if all were.
  readonly why: string | null;
}

export interface Imported {
  readonly manifest: ExportManifest;
  readonly lists: readonly ImportedList[];
  readonly files: number;
  readonly bytes: number;
  // Known here under another id.
  readonly peopleMet: number;
  readonly microCredits: bigint;
}

export async function importWorkspace(deps: ImportDeps, request: ImportRequest): Promise<Imported> {
  const { folder, from, isCheck } = request;
  const all = deps.holdings.flatMap(({ exports = [] }) => exports);
  const tables = new Map(all.map((table) => [table.name, table]));
  const opened = await openExport(folder, { from, schema: deps.schema, tables });
  const left = leftOut(deps.holdings, request.without);
  const chosen = all.filter(({ name }) => !left.has(name));
  await deps.transaction((tx) => requireNotHere(tx, opened.manifest));
  const counted = await countFiles(opened, all, request.see);
  const named = async () => new Set((await gather(opened, all)).map(({ name }) => name));
  const bytes = await readFiles(deps, opened, { tables: all, isCheck });
  await requireNoOtherFiles(folder, counted, named);
  const written = deps.transaction(async (tx) => {
    const result = await readLists({ deps, request, opened, tx }, all, chosen);
    if (isCheck) throw new Tried(result);
    return result;
  });
  const result = await written.catch((thrown: unknown) => {
    if (thrown instanceof Tried) return thrown.result;
    throw thrown;
  });
  return { manifest: opened.manifest, files: counted, bytes, ...result };
}

type Rows = Pick<Imported, "lists" | "peopleMet" | "microCredits">;

// Ends the transaction of a check without a trace.
class Tried extends Error {
  readonly result: Rows;
  constructor(result: Rows) {
    super("only tried");
    this.result = result;
  }
}

async function requireNotHere(tx: Queryable, { workspace }: ExportManifest): Promise<void> {
  const here = await lockWorkspace(tx, workspace.id);
  if (here !== null)
    throw new Fault(
      "conflict",
      `The workspace ${workspace.id} is already here ("${here.name}"). An export is imported once; nothing was changed.`,
    );
}

// With the lists that come after it in the same module: they are about it.
function leftOut(holdings: readonly WorkspaceHoldings[], without: readonly string[]): ReadonlySet<string> {
  const left = new Set<string>();
  for (const name of without) {
    const module = holdings.find(({ exports = [] }) => exports.some((table) => table.name === name))?.exports;
    if (module === undefined) throw new Fault("not_found", `There is no list ${name}.`);
    if (name === "workspace" || name === "members") throw new Fault("conflict", `The list ${name} cannot be left out.`);
    for (const table of module.slice(module.findIndex((table) => table.name === name))) left.add(table.name);
  }
  return left;
}

async function gather(opened: OpenedExport, all: readonly ExportTable[]) {
  const files = [];
  for (const { name, file } of all)
    if (file !== undefined)
      for await (const rows of opened.rows(name)) for (const row of rows) files.push(...[file(row) ?? []].flat());
  return files.filter((file) => !opened.isMissing(file.name));
}

async function countFiles(
  opened: OpenedExport,
  all: readonly ExportTable[],
  see: ImportRequest["see"],
): Promise<number> {
  let count = 0;
  // Lists without files as well: a list that was changed is refused before anything is stored.
  for (const { name, file } of all)
    for await (const rows of opened.rows(name))
      for (const row of rows) {
        see?.(name, row);
        const found = file?.(row) ?? null;
        if (found !== null && !opened.isMissing(found.name)) count++;
      }
  return count;
}

interface Reading {
  readonly deps: ImportDeps;
  readonly request: ImportRequest;
  readonly opened: OpenedExport;
  readonly tx: Queryable;
}

async function readLists(reading: Reading, all: readonly ExportTable[], chosen: readonly ExportTable[]): Promise<Rows> {
  const { deps, request, opened, tx } = reading;
  const { workspace, micro_credits, exported_at, server } = opened.manifest;
  const people = new Map<string, string>();
  const counts = new Map<string, ListCount>();
  for (const table of chosen) counts.set(table.name, await readList(reading, table, people));
  const lists = all.map((table): ImportedList => {
    const rows = opened.manifest.lists[table.name]?.rows ?? 0;
    const { restore, name } = table;
    const { read = 0, why = typeof restore === "string" ? restore : "left out" } = counts.get(name) ?? {};
    return { name, rows, read, why: read === rows ? null : why };
  });
  const microCredits = request.withCredits ? BigInt(micro_credits) : 0n;
  const workspaceId = workspace.id;
  if (microCredits > 0n) await fundWallet(tx, { transactionId: newId(), workspaceId, amount: microCredits });
  await deps.audit.append(tx, {
    actor: request.actor,
    action: "workspace.import",
    subject: { kind: "workspace", id: workspaceId },
    workspaceId,
    after: {
      ...{ from: server.address, signer: request.from, exported_at, micro_credits: String(microCredits) },
      ...Object.fromEntries(lists.filter(({ read }) => read > 0).map(({ name, read }) => [name, read])),
    },
    shown: ["from", "signer", "exported_at"],
  });
  return { lists, peopleMet: people.size, microCredits };
}

interface ListCount {
  readonly read: number;
  readonly why?: string;
}

async function readList(
  { deps, opened, tx, request }: Reading,
  { name, file, restore }: ExportTable,
  people: Map<string, string>,
): Promise<ListCount> {
  if (typeof restore === "string") return { read: 0 };
  const { columns = [], stays } = { columns: restore.people, stays: restore.stays };
  const isGone = (row: ExportRow) =>
    opened.isMissing(file?.(row)?.name ?? "") || opened.isMissing(String(row["asset_id"] ?? ""));
  const whys = new Set<string>();
  let read = 0;
  for await (const given of opened.rows(name)) {
    const moving = given.filter((row) => {
      const why = stays?.test(row) === true ? stays.why : isGone(row) ? "the old server had lost the bytes" : null;
      if (why !== null) whys.add(why);
      return why === null;
    });
    if (moving.length === 0) continue;
    const rows = moving.map((row) => withPeople(row, columns, people));
    const count = await inWords(name, () =>
      restore.read(tx, {
        ...{ rows, people, poolId: deps.poolId, workspaceId: opened.manifest.workspace.id, now: deps.clock.now() },
        json: JSON.stringify(rows),
        head: (one, bytes) => headOf(opened, one, bytes),
        hold: async (held, kind, files) => {
          // A check stores no bytes, so there is nothing to hold.
          if (request.isCheck) return;
          await Promise.all(files.map(({ name: id, hash }) => deps.blobs.hold(held, hash, { kind, id })));
        },
      }),
    );
    if (count !== rows.length)
      throw new Fault(
        "validation_failed",
        `The list ${name} has ${rows.length - count} row(s) of something that is not in the export, or not of this workspace.`,
      );
    read += count;
  }
  return whys.size === 0 ? { read } : { read, why: [...whys].join("; ") };
}

function withPeople(row: ExportRow, columns: readonly string[], people: ReadonlyMap<string, string>): ExportRow {
  const changed = columns.flatMap((column): [string, string][] => {
    const here = people.get(String(row[column]));
    return here === undefined ? [] : [[column, here]];
  });
  return changed.length === 0 ? row : { ...row, ...Object.fromEntries(changed) };
}

async function headOf(opened: OpenedExport, file: { name: string; hash: string }, bytes: number): Promise<Uint8Array> {
  const handle = await opened.openFile(file);
  try {
    const head = Buffer.alloc(bytes);
    const { bytesRead } = await handle.read(head, 0, bytes, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

// What the database refuses is what the export says: an id that is here, or a value that cannot be.
async function inWords<T>(list: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    const code = errorCode(thrown) ?? "";
    const detail = thrown instanceof Error && "detail" in thrown ? `: ${String(thrown.detail)}` : "";
    if (isUniqueViolation(thrown))
      throw new Fault("conflict", `The list ${list} has something that is already here${detail}.`, { cause: thrown });
    const isWrong = thrown instanceof Fault && (thrown.code === "invalid_json" || thrown.code === "validation_failed");
    if (/^2[23]/.test(code) || thrown instanceof TypeError || isWrong)
      throw new Fault(
        "validation_failed",
        `The list ${list} cannot be imported: ${thrown instanceof Error ? thrown.message : code}${detail}.`,
        { cause: thrown },
      );
    throw thrown;
  }
}
