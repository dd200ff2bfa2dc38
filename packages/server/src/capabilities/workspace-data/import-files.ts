// The files of an export: hashed as they are read, and stored under their hash, several at once.
import type { Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { ExportedFile, ExportTable } from "../../foundation/workspace-holdings.ts";
import { type OpenedExport, requireFileName } from "./export-folder.ts";

export interface ImportFilesDeps {
  readonly blobs: {
    keep(
      source: AsyncIterable<Uint8Array>,
      options: { readonly bytesMax: number; readonly expectedHash: string; commit(): Promise<void> },
    ): Promise<void>;
    // Throws if the bytes are not here.
    hold(tx: Queryable, hash: string, holder: { readonly kind: string; readonly id: string }): Promise<void>;
  };
  blake3(): Promise<{ update(bytes: Uint8Array): void; digest(): string }>;
}

const atOnce = 4;

// Returns how many bytes they have.
export async function readFiles(
  deps: ImportFilesDeps,
  opened: OpenedExport,
  { tables, isCheck }: { readonly tables: readonly ExportTable[]; readonly isCheck: boolean },
): Promise<number> {
  let bytes = 0;
  const one = async (file: ExportedFile) => {
    bytes += await (isCheck ? hashFile : keepFile)(deps, opened, file);
  };
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  try {
    for (const { name, file } of tables) {
      if (file === undefined) continue;
      for await (const rows of opened.rows(name))
        for (const row of rows) {
          const found = file(row);
          if (found === null) continue;
          requireFileName(found, name);
          if (opened.isMissing(found.name)) continue;
          const reading: Promise<void> = one(found)
            .catch((thrown: unknown) => void failures.push(thrown))
            .finally(() => running.delete(reading));
          running.add(reading);
          if (running.size >= atOnce) await Promise.race(running);
          if (failures.length > 0) throw failures[0];
        }
    }
  } finally {
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
  return bytes;
}

async function keepFile({ blobs }: ImportFilesDeps, opened: OpenedExport, file: ExportedFile): Promise<number> {
  const handle = await opened.openFile(file);
  try {
    const { size } = await handle.stat();
    const source = handle.createReadStream({ autoClose: false });
    // Nothing refers to it yet: the rows come next, all at once.
    const keeping = blobs.keep(source, { bytesMax: size, expectedHash: file.hash, commit: async () => undefined });
    await keeping.catch((thrown: unknown) => {
      throw thrown instanceof Fault && thrown.code === "hash_mismatch" ? changed(file) : thrown;
    });
    return size;
  } finally {
    await handle.close();
  }
}

async function hashFile({ blake3 }: ImportFilesDeps, opened: OpenedExport, file: ExportedFile): Promise<number> {
  const handle = await opened.openFile(file);
  try {
    const hasher = await blake3();
    for await (const chunk of handle.createReadStream({ autoClose: false })) hasher.update(chunk);
    if (hasher.digest() !== file.hash) throw changed(file);
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

const changed = ({ name }: ExportedFile) =>
  new Fault("validation_failed", `files/${name} is not the file that was exported.`);
