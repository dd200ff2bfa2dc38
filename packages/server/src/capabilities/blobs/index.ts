export { blake3Stream } from "./blake3-stream.ts";
export { openBlobStorage, parseBlobAddress } from "./blob-address.ts";
export type { BlobStorage } from "./blob-storage.ts";
export { type Blobs, createBlobs } from "./blobs.ts";
export { fileBlobStorage } from "./files/blob-storage.filesystem.ts";
export { backupBlobs } from "./keeping/backup-blobs.ts";
export { hashMismatch, type KeptBlob } from "./keeping/keep-blob.ts";
export type { OpenedBytes } from "./opened-bytes.ts";
export { type DirectRead, directOrigin } from "./s3/s3-presign.ts";
