// Thumbnails of assets: made on first request, in a child process that can be killed, and kept as blobs. Only files with
// the signature of a raster image are decoded, and only up to a size; the child counts pixels and frames before it
// decodes (make-thumbnail.ts). Concurrent requests wait for the same picture.

import { type Isolation, ownProcesses } from "@atelier/engine/isolation";
import { onlyBlock } from "../../../foundation/byte-source.ts";
import type { Clock } from "../../../foundation/clock.ts";
import type { Database } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { Log } from "../../../foundation/log.ts";
import { ChildFailure, childEntry, childPool } from "../../../foundation/threads/child-pool.ts";
import type { Blobs } from "../../blobs/index.ts";
import type { Asset } from "../asset.ts";
import { lockAsset } from "../asset-store.ts";
import { noSuchAsset } from "../remove-assets.ts";
import type { MadeThumbnail, ThumbnailTask } from "./make-thumbnail.ts";
import type { ThumbnailSide } from "./thumbnail-side.ts";
import { findThumbnail, insertThumbnail, type ThumbnailLocator, thumbnailHolder } from "./thumbnail-store.ts";

export interface ThumbnailsDeps {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly log: Log;
  readonly isolation?: Isolation;
}

export interface Thumbnails {
  // The hash of the picture. Null if none can be made.
  hashOf(asset: Asset, side: ThumbnailSide): Promise<string | null>;
  // A thumbnail of bytes that are not an asset; not stored. Null if none can be made.
  shrink(bytes: Uint8Array, side: ThumbnailSide): Promise<Uint8Array | null>;
  close(): Promise<void>;
}

export const thumbnailType = "image/webp";
const sourceBytesMax = 48 * 1024 * 1024;
const decodedTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/tiff"]);

// Whether asking for a thumbnail makes sense. Decoding may still fail.
export function canHaveThumbnail({ type, size }: { readonly type: string; readonly size: number }): boolean {
  return decodedTypes.has(type) && size <= sourceBytesMax;
}

export interface Shrinker {
  shrink: Thumbnails["shrink"];
  close(): Promise<void>;
}

// For a process that has no assets.
export function createShrinker(deps: Pick<ThumbnailsDeps, "log" | "isolation">): Shrinker {
  const pool = drawingPool(deps, 1);
  const draw = (task: ThumbnailTask) => pool.run(task, { timeoutMs: 20_000 }).catch(whyNone);
  return {
    shrink: (bytes, side) => (bytes.length > sourceBytesMax ? Promise.resolve(null) : draw({ bytes, side })),
    close: () => pool.close(),
  };
}

function drawingPool({ log, isolation = ownProcesses }: Pick<ThumbnailsDeps, "log" | "isolation">, size: number) {
  const entry = childEntry(import.meta.url, "thumbnail.child");
  return childPool<ThumbnailTask, MadeThumbnail>({
    entry,
    confine: () => isolation.confine("pictures", { entry }),
    size,
    memoryMegabytesMax: 512,
    idleSecondsMax: 30,
    queueMax: 64,
    log,
  });
}

export function createThumbnails(deps: ThumbnailsDeps): Thumbnails {
  const pool = drawingPool(deps, 2);
  const beingMade = new Map<string, Promise<string | null>>();
  const draw = (task: ThumbnailTask) => pool.run(task, { timeoutMs: 20_000 }).catch(whyNone);
  return {
    async hashOf(asset, side) {
      if (!canHaveThumbnail({ type: asset.servedType, size: asset.size })) return null;
      const locator = { workspaceId: asset.workspaceId, sourceHash: asset.hash, side };
      const known = await findThumbnail(deps.database, locator);
      if (known !== null) return known.hash;
      const name = thumbnailHolder(locator);
      const making = beingMade.get(name) ?? make(deps, asset, locator, draw);
      beingMade.set(name, making);
      return making.finally(() => beingMade.delete(name));
    },
    shrink: (bytes, side) => (bytes.length > sourceBytesMax ? Promise.resolve(null) : draw({ bytes, side })),
    close: () => pool.close(),
  };
}

async function make(
  deps: ThumbnailsDeps,
  asset: Asset,
  locator: ThumbnailLocator,
  draw: (task: ThumbnailTask) => Promise<MadeThumbnail>,
): Promise<string | null> {
  const picture = await draw({ bytes: await readAll(deps.blobs, asset), side: locator.side });
  const now = deps.clock.now();
  if (picture === null) {
    await deps.database.transaction(async (tx) => {
      if (!(await lockAsset(tx, asset.id))) throw noSuchAsset();
      await insertThumbnail(tx, locator, { hash: null, now });
    });
    return null;
  }
  return deps.blobs.keep(onlyBlock(picture), {
    bytesMax: picture.byteLength,
    commit: async (tx, { hash }) => {
      // The asset must still exist when we commit, because deleting it deletes its thumbnails.
      if (!(await lockAsset(tx, asset.id))) throw noSuchAsset();
      const isInserted = await insertThumbnail(tx, locator, { hash, now });
      if (!isInserted) return (await findThumbnail(tx, locator))?.hash ?? null;
      await deps.blobs.hold(tx, hash, { kind: "thumbnail", id: thumbnailHolder(locator) });
      return hash;
    },
  });
}

async function readAll(blobs: Blobs, asset: Asset): Promise<Uint8Array> {
  const opened = await blobs.open(asset.hash);
  if (opened === null) throw new Error(`the blob ${asset.hash} of asset ${asset.id} is missing`);
  return Buffer.concat(await opened.stream.toArray());
}

// A picture that crashed its child once would do so again. One that only took too long may succeed later.
function whyNone(thrown: unknown): MadeThumbnail {
  if (!(thrown instanceof ChildFailure)) throw thrown;
  if (thrown.kind === "out_of_memory" || thrown.kind === "crashed") return null;
  throw new Fault("service_unavailable", "The thumbnail could not be made right now. Try again later.", {
    retryAfterSeconds: 5,
    cause: thrown,
  });
}
