// Puts a model where the application looks for models: whole or not at all, and never over another file. The bytes are
// written beside their place under a name that no application lists, checked on the way, flushed, and then given their
// name by a link, which fails where somebody else was first.
import { link, open, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { Fault } from "../../foundation/fault.ts";
import type { ApplicationFolder } from "./application-folder.ts";
import type { ApplicationPath } from "./application-path.ts";
import { checkedSafetensors } from "./safetensors-header.ts";

export interface PlaceModel {
  readonly path: ApplicationPath;
  readonly source: AsyncIterable<Uint8Array>;
  // Whether the file that has this name already is the same.
  isSame(): Promise<boolean>;
}

// Throws conflict when another file has the name, validation_failed when the bytes are no model.
export async function placeModel(folder: ApplicationFolder, { path, source, isSame }: PlaceModel): Promise<void> {
  const place = await folder.prepare(path);
  const partial = join(place.folder, `.${basename(place.target)}.partial`);
  try {
    await writeWhole(partial, checkedSafetensors(source));
    if (!(await giveName(partial, place.target)) && !(await isSame())) throw takenName();
    await flush(place.folder);
  } finally {
    await rm(partial, { force: true });
  }
}

export function takenName(): Fault {
  return new Fault("conflict", "Another model has this name already. Choose another name, or remove that file.");
}

async function writeWhole(partial: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  // What a process that was killed left behind is written over.
  const file = await open(partial, "w", 0o644);
  try {
    for await (const chunk of source) await file.writeFile(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

// False: the name is taken.
async function giveName(partial: string, target: string): Promise<boolean> {
  const linked = await link(partial, target).then(() => null, codeOf);
  if (linked === null) return true;
  if (linked === "EEXIST") return false;
  // A file system without links: the name is taken by an empty file first, which is then replaced.
  const reserved = await open(target, "wx", 0o644).then((file) => file.close().then(() => null), codeOf);
  if (reserved === "EEXIST") return false;
  await rename(partial, target);
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

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
