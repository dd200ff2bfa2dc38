// Backups in a folder. Equal blobs of several backups are one file with several names, so a further backup takes the space of
// what is new.
import { cp, link, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type BackupDepot, isScheduledName, type KeptBackup, type Verification, verifiedName } from "./backup-depot.ts";
import { BackupRefused } from "./backup-refused.ts";
import { blobFile } from "./blob-list.ts";
import { manifestName } from "./manifest.ts";

export function folderDepot(folder: string): BackupDepot {
  const location = resolve(folder);
  const pathOf = (name: string) => join(location, name);
  return {
    location,
    folderFor: pathOf,
    async reuse(source, isTrusted) {
      const newest = isTrusted ? (await listKept(location))[0] : undefined;
      if (newest === undefined) return source;
      return {
        blobsOf: (tx) => source.blobsOf(tx),
        async copyBlob(blob, file) {
          const before = join(pathOf(newest.name), blobFile(blob));
          const isThere = (await stat(before).catch(() => undefined))?.size === blob.size;
          // Some file systems know no further names, and a file has a limited number of them.
          const isLinked =
            isThere &&
            (await link(before, file).then(
              () => true,
              () => false,
            ));
          if (!isLinked) await source.copyBlob(blob, file);
        },
      };
    },
    hasBlob: null,
    async keep(name, verification) {
      if (verification !== null) await writeVerification(pathOf(name), verification);
    },
    list: () => listKept(location),
    remove: (name) => removeBackup(pathOf(name)),
    async tidy() {
      for (const entry of await readdir(location).catch(() => []))
        if (isRemains(entry)) await rm(pathOf(entry), { recursive: true, force: true });
      for (const entry of await readdir(location).catch(() => []))
        if (isScheduledName(entry) && !(await exists(join(pathOf(entry), manifestName))))
          await removeBackup(pathOf(entry));
    },
    async fetch(name, directory) {
      if (!(await exists(join(pathOf(name), manifestName))))
        throw new BackupRefused(`There is no complete backup ${name} in ${location}.`);
      await cp(pathOf(name), directory, { recursive: true, errorOnExist: true, force: false });
    },
  };
}

export async function writeVerification(directory: string, verification: Verification): Promise<void> {
  const file = join(directory, verifiedName);
  await writeFile(`${file}.new`, `${JSON.stringify(verification, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}

// What a killed process was making.
function isRemains(entry: string): boolean {
  const [name = "", ending] = entry.split(".partial-");
  return ending !== undefined && isScheduledName(name);
}

async function listKept(location: string): Promise<readonly KeptBackup[]> {
  const kept: KeptBackup[] = [];
  for (const name of (await readdir(location).catch(() => [])).filter(isScheduledName).toSorted().reverse()) {
    if (!(await exists(join(location, name, manifestName)))) continue;
    kept.push({ name, isVerified: await exists(join(location, name, verifiedName)) });
  }
  return kept;
}

// Without its manifest it is no backup any more, so a removal that is interrupted leaves nothing that looks like one.
async function removeBackup(path: string): Promise<void> {
  await rm(join(path, manifestName), { force: true });
  await rm(path, { recursive: true, force: true });
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
