// Puts a model where the application looks for models: whole or not at all, and never over another file. The bytes are
// written next to their path under a name that no application lists and no other writer uses, checked while writing,
// flushed, and then linked to their name, which fails if another process was first. Several processes may share the
// folder. A process that finds the name taken removes the partial files of others, whether those are dead or just too
// late.
import { createHash, randomBytes } from "node:crypto";
import { link, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Fault } from "../../foundation/fault.ts";
import type { ApplicationFolder } from "./application-folder.ts";
import type { ApplicationPath } from "./application-path.ts";
import { checkedSafetensors } from "./safetensors-header.ts";

export interface PlaceModel {
  readonly path: ApplicationPath;
  readonly source: AsyncIterable<Uint8Array>;
  // Whether the existing file of this name is the same.
  isSame(): Promise<boolean>;
}

// A live writer writes continuously. A partial file last written longer ago belongs to a dead process and may fill the
// disk.
const abandonedMs = 3_600_000;

// Throws conflict if another file has the name, validation_failed if the bytes are not a model.
export async function placeModel(folder: ApplicationFolder, { path, source, isSame }: PlaceModel): Promise<void> {
  const location = await folder.prepare(path);
  const begun = beginningOf(location.target);
  const partial = join(location.folder, `${begun}${randomBytes(8).toString("hex")}.partial`);
  try {
    await writeFile(partial, "", { flag: "wx", mode: 0o644 });
    // By the file system's clock, local or not.
    const { mtimeMs } = await stat(partial);
    await clear(location.folder, begun, mtimeMs - abandonedMs);
    await writeWhole(partial, checkedSafetensors(source));
    const isFirst = await giveName(partial, location.target);
    await clear(location.folder, begun, Number.POSITIVE_INFINITY);
    if (!isFirst && !(await isSame())) throw takenName();
    await flush(location.folder);
  } finally {
    await rm(partial, { force: true });
  }
}

// The prefix of all partial files of a model. Its length is fixed, so that long names still fit.
function beginningOf(target: string): string {
  return `.atelier-${createHash("sha256").update(basename(target)).digest("hex").slice(0, 16)}-`;
}

// Removes partial files last written before this moment.
async function clear(folder: string, begun: string, beforeMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(begun) || !name.endsWith(".partial")) continue;
    const part = join(folder, name);
    const written = await stat(part).catch(() => null);
    // If an open file cannot be removed, its writer does it.
    if (written && written.mtimeMs < beforeMs) await rm(part, { force: true }).catch(() => undefined);
  }
}

export function takenName(): Fault {
  return new Fault("conflict", "Another model already has this name. Choose another name, or remove that file.");
}

async function writeWhole(partial: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(partial, "w", 0o644);
  try {
    for await (const chunk of source) await file.writeFile(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

// False if the name is taken.
async function giveName(partial: string, target: string): Promise<boolean> {
  const linked = await link(partial, target).then(() => null, readErrorCode);
  if (linked === null) return true;
  if (linked === "EEXIST") return false;
  // On a file system without links, we reserve the name with an empty file and then replace it.
  const reserved = await open(target, "wx", 0o644).then((file) => file.close().then(() => null), readErrorCode);
  if (reserved === "EEXIST") return false;
  await rename(partial, target).catch(async (error: unknown) => {
    await rm(target, { force: true });
    throw error;
  });
  return true;
}

async function flush(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync().catch(() => undefined);
  } finally {
    await handle.close();
  }
}

function readErrorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
