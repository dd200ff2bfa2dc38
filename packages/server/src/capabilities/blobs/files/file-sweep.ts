// Sweeps what dead processes left in tmp: unfinished uploads, and files being removed. The latter are examined at any
// age, because they may be the bytes of a live blob (see removeFile); those are put back.
import { join } from "node:path";
import type { SweepOptions, SweepReport } from "../blob-storage.ts";
import { type FileSite, folderOf, linkIfAbsent, nullIfAbsent, unlinkIfThere } from "./file-site.ts";

const goingPattern = /^([0-9a-f]{64})\.[0-9a-f-]{36}\.going$/;

export async function sweepFiles(site: FileSite, options: SweepOptions): Promise<SweepReport> {
  let removed = 0;
  let restored = 0;
  await site.folders.ensure("tmp");
  for (const name of await site.files.readdir(site.tmp)) {
    const path = join(site.tmp, name);
    const hash = goingPattern.exec(name)?.[1];
    if (hash === undefined) {
      if (!(await isOlder(site, path, options.before))) continue;
      removed++;
      if (!options.dryRun) await unlinkIfThere(site.files, path);
      continue;
    }
    const goesBack = (await options.isWanted(hash)) && (await isMissing(site, site.fileOf(hash)));
    if (goesBack) restored++;
    else removed++;
    if (options.dryRun) continue;
    if (goesBack) await putBack(site, hash, path);
    await unlinkIfThere(site.files, path);
  }
  return { removed, restored };
}

async function putBack(site: FileSite, hash: string, path: string): Promise<void> {
  const folder = await site.folders.ensure(folderOf(hash));
  await linkIfAbsent(site.files, path, site.fileOf(hash));
  await site.folders.sync(folder);
}

async function isOlder(site: FileSite, path: string, before: Date): Promise<boolean> {
  const found = await nullIfAbsent(site.files.stat(path));
  return found !== null && found.mtime < before;
}

async function isMissing(site: FileSite, path: string): Promise<boolean> {
  return (await nullIfAbsent(site.files.stat(path))) === null;
}
