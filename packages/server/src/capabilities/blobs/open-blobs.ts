// Where this server keeps bytes, as configured.
import { join, resolve } from "node:path";
import { makeFolder } from "../../foundation/make-folder.ts";
import { type Secret, UsageProblem } from "../../foundation/settings.ts";
import { openBlobStorage, parseBlobAddress } from "./blob-address.ts";
import type { BlobStorage } from "./blob-storage.ts";

export interface BlobSettings {
  readonly home: string;
  readonly blobs: string | null;
  readonly blobsKeyId: Secret | null;
  readonly blobsSecret: Secret | null;
}

export async function openBlobs(config: BlobSettings, isDirect = false): Promise<BlobStorage> {
  const parsed = parseBlobAddress(config.blobs ?? `file:${join(resolve(config.home), "blobs")}`);
  if ("problem" in parsed) throw new UsageProblem([`ATELIER_BLOBS ${parsed.problem}`]);
  const { blobsKeyId, blobsSecret } = config;
  const s3Credentials =
    blobsKeyId && blobsSecret ? { accessKeyId: blobsKeyId.reveal(), secretAccessKey: blobsSecret.reveal() } : undefined;
  if (parsed.address.kind === "file") await makeFolder(parsed.address.directory);
  return openBlobStorage(parsed.address, { isDirect, ...(s3Credentials ? { s3Credentials } : {}) });
}
