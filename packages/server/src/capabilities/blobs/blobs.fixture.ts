// Shared by the tests of blobs: a database, a folder, and blobs held by name.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { type Queryable, sql } from "../../foundation/database/index.ts";
import { newId } from "../../foundation/ids.ts";
import { blobInvariants } from "./blob-invariants-store.ts";
import type { BlobStorage } from "./blob-storage.ts";
import { type Blobs, createBlobs } from "./blobs.ts";
import type { BlobsOptions } from "./blobs-parts.ts";
import { fileBlobStorage } from "./files/blob-storage.filesystem.ts";
import type { KeptBlob } from "./keeping/keep-blob.ts";

export interface BlobsFixture {
  readonly database: TestDatabase;
  readonly directory: string;
  readonly storage: BlobStorage;
  blobs(options?: Partial<BlobsOptions>): Blobs;
  // Names of files below tmp and blobs.
  filesIn(folder: "tmp" | "blobs"): Promise<string[]>;
  pathOf(hash: string): string;
  // Makes everything look that old.
  age(interval: string): Promise<void>;
  close(): Promise<void>;
}

export const reserve = { bytes: 0, share: 0 };
export const never = new AbortController().signal;

export async function blobsFixture(): Promise<BlobsFixture> {
  const database = await testDatabase();
  const directory = await mkdtemp(join(tmpdir(), "atelier-blobs-"));
  const storage = fileBlobStorage({ directory, reserve });
  return {
    database,
    directory,
    storage,
    blobs: (options) => createBlobs({ database, storage, ...options }),
    async filesIn(folder) {
      const found = await readdir(join(directory, folder), { recursive: true, withFileTypes: true }).catch(() => []);
      return found.filter((entry) => entry.isFile()).map((entry) => entry.name);
    },
    pathOf: (hash) => join(directory, "blobs", hash.slice(0, 2), hash),
    async age(interval) {
      await database.execute(sql`
        update blobs set touched_at = touched_at - ${interval}::interval, checked_at = checked_at - ${interval}::interval,
          deleting_since = deleting_since - ${interval}::interval`);
      await database.execute(sql`update blob_pins set expires_at = expires_at - ${interval}::interval`);
    },
    async close() {
      await database.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export async function* inChunks(bytes: Uint8Array, chunkBytes = 64 * 1024): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

export interface HeldBlob extends KeptBlob {
  readonly holder: { readonly kind: string; readonly id: string };
}

export const newHolder = () => ({ kind: "test", id: newId() });

export function keepHeld(
  blobs: Blobs,
  bytes: Uint8Array,
  options: { expectedHash?: string; signal?: AbortSignal; holder?: HeldBlob["holder"] } = {},
): Promise<HeldBlob> {
  const { holder = newHolder(), ...rest } = options;
  return blobs.keep(inChunks(bytes), {
    bytesMax: 1024 ** 3,
    ...rest,
    async commit(tx, blob) {
      await blobs.hold(tx, blob.hash, holder);
      return { ...blob, holder };
    },
  });
}

export async function readWhole(blobs: Blobs, hash: string): Promise<Buffer | null> {
  const found = await blobs.open(hash);
  return found && buffer(found.stream);
}

export async function brokenInvariants(db: Queryable): Promise<string[]> {
  const broken: string[] = [];
  for (const { name, statement } of blobInvariants) {
    if ((await db.query(statement)).length > 0) broken.push(name);
  }
  return broken;
}

export async function countRows(db: Queryable) {
  const [row] = await db.query<{ blobs: number; pins: number; references: number }>(sql`
    select (select count(*)::integer from blobs) as blobs, (select count(*)::integer from blob_pins) as pins,
      (select count(*)::integer from blob_references) as references`);
  return row;
}
