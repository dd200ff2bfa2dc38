// What the functions of this module share, and their time limits. All times are the database's, so that processes with
// different clocks agree; only the age of files comes from their storage.
import { type Clock, systemClock } from "../../foundation/clock.ts";
import { type Database, groupCommit } from "../../foundation/database/index.ts";
import { type Log, silentLog } from "../../foundation/log.ts";
import { type Blake3Factory, blake3Stream } from "./blake3-stream.ts";
import type { BlobStorage } from "./blob-storage.ts";
import { type Pin, pinBlobs, type WantedPin } from "./blob-store.ts";
import { type BlockPools, blockPools } from "./files/block-pool.ts";
import { type SoundFiles, soundFiles } from "./files/sound-files.ts";
import { type CommitTogether, commitTogether } from "./keeping/commit-together.ts";
import { type HotBlobs, hotBlobs } from "./keeping/hot-blobs.ts";

export interface BlobsOptions {
  readonly database: Database;
  readonly storage: BlobStorage;
  readonly clock?: Clock;
  readonly log?: Log;
  // How long a blob without reference is left alone.
  readonly graceSeconds?: number;
  // How long an upload may take between its last byte and its commit.
  readonly pinSeconds?: number;
  // After this long an unfinished collector counts as dead.
  readonly takeoverSeconds?: number;
  // After this long without a new byte, an upload's temporary file counts as abandoned.
  readonly stagingSeconds?: number;
  // How often every blob is checked.
  readonly scrubEverySeconds?: number;
  readonly blake3?: Blake3Factory;
}

export interface BlobsParts extends Required<BlobsOptions> {
  readonly pools: BlockPools;
  readonly hot: HotBlobs;
  readonly sound: SoundFiles;
  // Concurrent pins share a statement.
  pin(wanted: WantedPin): Promise<Pin | null>;
  readonly commit: CommitTogether;
}

const dayInSeconds = 24 * 3600;

const pinsPerStatement = 64;

export function blobsParts(options: BlobsOptions): BlobsParts {
  const { database, pinSeconds = 3600 } = options;
  return {
    clock: systemClock,
    log: silentLog,
    graceSeconds: dayInSeconds,
    takeoverSeconds: 600,
    stagingSeconds: dayInSeconds,
    scrubEverySeconds: 7 * dayInSeconds,
    blake3: blake3Stream(),
    ...options,
    pinSeconds,
    pools: blockPools(),
    pin: groupCommit({
      maxBatch: pinsPerStatement,
      inFlight: 2,
      run: (wanted: readonly WantedPin[]) => pinBlobs(database, wanted, pinSeconds),
    }),
    commit: commitTogether(database),
    hot: hotBlobs({ clock: options.clock ?? systemClock }),
    sound: soundFiles(options.clock ?? systemClock),
  };
}
