// Whole files under chosen names in an S3-compatible store, for backups. What the store refuses is said in words that name the
// bucket: an operator reads them.
import { createWriteStream } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { systemClock } from "../../../foundation/clock.ts";
import { connectS3, type S3, type S3Address, type S3Credentials } from "./s3-client.ts";
import { refusalOf, statusOf } from "./s3-refusal.ts";

export interface S3Objects {
  // Complete or not at all.
  put(name: string, file: string): Promise<void>;
  // Into a new file, whose folder is made.
  get(name: string, file: string): Promise<void>;
  list(prefix: string): AsyncIterable<{ readonly name: string; readonly size: number }>;
  remove(name: string): Promise<void>;
}

// A store takes at most 10,000 parts.
const partBytesMin = 16 * 1024 ** 2;
const partsMax = 9_000;

export async function openS3Objects(address: S3Address, credentials: S3Credentials | undefined): Promise<S3Objects> {
  const s3 = await connectS3(address, credentials);
  const within = <T>(asked: Promise<T>) => asked.catch((thrown: unknown) => refuse(s3, thrown));
  return {
    put: (name, file) => within(putFile(s3, name, file)),
    get: (name, file) => within(getFile(s3, name, file)),
    async *list(prefix) {
      for (let token: string | undefined; ; ) {
        const page = await within(listPage(s3, prefix, token));
        for (const { Key, Size } of page.Contents ?? [])
          if (Key !== undefined) yield { name: Key.slice(s3.keyOf("").length), size: Size ?? 0 };
        token = page.NextContinuationToken;
        if (!page.IsTruncated || token === undefined) return;
      }
    },
    async remove(name) {
      await within(s3.client.send(new s3.sdk.DeleteObjectCommand(objectOf(s3, name))));
    },
  };
}

const objectOf = (s3: S3, name: string) => ({ Bucket: s3.bucket, Key: s3.keyOf(name) });

const listPage = (s3: S3, prefix: string, token: string | undefined) =>
  s3.client.send(
    new s3.sdk.ListObjectsV2Command({
      Bucket: s3.bucket,
      Prefix: s3.keyOf(prefix),
      ...(token === undefined ? {} : { ContinuationToken: token }),
    }),
  );

async function putFile(s3: S3, name: string, file: string): Promise<void> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const partBytes = Math.max(partBytesMin, Math.ceil(size / partsMax));
    if (size > partBytes) return await putParts(s3, name, { handle, size, partBytes });
    const Body = await readPart(handle, 0, size);
    await s3.client.send(new s3.sdk.PutObjectCommand({ ...objectOf(s3, name), Body }));
  } finally {
    await handle.close();
  }
}

interface Parts {
  readonly handle: FileHandle;
  readonly size: number;
  readonly partBytes: number;
}

async function putParts(s3: S3, name: string, { handle, size, partBytes }: Parts): Promise<void> {
  const { sdk, client } = s3;
  const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(objectOf(s3, name)));
  const upload = { ...objectOf(s3, name), UploadId };
  try {
    const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
    for (let start = 0; start < size; start += partBytes) {
      const PartNumber = Parts.length + 1;
      const Body = await readPart(handle, start, Math.min(partBytes, size - start));
      const { ETag } = await client.send(new sdk.UploadPartCommand({ ...upload, PartNumber, Body }));
      Parts.push({ ETag, PartNumber });
    }
    await client.send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
  } catch (thrown) {
    await client.send(new sdk.AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw thrown;
  }
}

async function readPart(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  for (let read = 0; read < length; ) {
    const { bytesRead } = await handle.read(bytes, read, length - read, start + read);
    if (bytesRead === 0) throw new Error("The file became shorter while it was sent.");
    read += bytesRead;
  }
  return bytes;
}

async function getFile(s3: S3, name: string, file: string): Promise<void> {
  const { Body } = await s3.client.send(new s3.sdk.GetObjectCommand(objectOf(s3, name)));
  if (!(Body instanceof Readable)) throw new Error("The store returned no bytes.");
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await pipeline(Body, createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }));
}

function refuse(s3: S3, thrown: unknown): never {
  if (!(thrown instanceof Error) || (statusOf(thrown) === undefined && "syscall" in thrown && !("address" in thrown)))
    throw thrown;
  const bucket = `the bucket ${s3.bucket}`;
  const words = {
    clocks_differ: `The store of ${bucket} refuses requests because its clock and this machine's differ.`,
    too_fast: `The store of ${bucket} asks for fewer requests right now.`,
    away: `The store of ${bucket} cannot be reached right now.`,
    no_access: `The store of ${bucket} refuses access (${thrown.name}). Check the access key and its permissions.`,
    absent: `${bucket[0]?.toUpperCase()}${bucket.slice(1)} or the object in it does not exist (${thrown.name}).`,
    other: statusOf(thrown) === 507 ? `The store of ${bucket} is full.` : null,
  }[refusalOf(thrown, systemClock.now().getTime()).kind];
  if (words === null) throw thrown;
  throw new Error(words, { cause: thrown });
}
