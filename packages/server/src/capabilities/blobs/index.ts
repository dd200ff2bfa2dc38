export { backupBlobs } from "./backup-blobs.ts";
export { blake3Stream } from "./blake3-stream.ts";
export { openBlobStorage, parseBlobAddress } from "./blob-address.ts";
export { fileBlobStorage } from "./blob-storage.filesystem.ts";
export type { BlobStorage } from "./blob-storage.ts";
export { type Blobs, createBlobs } from "./blobs.ts";
export { hashMismatch, type KeptBlob } from "./keep-blob.ts";
export type { OpenedBytes } from "./opened-bytes.ts";
export { type DirectRead, directOrigin } from "./s3-presign.ts";
