// Blobs in a backup: which ones a snapshot needs, and copying their bytes out and back in. On the way back we hash them
// again, so that a damaged backup is noticed before anything is written.
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Queryable } from "../../../foundation/database/index.ts";
import { blake3Stream } from "../blake3-stream.ts";
import type { BlobStorage } from "../blob-storage.ts";
import { listKeptBlobs } from "../blob-store.ts";

export interface BackedUpBlob {
  readonly hash: string;
  readonly size: number;
}

export function backupBlobs(storage: BlobStorage) {
  const blake3 = blake3Stream();
  return {
    // In pages, in hash order, so memory does not grow with the number of blobs.
    async *blobsOf(tx: Queryable): AsyncIterable<BackedUpBlob> {
      for (let after = ""; ; ) {
        const page = await listKeptBlobs(tx, { after, count: 1000 });
        yield* page;
        const last = page.at(-1);
        if (!last || page.length < 1000) return;
        after = last.hash;
      }
    },
    async copyBlob(blob: BackedUpBlob, file: string): Promise<void> {
      const opened = await storage.open(blob.hash);
      if (opened === null) throw new Error(`The blob ${blob.hash} is missing from the blob store.`);
      await pipeline(opened.stream, createWriteStream(file, { flags: "wx", mode: 0o600 }));
    },
    async checkBlob(blob: BackedUpBlob, file: string): Promise<boolean> {
      const hash = await blake3();
      let size = 0;
      for await (const chunk of createReadStream(file)) {
        hash.update(chunk);
        size += chunk.length;
      }
      return size === blob.size && hash.digest() === blob.hash;
    },
    async storeBlob(blob: BackedUpBlob, file: string): Promise<void> {
      const staging = await storage.stage();
      try {
        for await (const chunk of createReadStream(file)) await staging.write(chunk);
        await staging.seal(blob.hash);
        await staging.publish(blob.hash, { size: blob.size, replace: false, isLikelyThere: false });
      } finally {
        await staging.discard();
      }
    },
  };
}
