// Backups in an object store: each below its name, and the bytes of all of them once, below `blobs/`. A blob goes up as soon as
// it is copied, so this machine needs room for the tables and one blob. The manifest goes up last.
import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BlobSource } from "./back-up.ts";
import { type BackupDepot, isScheduledName, type KeptBackup, type Verification, verifiedName } from "./backup-depot.ts";
import { BackupRefused } from "./backup-refused.ts";
import { type Blob, blobFile, unpackBlobList } from "./blob-list.ts";
import { writeVerification } from "./folder-depot.ts";
import { type Manifest, manifestName, readManifest } from "./manifest.ts";
import { checkFile } from "./packed-file.ts";

export interface ObjectStore {
  put(name: string, file: string): Promise<void>;
  get(name: string, file: string): Promise<void>;
  list(prefix: string): AsyncIterable<{ readonly name: string; readonly size: number }>;
  remove(name: string): Promise<void>;
}

export interface ObjectDepotOptions {
  readonly store: ObjectStore;
  // For people, without credentials.
  readonly location: string;
  // Where backups are made before they are sent.
  readonly workFolder: string;
  checkBlob(blob: Blob, file: string): Promise<boolean>;
}

const keyOf = (blob: Blob): string => `blobs/${blob.hash.slice(0, 2)}/${blob.hash}`;

interface Depot extends ObjectDepotOptions {
  // The blobs that the store has, by name, as of the last `reuse`.
  sizes: Map<string, number>;
  // After a removal bytes may be left that no backup needs. So they may be when a process begins.
  isUnsure: boolean;
}

export function objectDepot(options: ObjectDepotOptions): BackupDepot {
  const depot: Depot = { ...options, sizes: new Map(), isUnsure: true };
  const { store, location, workFolder } = depot;
  return {
    location,
    folderFor: (name) => join(workFolder, name),
    hasBlob: async (blob) => depot.sizes.get(keyOf(blob)) === blob.size,
    list: () => listKept(depot),
    remove: (name) => removeBackup(depot, name),
    async reuse(source) {
      depot.sizes = await sizesOf(store, "blobs/");
      return { blobsOf: (tx) => source.blobsOf(tx), copyBlob: (blob, file) => sendBlob(depot, source, blob, file) };
    },
    keep: (name, verification) => sendBackup(depot, name, verification),
    tidy: () => tidy(depot),
    async fetch(name, directory) {
      const { tables, blobs } = await getManifest(depot, name, directory);
      for (const { file } of tables) await store.get(`${name}/${file}`, join(directory, file));
      if (blobs === null) return;
      await store.get(`${name}/${blobs.file}`, join(directory, blobs.file));
      for await (const blob of unpackBlobList(directory, blobs))
        await store.get(keyOf(blob), join(directory, blobFile(blob)));
    },
  };
}

async function sizesOf(store: ObjectStore, prefix: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for await (const { name, size } of store.list(prefix)) found.set(name, size);
  return found;
}

async function sendBlob(
  { sizes, store, checkBlob }: Depot,
  source: BlobSource,
  blob: Blob,
  file: string,
): Promise<void> {
  if (sizes.get(keyOf(blob)) === blob.size) return;
  await source.copyBlob(blob, file);
  if (!(await checkBlob(blob, file))) throw new BackupRefused(`The blob ${blob.hash} is damaged in the blob store.`);
  await store.put(keyOf(blob), file);
  await rm(file);
  sizes.set(keyOf(blob), blob.size);
}

async function sendBackup(
  { store, workFolder }: Depot,
  name: string,
  verification: Verification | null,
): Promise<void> {
  const directory = join(workFolder, name);
  if (verification !== null) await writeVerification(directory, verification);
  const { tables, blobs } = await readManifest(directory, undefined);
  const files = [...tables, ...(blobs === null ? [] : [blobs])].map(({ file }) => file);
  if (verification !== null) files.push(verifiedName);
  for (const file of [...files, manifestName]) await store.put(`${name}/${file}`, join(directory, file));
  await rm(directory, { recursive: true, force: true });
}

async function listKept({ store }: Depot): Promise<readonly KeptBackup[]> {
  const found = await sizesOf(store, "scheduled-");
  return namesIn(found)
    .filter((name) => found.has(`${name}/${manifestName}`))
    .toReversed()
    .map((name) => ({ name, isVerified: found.has(`${name}/${verifiedName}`) }));
}

const namesIn = (found: ReadonlyMap<string, number>): string[] =>
  [...new Set([...found.keys()].map((key) => key.split("/")[0] ?? ""))].filter(isScheduledName).toSorted();

// The manifest goes first: what is interrupted after that is no backup any more.
async function removeBackup(depot: Depot, name: string): Promise<void> {
  depot.isUnsure = true;
  await depot.store.remove(`${name}/${manifestName}`);
  for (const key of (await sizesOf(depot.store, `${name}/`)).keys()) await depot.store.remove(key);
}

async function tidy(depot: Depot): Promise<void> {
  const { store, workFolder } = depot;
  for (const entry of await readdir(workFolder).catch(() => []))
    if (/^(list|scheduled)-/.test(entry)) await rm(join(workFolder, entry), { recursive: true, force: true });
  const kept = await listKept(depot);
  const whole = new Set(kept.map(({ name }) => name));
  for (const name of namesIn(await sizesOf(store, "scheduled-"))) if (!whole.has(name)) await removeBackup(depot, name);
  if (!depot.isUnsure) return;
  await removeUnneeded(depot, kept);
  depot.isUnsure = false;
}

// A list that cannot be read ends this before anything is removed.
async function removeUnneeded(depot: Depot, kept: readonly KeptBackup[]): Promise<void> {
  const { store, workFolder } = depot;
  const needed = new Set<string>();
  for (const { name } of kept) {
    const directory = join(workFolder, `list-${randomBytes(4).toString("hex")}`);
    try {
      const { blobs } = await getManifest(depot, name, directory);
      if (blobs === null) continue;
      await store.get(`${name}/${blobs.file}`, join(directory, blobs.file));
      await checkFile(directory, blobs);
      for await (const blob of unpackBlobList(directory, blobs)) needed.add(keyOf(blob));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
  for (const key of (await sizesOf(store, "blobs/")).keys()) if (!needed.has(key)) await store.remove(key);
}

async function getManifest({ store }: Depot, name: string, directory: string): Promise<Manifest> {
  await store.get(`${name}/${manifestName}`, join(directory, manifestName));
  return readManifest(directory, undefined);
}
