// Builds the capability: what it needs and what it offers.
import type { Background } from "../../foundation/background.ts";
import { type Clock, systemClock } from "../../foundation/clock.ts";
import type { Cursors } from "../../foundation/cursor.ts";
import { type Database, groupCommit, type Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { BytesAnswer } from "../../foundation/http/area.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import type { Blobs } from "../blobs/index.ts";
import type { Limits } from "../limits/index.ts";
import type { KeyRing } from "../secrets/index.ts";
import { type ResolveSigned, signedResolver } from "./addresses/resolve-signed.ts";
import { createSignedUrls, type SignedUrl } from "./addresses/signed-url.ts";
import { deleteExpiredTickets } from "./addresses/storage-ticket-store.ts";
import { createStorageTickets, type StorageTickets } from "./addresses/storage-tickets.ts";
import type { Asset, AssetId, StoredAsset } from "./asset.ts";
import {
  answerContent,
  type ContentAnswer,
  type ContentRequest,
  type ContentRules,
  type ServedBytes,
} from "./asset-content.ts";
import { assetFromHash, type KnownBytesRequest } from "./asset-from-hash.ts";
import { changeTags, findAsset, findAssets, findByHash, findByHashBeginning } from "./asset-store.ts";
import { runExpiry, sweepOnce } from "./expire-assets.work.ts";
import { type AssetNotes, createAssetNotes } from "./gallery/asset-notes.ts";
import { type GallerySummary, summarizeGallery } from "./gallery/gallery-summary.ts";
import {
  type AssetHolder,
  type AssetHoldRequest,
  deleteHold,
  deleteHolds,
  deleteManyHolds,
  endKeptHolds,
  hasHold,
  insertHolds,
  insertManyHolds,
  keepHolds,
} from "./hold-store.ts";
import { type AssetsPage, type ListAssets, listAssets } from "./list-assets.ts";
import { type ReceiveAsset, receiveAsset } from "./receive-asset.ts";
import { waitUntilForgotten } from "./recent-records.ts";
import { noSuchAsset, removeAsset, removeExpired } from "./remove-assets.ts";
import { answerThumbnail } from "./thumbnails/thumbnail-answer.ts";
import type { ThumbnailSide } from "./thumbnails/thumbnail-side.ts";
import { createThumbnails } from "./thumbnails/thumbnails.ts";
import { createResumableUploads, type ResumableUploads } from "./uploads/resumable-uploads.ts";
import { findUsages } from "./usage-store.ts";

export interface AssetsDeps {
  readonly database: Database;
  // Used for lists; defaults to the database.
  readonly lists?: Queryable;
  readonly blobs: Blobs;
  readonly limits: Pick<Limits, "requireQuota" | "limitOf">;
  readonly keyRing: KeyRing;
  readonly cursors: Cursors;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: AssetSettings;
}

export interface AssetSettings {
  // The base of signed URLs, without a trailing slash. A function, because the port may be known late.
  readonly contentUrl: () => string;
  // Between 10 minutes and 6 hours.
  readonly signedUrlSeconds: number;
  // How long assets are kept by default. Null to keep them forever.
  readonly retentionSeconds: number | null;
}

export interface RequestedAsset {
  readonly workspaceId: WorkspaceId;
  readonly assetId: AssetId | null;
}

export interface Assets {
  receive(request: ReceiveAsset): Promise<StoredAsset>;
  // Creates another record over bytes this workspace has. Throws blob_not_found if it does not, even if other workspaces
  // have them.
  fromHash(request: KnownBytesRequest): Promise<StoredAsset>;
  hasHash(workspaceId: WorkspaceId, hash: string): Promise<boolean>;
  // Throws not_found alike if the asset is unknown, expired or another workspace's, or if the id is null.
  get(requested: RequestedAsset): Promise<Asset>;
  // The assets that exist among the ids, and the newest upload for each name. Only the workspace's own.
  find(wanted: {
    readonly workspaceId: WorkspaceId;
    readonly assetIds: readonly AssetId[];
    readonly filePaths: readonly string[];
  }): Promise<readonly Asset[]>;
  // By the first digits of the hash.
  findByHash(wanted: { workspaceId: WorkspaceId; digits: string; count: number }): Promise<readonly Asset[]>;
  list(asked: ListAssets): Promise<AssetsPage>;
  summarize(workspaceId: WorkspaceId): Promise<GallerySummary>;
  readonly notes: AssetNotes;
  // Throws not_found.
  changeTags(
    requested: RequestedAsset,
    change: { readonly add: readonly string[]; readonly remove: readonly string[] },
  ): Promise<Asset>;
  // Resolves once no signed URL of it works in any process. Throws not_found or asset_in_use. `first` runs before it in
  // the same transaction, so that a holder can let go.
  remove(requested: RequestedAsset, first?: (tx: Queryable) => Promise<void>): Promise<void>;
  // Holds the assets that exist, so that they cannot be deleted until the holder lets go, and returns them. The holder's
  // id is a UUID.
  hold(
    tx: Queryable,
    hold: { workspaceId: WorkspaceId; assetIds: readonly AssetId[]; holder: AssetHolder },
  ): Promise<AssetId[]>;
  // Like hold, and they do not expire until the holder lets go. Then they expire when they would have.
  keep(
    tx: Queryable,
    hold: { workspaceId: WorkspaceId; assetIds: readonly AssetId[]; holder: AssetHolder },
  ): Promise<AssetId[]>;
  letGo(tx: Queryable, held: { workspaceId: WorkspaceId; holder: AssetHolder }): Promise<void>;
  release(tx: Queryable, holder: AssetHolder): Promise<void>;
  // Releases one of the holder's assets.
  releaseOne(tx: Queryable, assetId: AssetId, holder: AssetHolder): Promise<void>;
  // True if this holder holds this asset.
  isHeld(assetId: AssetId, holder: AssetHolder): Promise<boolean>;
  // The same for many holders at once. Returns what is held now, by holder id.
  holdMany(tx: Queryable, holds: readonly AssetHoldRequest[]): Promise<ReadonlyMap<string, ReadonlySet<AssetId>>>;
  releaseMany(tx: Queryable, kind: string, holderIds: readonly string[]): Promise<void>;
  sign(asset: Asset, options?: { readonly asAttachment: boolean }): SignedUrl;
  readonly resolveSigned: ResolveSigned;
  // Answers synchronously if nothing has to be read, like `resolveSigned`.
  content(asset: ServedBytes, request: ContentRequest, rules: ContentRules): ContentAnswer | Promise<ContentAnswer>;
  // Throws not_found if no picture can be made.
  thumbnail(asset: Asset, side: ThumbnailSide, request: ContentRequest): Promise<BytesAnswer>;
  // A small picture of bytes that are not an asset. Null if none can be made.
  shrink(bytes: Uint8Array, side: ThumbnailSide): Promise<Uint8Array | null>;
  readonly uploads: ResumableUploads;
  readonly tickets: StorageTickets;
  // The asset behind an address of our content origin. Null if the address is not on it. Throws forbidden if it is but
  // does not work.
  ownAsset(url: URL): Promise<Asset | null>;
  // Reads all bytes, for hand-offs. Throws payload_too_large above the limit.
  bytes(asset: Asset, bytesMax: number): Promise<Buffer>;
  // Removes everything that has expired.
  sweep(): Promise<void>;
  // Sweeps each minute until the signal fires.
  run(background: Background, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

// Small, so that no request waits long for a row that a sweep holds.
const batchMax = 50;
const readsPerStatement = 64;

export function createAssets({ settings, ...rest }: AssetsDeps): Assets {
  const deps = { ...rest, ...settings, validitySeconds: settings.signedUrlSeconds };
  const { database, blobs, clock } = deps;
  const signedUrls = createSignedUrls(deps);
  const thumbnails = createThumbnails(deps);
  const uploads = createResumableUploads(deps);
  const expiry = {
    assets: () => removeExpired(deps, batchMax),
    uploads: () => uploads.removeExpired(batchMax),
    tickets: async () => (await deleteExpiredTickets(database, clock.now(), batchMax)) === batchMax,
  };
  // Uploads that start at the same time share one query for their workspaces' usage.
  const usageOf = groupCommit({
    maxBatch: readsPerStatement,
    inFlight: 1,
    run: (workspaceIds: readonly WorkspaceId[]) => findUsages(database, workspaceIds),
  });
  const receive: Assets["receive"] = (request) => receiveAsset({ ...deps, usageOf }, request);
  const fromHash: Assets["fromHash"] = (request) => assetFromHash(deps, request);
  const resolveSigned = signedResolver(deps, signedUrls);
  const tickets = createStorageTickets({ ...deps, receive, fromHash });
  return {
    uploads,
    tickets,
    receive,
    fromHash,
    resolveSigned,
    ...holdsOf(deps),
    async ownAsset(url) {
      if (url.origin !== URL.parse(settings.contentUrl())?.origin) return null;
      const address = { path: url.pathname, queryText: url.search.slice(1) };
      const ticket = await tickets.resolve(address);
      return ticket?.asset ?? (await resolveSigned(address)).asset;
    },
    bytes: (asset, bytesMax) => readAll(blobs, asset, bytesMax),
    hasHash: async (workspaceId, hash) =>
      (await findByHash(database, { workspaceId, hash, now: clock.now() })) !== null,
    async get({ workspaceId, assetId }) {
      const asset = assetId && (await findAsset(database, { workspaceId, assetId, now: clock.now() }));
      if (!asset) throw noSuchAsset();
      return asset;
    },
    find: (wanted) => findAssets(database, { ...wanted, now: clock.now() }),
    findByHash: (wanted) => findByHashBeginning(database, { ...wanted, now: clock.now() }),
    list: (asked) => listAssets({ ...deps, database: deps.lists ?? database }, asked),
    summarize: (workspaceId) => summarizeGallery({ database: deps.lists ?? database, clock }, workspaceId),
    notes: createAssetNotes(deps),
    async changeTags({ workspaceId, assetId }, change) {
      const wanted = assetId && { ...change, workspaceId, assetId, now: clock.now() };
      const asset = wanted && (await changeTags(database, wanted));
      if (!asset) throw noSuchAsset();
      return asset;
    },
    async remove({ workspaceId, assetId }, first) {
      if (assetId === null) throw noSuchAsset();
      await removeAsset(deps, { workspaceId, assetId }, first);
      await waitUntilForgotten(systemClock);
    },
    sign: (asset, options) => signedUrls.sign(asset, options),
    content: (asset, request, rules) => answerContent(blobs, asset, request, rules),
    thumbnail: (asset, side, request) => answerThumbnail({ blobs, thumbnails }, asset, side, request),
    shrink: thumbnails.shrink,
    sweep: () => sweepOnce(expiry),
    run: (background, signal) => runExpiry(expiry, background, signal),
    close: () => thumbnails.close(),
  };
}

function holdsOf({
  database,
  clock,
}: Pick<AssetsDeps, "database" | "clock">): Pick<
  Assets,
  "hold" | "keep" | "letGo" | "release" | "releaseOne" | "isHeld" | "holdMany" | "releaseMany"
> {
  return {
    hold: (tx, hold) => insertHolds(tx, { ...hold, now: clock.now() }),
    keep: (tx, hold) => keepHolds(tx, { ...hold, now: clock.now() }),
    letGo: (tx, held) => endKeptHolds(tx, { ...held, now: clock.now() }),
    async release(tx, holder) {
      await deleteHolds(tx, holder);
    },
    releaseOne: (tx, assetId, holder) => deleteHold(tx, assetId, holder),
    isHeld: (assetId, holder) => hasHold(database, assetId, holder),
    holdMany: (tx, holds) => insertManyHolds(tx, holds, clock.now()),
    async releaseMany(tx, kind, holderIds) {
      await deleteManyHolds(tx, kind, holderIds);
    },
  };
}

async function readAll(blobs: Blobs, asset: Asset, bytesMax: number): Promise<Buffer> {
  if (asset.size > bytesMax) throw new Fault("payload_too_large", `The file is larger than ${bytesMax} bytes.`);
  const opened = await blobs.open(asset.hash);
  if (opened === null) throw new Fault("internal_error", "This asset cannot be read right now. Try again later.");
  const chunks: Uint8Array[] = [];
  for await (const chunk of opened.stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
