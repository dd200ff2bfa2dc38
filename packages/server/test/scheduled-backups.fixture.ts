// A database with a few blobs, and the keeping of its backups in a place of the test's choice.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BackupDepot, createBackupKeeping, folderDepot } from "../src/capabilities/backup/index.ts";
import { type BlobsFixture, blobsFixture, keepHeld } from "../src/capabilities/blobs/blobs.fixture.ts";
import { backupBlobs } from "../src/capabilities/blobs/index.ts";
import { type Clock, systemClock } from "../src/foundation/clock.ts";
import type { Invariant } from "../src/foundation/database/index.ts";
import { silentLog } from "../src/foundation/log.ts";
import { migrationsDirectory } from "./support/test-database.ts";

export interface KeepingOptions {
  readonly depot?: BackupDepot;
  readonly clock?: Clock;
  readonly keep?: number;
  readonly everySeconds?: number | null;
  readonly invariants?: readonly Invariant[];
  // Another role than the owner of everything.
  readonly connection?: string;
}

export async function backupsFixture() {
  const fixture: BlobsFixture = await blobsFixture();
  const work = await mkdtemp(join(tmpdir(), "atelier-scheduled-"));
  const blobs = fixture.blobs();
  return {
    ...fixture,
    work,
    folder: join(work, "kept"),
    blobsOf: backupBlobs(fixture.storage),
    keepBlob: (text: string) => keepHeld(blobs, Buffer.from(text)),
    keeping(options: KeepingOptions = {}) {
      return createBackupKeeping({
        database: fixture.database,
        connection: options.connection ?? fixture.database.url,
        clock: options.clock ?? systemClock,
        log: silentLog,
        depot: options.depot ?? folderDepot(join(work, "kept")),
        everySeconds: options.everySeconds === undefined ? 3_600 : options.everySeconds,
        keep: options.keep ?? 3,
        blobs: backupBlobs(fixture.storage),
        migrations: migrationsDirectory,
        invariants: options.invariants ?? [],
        workFolder: join(work, ".work"),
      });
    },
    async close() {
      await fixture.close();
      await rm(work, { recursive: true, force: true });
    },
  };
}
