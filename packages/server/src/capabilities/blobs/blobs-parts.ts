// What the functions of this module work with, and the times they go by. All times are the database's, so that processes
// with differing clocks agree; only the age of files is told by their own storage.
import { type Clock, systemClock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { type Log, silentLog } from "../../foundation/log.ts";
import { type Blake3Factory, blake3Stream } from "./blake3-stream.ts";
import type { BlobStorage } from "./blob-storage.ts";
import { type BlockPools, blockPools } from "./block-pool.ts";

export interface BlobsOptions {
  readonly database: Database;
  readonly storage: BlobStorage;
  readonly clock?: Clock;
  readonly log?: Log;
  // How long what nobody refers to is left alone.
  readonly graceSeconds?: number;
  // How long an upload may take between its last byte and its commit.
  readonly pinSeconds?: number;
  // After this long a collector that did not finish counts as dead.
  readonly takeoverSeconds?: number;
  // After this long without a new byte an upload's temporary place counts as left behind.
  readonly stagingSeconds?: number;
  // How often every blob is looked at.
  readonly scrubEverySeconds?: number;
  readonly blake3?: Blake3Factory;
}

export interface BlobsParts extends Required<BlobsOptions> {
  readonly pools: BlockPools;
}

const dayInSeconds = 24 * 3600;

export function blobsParts(options: BlobsOptions): BlobsParts {
  return {
    clock: systemClock,
    log: silentLog,
    graceSeconds: dayInSeconds,
    pinSeconds: 3600,
    takeoverSeconds: 600,
    stagingSeconds: dayInSeconds,
    scrubEverySeconds: 7 * dayInSeconds,
    blake3: blake3Stream(),
    ...options,
    pools: blockPools(),
  };
}
