// The client of an S3-compatible store. The SDK is an optional package and loaded only if a store is configured. The
// store's errors are sorted by what they mean for us: absent, full, down, or any other failure unchanged.
import type * as Sdk from "@aws-sdk/client-s3";
import { systemClock } from "../../../foundation/clock.ts";
import { Fault } from "../../../foundation/fault.ts";
import { storageFault } from "../storage-fault.ts";
import { refusalOf, statusOf } from "./s3-refusal.ts";

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface S3Address {
  readonly bucket: string;
  // Empty, or ends with a slash.
  readonly prefix: string;
  readonly endpoint: string | null;
  // Where others reach the store, if not at the endpoint.
  readonly publicEndpoint: string | null;
  readonly region: string | null;
  readonly pathStyle: boolean;
}

export interface S3 {
  readonly sdk: typeof Sdk;
  readonly client: Sdk.S3Client;
  // For checking the store's health; does not retry.
  readonly asking: Sdk.S3Client;
  readonly bucket: string;
  keyOf(name: string): string;
}

// Bounds every wait for an answer: the collector's guarantee (blob-storage.s3.ts) and every upload rely on it.
const requestMsMax = 60_000;
// Copying gigabytes inside the store is answered only when done.
export const patient = { requestTimeout: 600_000 };

export async function connectS3(
  address: S3Address,
  credentials: S3Credentials | undefined,
  requestMs = requestMsMax,
): Promise<S3> {
  const sdk = await import("@aws-sdk/client-s3").catch((cause: unknown) => {
    throw new Error("An s3:// address needs the package @aws-sdk/client-s3. Install it next to the server.", { cause });
  });
  const settings = {
    ...(address.endpoint === null ? {} : { endpoint: address.endpoint }),
    // Self-hosted stores mostly ignore it, but a signature needs one.
    ...(address.region === null
      ? address.endpoint === null
        ? {}
        : { region: "us-east-1" }
      : { region: address.region }),
    // If none are given, the SDK looks in its usual places (environment, profile, machine role).
    ...(credentials === undefined ? {} : { credentials: { ...credentials } }),
    forcePathStyle: address.pathStyle,
    // Older stores refuse the newer checksum headers; BLAKE3 is our own check.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // It backs off between attempts, longest if the store asks for fewer requests or names a time.
    maxAttempts: 4,
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: requestMs,
      // Without this the SDK only logs a warning and keeps waiting.
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: 128 },
      httpsAgent: { maxSockets: 128 },
    },
  } satisfies Sdk.S3ClientConfig;
  const client = followingClocks(new sdk.S3Client(settings));
  const asking = followingClocks(new sdk.S3Client({ ...settings, maxAttempts: 1 }));
  return { sdk, client, asking, bucket: address.bucket, keyOf: (name) => `${address.prefix}${name}` };
}

// The client signs by the store's time as seen in its last answers. If a refusal shows a different time, because one of
// the clocks was set, we sign again, once. The client itself does so only if the clocks are minutes apart.
function followingClocks(client: Sdk.S3Client): Sdk.S3Client {
  client.middlewareStack.add(
    (next) => async (args) => {
      const before = client.config.systemClockOffset;
      try {
        return await next(args);
      } catch (thrown) {
        const isMoved = Math.abs(client.config.systemClockOffset - before) >= noticedSkewMs;
        if (!isMoved || statusOf(thrown) !== 403) throw thrown;
        return next(args);
      }
    },
    { step: "initialize", name: "followingClocks" },
  );
  return client;
}

// Transit time and the whole seconds of HTTP dates do not count as skew.
export const noticedSkewMs = 5_000;

export function isAbsent(thrown: unknown): boolean {
  return statusOf(thrown) === 404;
}

// If-None-Match was honoured: another object exists, or is being written right now.
export function isAlreadyThere(thrown: unknown): boolean {
  const status = statusOf(thrown);
  return status === 412 || status === 409;
}

export async function nullIfAbsent<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (thrown) {
    if (isAbsent(thrown)) return null;
    throw s3Fault(thrown);
  }
}

export async function orFault<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (thrown) {
    throw s3Fault(thrown);
  }
}

export function s3Fault(thrown: unknown): unknown {
  if (thrown instanceof Fault || !(thrown instanceof Error)) return thrown;
  if (statusOf(thrown) === 507) return storageFault(Object.assign(new Error(thrown.message), { code: "ENOSPC" }));
  const refusal = refusalOf(thrown, systemClock.now().getTime());
  const unavailable = (words: string, retryAfterSeconds: number) =>
    new Fault("service_unavailable", words, { cause: thrown, retryAfterSeconds });
  switch (refusal.kind) {
    case "clocks_differ":
      return unavailable("The blob store refuses this server's requests because their clocks differ.", 30);
    case "too_fast":
      return unavailable("The blob store asks for fewer requests right now.", refusal.afterSeconds);
    case "away":
      return unavailable("The blob store is not available right now.", 5);
    default:
      return storageFault(thrown);
  }
}
