export type { Asset, AssetId, AssetInput, JobId, StoredAsset } from "./asset.ts";
export {
  type ContentAnswer,
  type ContentRequest,
  type ContentRules,
  isOutsideRange,
  type OutsideRange,
} from "./asset-content.ts";
export { assetHoldings } from "./asset-holdings-store.ts";
export { tagsMax } from "./asset-store.ts";
export { type AssetSettings, type Assets, type AssetsDeps, createAssets } from "./assets.ts";
export { requireFilePath } from "./file-path.ts";
export { type AssetHolder, type AssetHoldRequest, assetFacts, assetHoldFacts } from "./hold-store.ts";
export type { AssetsPage, ListAssets } from "./list-assets.ts";
export { type AssetKind, assetKinds, requireContentType } from "./media-type.ts";
export type { ReceiveAsset } from "./receive-asset.ts";
export type { ResolvedUrl } from "./resolve-signed.ts";
export type { ResumableUploads, UploadInput } from "./resumable-uploads.ts";
export type { SignedUrl } from "./signed-url.ts";
export type { IssuedTicket, StorageTickets, TicketRequest } from "./storage-tickets.ts";
export type { ThumbnailSide } from "./thumbnail-store.ts";
export type { Upload, UploadId } from "./upload-store.ts";
