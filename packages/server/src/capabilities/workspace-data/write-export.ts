// Writes an export into a new folder: the lists, the files, and last the signed manifest. Where the database is a snapshot, so is
// the export. Files are hashed as they are copied: what is damaged here must not be refused only there.
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Queryable } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { ExportedFile, WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";
import { findWallet } from "../calls/shared-sql.ts";
import { countOpen } from "./delete-workspace.ts";
import {
  type ExportedList,
  type ExportManifest,
  exportFormat,
  filesName,
  listFile,
  manifestName,
  signatureName,
} from "./export-manifest.ts";
import type { ExportSigner } from "./export-signature.ts";
import { exportWorkspace } from "./export-workspace.ts";

export interface WriteExportDeps {
  readonly database: Queryable;
  readonly holdings: readonly WorkspaceHoldings[];
  // Null: there are no such bytes.
  open(hash: string): Promise<Readable | null>;
  blake3(): Promise<{ update(bytes: Uint8Array): void; digest(): string }>;
  readonly signer: ExportSigner;
}

export interface WrittenExport {
  readonly counts: Readonly<Record<string, number>>;
  readonly missing: readonly string[];
}

// The folder must not exist.
export async function writeExport(
  deps: WriteExportDeps,
  workspaceId: WorkspaceId,
  given: Pick<ExportManifest, "server" | "moving_to"> & { readonly folder: string; readonly at: Date },
): Promise<WrittenExport> {
  const { folder, at, server, moving_to } = given;
  await mkdir(join(folder, filesName), { recursive: true, mode: 0o700 });
  const tables = new Map(deps.holdings.flatMap(({ exports = [] }) => exports.map((table) => [table.name, table])));
  const lists: Record<string, ExportedList> = {};
  const missing: string[] = [];
  let name = "";
  const counts = await exportWorkspace(deps, workspaceId, {
    async list(list, rows) {
      const hash = createHash("sha256");
      let count = 0;
      const lines = async function* () {
        for await (const row of rows) {
          const file = tables.get(list)?.file?.(row) ?? null;
          if (file !== null && !(await copyFile(deps, file, folder))) missing.push(file.name);
          if (list === "workspace") name = String(row["name"]);
          const line = `${JSON.stringify(row)}\n`;
          hash.update(line);
          count++;
          yield line;
        }
      };
      await pipeline(Readable.from(lines()), createWriteStream(join(folder, listFile(list)), { mode: 0o600 }));
      lists[list] = { rows: count, sha256: hash.digest("hex") };
    },
  });
  const { available } = await findWallet(deps.database, workspaceId);
  const open = Object.entries(await countOpen(deps.database, deps.holdings, workspaceId));
  const manifest: ExportManifest = {
    format: exportFormat,
    workspace: { id: workspaceId, name },
    server,
    exported_at: at.toISOString(),
    moving_to,
    open: Object.fromEntries(open.filter(([, running]) => running > 0)),
    micro_credits: String(available),
    lists,
    missing,
  };
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(folder, manifestName), bytes, { mode: 0o600 });
  await writeFile(join(folder, signatureName), `${JSON.stringify(deps.signer.sign(bytes))}\n`, { mode: 0o600 });
  return { counts, missing };
}

// False if the server does not have the bytes, or no longer as they were.
async function copyFile(deps: WriteExportDeps, { name, hash }: ExportedFile, folder: string): Promise<boolean> {
  const source = await deps.open(hash);
  if (source === null) return false;
  const path = join(folder, filesName, name);
  const hasher = await deps.blake3();
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hasher.update(chunk);
      yield chunk;
    }
  };
  await pipeline(source, hashed, createWriteStream(path, { mode: 0o600 }));
  if (hasher.digest() === hash) return true;
  await rm(path, { force: true });
  return false;
}
