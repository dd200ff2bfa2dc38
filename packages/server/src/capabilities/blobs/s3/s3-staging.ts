// Bytes being received into an S3-compatible store. If they fit into one part, they stay in memory until the hash is
// known and are written under their name in one request. Larger ones are uploaded part by part to a temporary key and
// then copied inside the store: an object's name must be given before its first byte, and ours is known only after the
// last.
import { newId } from "../../../foundation/ids.ts";
import { blobPath } from "../blob-hash.ts";
import type { PublishOptions, Staging } from "../blob-storage.ts";
import { isAlreadyThere, nullIfAbsent, orFault, patient, type S3 } from "./s3-client.ts";
import { isNotImplemented } from "./s3-refusal.ts";

export interface S3StagingOptions {
  // At least 5 MiB, the smallest part that S3 accepts. At most two are in memory.
  readonly partBytes: number;
  // The most that one copy request may move; S3 allows 5 GiB.
  readonly copyBytesMax: number;
}

export async function stageObject(s3: S3, options: S3StagingOptions): Promise<Staging> {
  const key = s3.keyOf(`tmp/${newId()}`);
  const parts = partUploads(s3, key);
  let part: Buffer = Buffer.alloc(0);
  let spare: Buffer | undefined;
  let used = 0;

  async function sendPart(): Promise<void> {
    const full = part;
    await parts.settled();
    parts.start(full.subarray(0, used));
    part = spare ?? Buffer.alloc(0);
    spare = full;
    used = 0;
  }

  return {
    async write(bytes) {
      for (let at = 0; at < bytes.length; ) {
        if (used === options.partBytes) await sendPart();
        part = withRoom(part, used, bytes.length - at, options.partBytes);
        const piece = bytes.subarray(at, at + part.length - used);
        part.set(piece, used);
        used += piece.length;
        at += piece.length;
      }
    },
    async seal() {
      if (!parts.isBegun()) return;
      await sendPart();
      await parts.complete();
    },
    publish: (hash, publish) => {
      const target = s3.keyOf(`blobs/${blobPath(hash)}`);
      return parts.isBegun()
        ? copyInside(s3, key, target, publish, options)
        : putAtOnce(s3, target, part.subarray(0, used), publish);
    },
    async discard() {
      part = Buffer.alloc(0);
      spare = undefined;
      await parts.discard();
    },
  };
}

// Grows by doubling, so that a small upload does not cost a whole part.
function withRoom(part: Buffer, used: number, more: number, partBytes: number): Buffer {
  if (used + more <= part.length || part.length === partBytes) return part;
  const roomier = Buffer.allocUnsafe(Math.min(partBytes, Math.max(used + more, part.length * 2)));
  roomier.set(part.subarray(0, used));
  return roomier;
}

function partUploads(s3: S3, key: string) {
  const { sdk, client, bucket: Bucket } = s3;
  const done: { PartNumber: number; ETag: string | undefined }[] = [];
  let upload: Promise<string> | undefined;
  let running: Promise<void> = Promise.resolve();
  let isComplete = false;

  async function begin(): Promise<string> {
    const { UploadId } = await orFault(client.send(new sdk.CreateMultipartUploadCommand({ Bucket, Key: key })));
    if (UploadId === undefined) throw new Error("The blob store started an upload but returned no upload id.");
    return UploadId;
  }

  async function send(PartNumber: number, Body: Uint8Array): Promise<void> {
    upload ??= begin();
    const UploadId = await upload;
    const sent = await orFault(
      client.send(new sdk.UploadPartCommand({ Bucket, Key: key, UploadId, PartNumber, Body })),
    );
    done.push({ PartNumber, ETag: sent.ETag });
  }

  return {
    isBegun: () => upload !== undefined,
    settled: () => running,
    start(bytes: Uint8Array): void {
      running = send(done.length + 1, bytes);
      // Awaited by the next part; until then it must not count as unhandled.
      running.catch(() => {});
    },
    async complete(): Promise<void> {
      await running;
      const UploadId = await upload;
      const command = { Bucket, Key: key, UploadId, MultipartUpload: { Parts: done } };
      await orFault(client.send(new sdk.CompleteMultipartUploadCommand(command), patient));
      isComplete = true;
    },
    async discard(): Promise<void> {
      await running.catch(() => {});
      const UploadId = await upload?.catch(() => undefined);
      if (UploadId === undefined) return;
      if (isComplete) await orFault(client.send(new sdk.DeleteObjectCommand({ Bucket, Key: key })));
      else await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key: key, UploadId })).catch(ignoreUnknown);
    },
  };
}

async function putAtOnce(s3: S3, Key: string, Body: Uint8Array, publish: PublishOptions): Promise<void> {
  const { sdk, client, bucket: Bucket } = s3;
  if (!publish.replace) {
    if (publish.isLikelyThere && (await isThere(s3, Key, publish.size))) return;
    try {
      await client.send(new sdk.PutObjectCommand({ Bucket, Key, Body, IfNoneMatch: "*" }));
      return;
    } catch (thrown) {
      if (isAlreadyThere(thrown)) {
        if (await isThere(s3, Key, publish.size)) return;
      } else if (!isNotImplemented(thrown)) await orFault(Promise.reject(thrown));
    }
  }
  await orFault(client.send(new sdk.PutObjectCommand({ Bucket, Key, Body })));
}

async function copyInside(
  s3: S3,
  from: string,
  to: string,
  publish: PublishOptions,
  options: S3StagingOptions,
): Promise<void> {
  const { sdk, client, bucket: Bucket } = s3;
  if (!publish.replace && (await isThere(s3, to, publish.size))) return;
  const CopySource = `${Bucket}/${from.split("/").map(encodeURIComponent).join("/")}`;
  if (publish.size <= options.copyBytesMax) {
    await orFault(client.send(new sdk.CopyObjectCommand({ Bucket, Key: to, CopySource }), patient));
    return;
  }
  const { UploadId } = await orFault(client.send(new sdk.CreateMultipartUploadCommand({ Bucket, Key: to })));
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
    for (let start = 0; start < publish.size; start += options.copyBytesMax) {
      const CopySourceRange = `bytes=${start}-${Math.min(start + options.copyBytesMax, publish.size) - 1}`;
      const PartNumber = Parts.length + 1;
      const location = { Bucket, Key: to, UploadId, PartNumber };
      const copied = await orFault(
        client.send(new sdk.UploadPartCopyCommand({ ...location, CopySource, CopySourceRange }), patient),
      );
      Parts.push({ PartNumber, ETag: copied.CopyPartResult?.ETag });
    }
    const whole = { Bucket, Key: to, UploadId, MultipartUpload: { Parts } };
    await orFault(client.send(new sdk.CompleteMultipartUploadCommand(whole), patient));
  } catch (thrown) {
    await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key: to, UploadId })).catch(ignoreUnknown);
    throw thrown;
  }
}

async function isThere(s3: S3, Key: string, size: number): Promise<boolean> {
  const head = await nullIfAbsent(s3.client.send(new s3.sdk.HeadObjectCommand({ Bucket: s3.bucket, Key })));
  return head?.ContentLength === size;
}

// If we cannot abort an upload, the store's own rule or a later sweep ends it.
function ignoreUnknown(): void {}
