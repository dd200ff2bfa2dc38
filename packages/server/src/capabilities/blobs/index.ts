export { type BlobAddress, openBlobStorage, parseBlobAddress } from "./blob-address.ts";
export { blobInvariants } from "./blob-invariants-store.ts";
export type { BlobStorage, ByteRange } from "./blob-storage.ts";
export { fileBlobStorage, type FileBlobStorageOptions } from "./blob-storage.filesystem.ts";
export type { Holder } from "./blob-store.ts";
export { type Blobs, type BlobsOptions, createBlobs, type KeepOptions, type KeptBlob } from "./blobs.ts";
export { isBlobHash } from "./blob-hash.ts";
export type { CollectReport } from "./collect-blobs.ts";
export type { DamagedBlob, ScrubReport } from "./scrub-blobs.ts";
