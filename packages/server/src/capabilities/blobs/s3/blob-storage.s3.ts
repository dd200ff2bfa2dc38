// Blobs in an S3-compatible store, under the names blobs/ab/cd/<hash>, and tmp/<uuid> while they arrive. S3 lacks one
// thing that a file system can do: move an object out of reach before asking whether it may go. If a collector is paused
// between its last question and its request for longer than the take-over time, it could destroy a newer object; it then
// reports it loudly. Requests are limited to a minute, the take-over time is ten.
import { Readable } from "node:stream";
import type { ListMultipartUploadsCommandOutput } from "@aws-sdk/client-s3";
import { sourceOf } from "../../../foundation/byte-source.ts";
import { systemClock } from "../../../foundation/clock.ts";
import { blobPath, isBlobHash } from "../blob-hash.ts";
import type { BlobStorage, ByteRange, StoredBlob, SweepOptions } from "../blob-storage.ts";
import { openedBytes } from "../opened-bytes.ts";
import {
  connectS3,
  noticedSkewMs,
  nullIfAbsent,
  orFault,
  type S3,
  type S3Address,
  type S3Credentials,
  s3Fault,
} from "./s3-client.ts";
import { type DirectRead, presign, publicUrl } from "./s3-presign.ts";
import { isNotImplemented, refusalOf, type S3Refusal, skewWords } from "./s3-refusal.ts";
import { type S3StagingOptions, stageObject } from "./s3-staging.ts";

export interface S3BlobStorageOptions extends Partial<S3StagingOptions> {
  readonly address: S3Address;
  readonly credentials?: S3Credentials;
  // How long one request may take.
  readonly requestMs?: number;
  // Whether clients may be redirected to the store for bytes.
  readonly isDirect?: boolean;
}

export async function s3BlobStorage(options: S3BlobStorageOptions): Promise<BlobStorage> {
  const s3 = await connectS3(options.address, options.credentials, options.requestMs);
  const staging = { partBytes: 8 * 1024 ** 2, copyBytesMax: 4 * 1024 ** 3, ...options };
  return {
    stage: () => stageObject(s3, staging),
    open: (hash, range) => openObject(s3, hash, range),
    stat: (hash) => statObject(s3, hash),
    remove: (hash, confirm) => removeObject(s3, hash, confirm),
    list: () => listBlobs(s3),
    async sweepStaging(sweep) {
      const removed = (await sweepObjects(s3, sweep)) + (await sweepUploads(s3, sweep));
      return { removed, restored: 0 };
    },
    spaceProblem: async () => null,
    reachProblem: () => reachProblem(s3),
    clockProblem: () => clockProblem(s3),
    fileOf: null,
    directUrl: options.isDirect ? (hash, read) => directUrl(s3, options.address, hash, read) : null,
  };
}

async function directUrl(s3: S3, address: S3Address, hash: string, read: DirectRead): Promise<string> {
  const { credentials, region: regionOf } = s3.client.config;
  const [found, region] = await Promise.all([credentials(), regionOf()]);
  const url = publicUrl(address, region, keyOf(s3, hash));
  // By the store's clock as seen in its answers, because the store decides when the address expires.
  const at = new Date(systemClock.now().getTime() + (offsetOf(s3) ?? 0));
  return presign({ url, read, credentials: found, region, at });
}

const keyOf = (s3: S3, hash: string) => s3.keyOf(`blobs/${blobPath(hash)}`);

async function openObject(s3: S3, hash: string, range: ByteRange | undefined) {
  const found = await nullIfAbsent(
    s3.client.send(
      new s3.sdk.GetObjectCommand({
        Bucket: s3.bucket,
        Key: keyOf(s3, hash),
        ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
      }),
    ),
  );
  if (!found) return null;
  const { Body } = found;
  if (!(Body instanceof Readable)) throw new Error("The blob store returned no bytes.");
  const size = range ? sizeOfWhole(found.ContentRange, range) : found.ContentLength;
  if (size !== undefined) return openedBytes(size, sourceOf(Body));
  Body.destroy();
  throw new Error("The blob store returned a different range than requested.");
}

function sizeOfWhole(contentRange: string | undefined, range: ByteRange): number | undefined {
  const [, start, end, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(contentRange ?? "") ?? [];
  return Number(start) === range.start && Number(end) === range.end ? Number(size) : undefined;
}

async function statObject(s3: S3, hash: string): Promise<StoredBlob | null> {
  const location = { Bucket: s3.bucket, Key: keyOf(s3, hash) };
  const head = await nullIfAbsent(s3.client.send(new s3.sdk.HeadObjectCommand(location)));
  return head && { hash, size: head.ContentLength ?? 0, modifiedAt: head.LastModified ?? new Date(0) };
}

async function removeObject(s3: S3, hash: string, confirm: () => Promise<boolean>): Promise<boolean> {
  if (!(await confirm())) return false;
  await orFault(s3.client.send(new s3.sdk.DeleteObjectCommand({ Bucket: s3.bucket, Key: keyOf(s3, hash) })));
  if (await confirm()) return true;
  throw new Error(`Another process changed blob ${hash} while it was being removed. Check this blob.`);
}

async function* listBlobs(s3: S3): AsyncIterable<StoredBlob> {
  for await (const { key, size, modifiedAt } of listObjects(s3, s3.keyOf("blobs/"))) {
    const hash = key.slice(key.lastIndexOf("/") + 1);
    if (isBlobHash(hash) && key === keyOf(s3, hash)) yield { hash, size, modifiedAt };
  }
}

async function* listObjects(s3: S3, Prefix: string) {
  let ContinuationToken: string | undefined;
  do {
    const location = { Bucket: s3.bucket, Prefix, ...(ContinuationToken === undefined ? {} : { ContinuationToken }) };
    const page = await orFault(s3.client.send(new s3.sdk.ListObjectsV2Command(location)));
    for (const { Key, Size, LastModified } of page.Contents ?? []) {
      if (Key !== undefined) yield { key: Key, size: Size ?? 0, modifiedAt: LastModified ?? new Date(0) };
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

async function sweepObjects(s3: S3, sweep: SweepOptions): Promise<number> {
  let removed = 0;
  for await (const { key, modifiedAt } of listObjects(s3, s3.keyOf("tmp/"))) {
    if (modifiedAt >= sweep.before) continue;
    removed++;
    if (!sweep.dryRun) await orFault(s3.client.send(new s3.sdk.DeleteObjectCommand({ Bucket: s3.bucket, Key: key })));
  }
  return removed;
}

// Parts of uploads that were never completed take up space and appear in no list of objects.
async function sweepUploads(s3: S3, sweep: SweepOptions): Promise<number> {
  const { sdk, client, bucket: Bucket } = s3;
  let removed = 0;
  let marker: UploadMarker | null = {};
  while (marker !== null) {
    const page = await uploadsAfter(s3, marker);
    for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
      if (Key === undefined || UploadId === undefined || !Initiated || Initiated >= sweep.before) continue;
      removed++;
      if (!sweep.dryRun) {
        await nullIfAbsent(client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
      }
    }
    marker = nextMarker(page);
  }
  return removed;
}

interface UploadMarker {
  readonly KeyMarker?: string;
  readonly UploadIdMarker?: string;
}

function uploadsAfter(s3: S3, marker: UploadMarker): Promise<ListMultipartUploadsCommandOutput | null> {
  const location = { Bucket: s3.bucket, Prefix: s3.keyOf("tmp/"), ...marker };
  return s3.client.send(new s3.sdk.ListMultipartUploadsCommand(location)).catch((thrown: unknown) => {
    if (isNotImplemented(thrown)) return null;
    throw s3Fault(thrown);
  });
}

function nextMarker(page: ListMultipartUploadsCommandOutput | null): UploadMarker | null {
  const { IsTruncated, NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page ?? {};
  if (!IsTruncated || KeyMarker === undefined || UploadIdMarker === undefined) return null;
  return { KeyMarker, UploadIdMarker };
}

async function reachProblem(s3: S3): Promise<string | null> {
  const { sdk, asking, bucket: Bucket } = s3;
  const bounded = () => ({ abortSignal: AbortSignal.timeout(2_500) });
  const refusal = await asking.send(new sdk.HeadBucketCommand({ Bucket }), bounded()).then(() => null, refusedNow);
  // The answer to HEAD has no body in which a store could say why, and a single failure may have been momentary.
  const isMute = refusal?.kind === "no_access" || refusal?.kind === "too_fast" || refusal?.kind === "away";
  if (refusal === null || !isMute) return refusal && describeRefusal(s3, refusal);
  const list = new sdk.ListObjectsV2Command({ Bucket, Prefix: s3.keyOf("blobs/"), MaxKeys: 1 });
  const second = await asking.send(list, bounded()).then(() => null, refusedNow);
  if (second === null) return refusal.kind === "no_access" ? describeRefusal(s3, refusal) : null;
  return describeRefusal(s3, second);
}

const refusedNow = (thrown: unknown): S3Refusal => refusalOf(thrown, systemClock.now().getTime());

function describeRefusal(s3: S3, refusal: S3Refusal): string {
  const { bucket } = s3;
  switch (refusal.kind) {
    case "clocks_differ": {
      const skewMs = refusal.skewMs ?? offsetOf(s3);
      const much = skewMs === null ? "differs too much from this server's" : `is ${skewWords(skewMs)}`;
      return `The blob store refuses requests because its clock ${much}. Synchronize the clocks (NTP).`;
    }
    case "too_fast":
      return "The blob store asks for fewer requests (SlowDown).";
    case "away":
      return `The blob store does not respond for the bucket ${bucket}.`;
    case "absent":
      // Some stores also say this to clients they do not know.
      return `The blob store denies access to the bucket ${bucket}, or the bucket does not exist.`;
    default:
      return `The blob store denies access to the bucket ${bucket}.`;
  }
}

// As seen in the store's last answers; the client signs by the store's time. Null if unknown or if they agree.
function offsetOf({ client }: S3): number | null {
  const offset = client.config.systemClockOffset;
  return Math.abs(offset) >= noticedSkewMs ? offset : null;
}

const worryingSkewMs = 60_000;

// The client corrects its own requests, but not the addresses we hand out or the age of what is swept.
function clockProblem(s3: S3): string | null {
  const skewMs = offsetOf(s3) ?? 0;
  return Math.abs(skewMs) < worryingSkewMs ? null : `The blob store's clock is ${skewWords(skewMs)}.`;
}
