// One conversation with an S3-compatible store. The SDK is loaded when a store is configured and not before: it is an
// optional package. What the store says is sorted by what it means for us: absent, full, away, or a failure as it is.
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
  // For the question how the store is: it waits for nothing.
  readonly asking: Sdk.S3Client;
  readonly bucket: string;
  keyOf(name: string): string;
}

// Whatever waits for an answer ends: the collector's promise (blob-storage.s3.ts) and every upload rest on it.
const requestMsMax = 60_000;
// Copies of gigabytes inside the store are answered when they are done.
export const patient = { requestTimeout: 600_000 };

export async function connectS3(
  address: S3Address,
  credentials: S3Credentials | undefined,
  requestMs = requestMsMax,
): Promise<S3> {
  const sdk = await import("@aws-sdk/client-s3").catch((cause: unknown) => {
    throw new Error("An s3:// address needs the package @aws-sdk/client-s3; install it beside the server.", { cause });
  });
  const settings = {
    ...(address.endpoint === null ? {} : { endpoint: address.endpoint }),
    // Stores of one's own mostly do not care, but a signature needs one.
    ...(address.region === null
      ? address.endpoint === null
        ? {}
        : { region: "us-east-1" }
      : { region: address.region }),
    // Without any given, the SDK looks where it always looks (environment, profile, machine role).
    ...(credentials === undefined ? {} : { credentials: { ...credentials } }),
    forcePathStyle: address.pathStyle,
    // Older stores refuse the newer checksum headers; BLAKE3 is our own check.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // Between them it waits: longer each time, longest where the store asks for fewer requests or says for how long.
    maxAttempts: 4,
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: requestMs,
      // Without this the SDK only writes a warning and goes on waiting.
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: 128 },
      httpsAgent: { maxSockets: 128 },
    },
  } satisfies Sdk.S3ClientConfig;
  const client = followingClocks(new sdk.S3Client(settings));
  const asking = followingClocks(new sdk.S3Client({ ...settings, maxAttempts: 1 }));
  return { sdk, client, asking, bucket: address.bucket, keyOf: (name) => `${address.prefix}${name}` };
}

// The client signs by the store's time as its last answers told it. A refusal whose head tells another time, since one of the
// clocks was set, is a reason to sign again, once; the client itself does so only where the clocks are minutes apart by now.
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

// What an answer takes on its way, and the whole seconds in which times are told, are no skew.
export const noticedSkewMs = 5_000;

export function isAbsent(thrown: unknown): boolean {
  return statusOf(thrown) === 404;
}

// If-None-Match was honoured: another object is there, or is just being written.
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

export async function told<T>(asked: Promise<T>): Promise<T> {
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
      return unavailable("The blob store refuses this server's requests, because their clocks differ.", 30);
    case "too_fast":
      return unavailable("The blob store asks for fewer requests right now.", refusal.afterSeconds);
    case "away":
      return unavailable("The blob store is not available right now.", 5);
    default:
      return storageFault(thrown);
  }
}
