// The header names of the wire and what each means. Operations take their request and response headers from here; a test fails
// if an operation uses a header that this table does not explain.
import { type TSchema, Type } from "typebox";
import { RequestReason } from "./request-reasons.ts";
import { RouterBucket } from "./router-buckets.ts";

export const headerName = {
  requestId: "X-Service-Request-Id",
  errorType: "X-Service-Error-Type",
  upstreamStatus: "X-Service-Upstream-Status",
  errorReason: "X-Service-Error-Reason",
  creditsUsed: "X-Service-Credits-Used",
  maxCredits: "X-Service-Max-Credits",
  concurrencyLimit: "X-Service-Concurrency-Limit",
  concurrencyCurrent: "X-Service-Concurrency-Current",
  concurrencyRemaining: "X-Service-Concurrency-Remaining",
  jobId: "X-Service-Job-Id",
  webhookUrl: "X-Service-Webhook-Url",
  apiKey: "X-API-Key",
  authorization: "Authorization",
  idempotencyKey: "Idempotency-Key",
  idempotentReplayed: "Idempotent-Replayed",
  lastEventId: "Last-Event-ID",
  retryAfter: "Retry-After",
  allow: "Allow",
  location: "Location",
  etag: "ETag",
  ifMatch: "If-Match",
  ifNoneMatch: "If-None-Match",
  cacheControl: "Cache-Control",
  vary: "Vary",
  range: "Range",
  contentRange: "Content-Range",
  contentLength: "Content-Length",
  acceptRanges: "Accept-Ranges",
  contentDisposition: "Content-Disposition",
  deprecation: "Deprecation",
  sunset: "Sunset",
  tusResumable: "Tus-Resumable",
  tusVersion: "Tus-Version",
  uploadLength: "Upload-Length",
  uploadOffset: "Upload-Offset",
  uploadMetadata: "Upload-Metadata",
  uploadExpires: "Upload-Expires",
  uploadDeferLength: "Upload-Defer-Length",
  uploadConcat: "Upload-Concat",
  uploadChecksum: "Upload-Checksum",
  webhookId: "webhook-id",
  webhookTimestamp: "webhook-timestamp",
  webhookSignature: "webhook-signature",
} as const;

export type HeaderName = (typeof headerName)[keyof typeof headerName];

export interface HeaderMeaning {
  readonly description: string;
  readonly schema: TSchema;
}

const text = Type.String();
const count = Type.Integer({ minimum: 0 });
// At most fifteen digits: the server does not read longer numbers.
const bytes = Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 });

export const headerMeanings = {
  "X-Service-Request-Id": {
    description: "The server's own id of this request; quote it when you report a problem.",
    schema: Type.String({ format: "uuid" }),
  },
  "X-Service-Error-Type": {
    description: "The router's bucket of this failure, one of fifteen; the dependable part of any error under /v1.",
    schema: RouterBucket,
  },
  "X-Service-Error-Reason": {
    description: "On routes of queued model calls: why, where the bucket alone does not tell. The body has it as code.",
    schema: RequestReason,
  },
  "X-Service-Upstream-Status": {
    description: "The provider's own HTTP status, present when the provider's answer made the failure.",
    schema: Type.Integer({ minimum: 100, maximum: 599 }),
  },
  "X-Service-Credits-Used": {
    description:
      "What this call, or the job that was read, cost in credits, as a decimal, also where it failed; 0 means that nothing was charged, absent that it is not known (of a job: it has not ended), or that nothing was asked for.",
    schema: text,
  },
  "X-Service-Max-Credits": {
    description:
      "The most that this may cost, in credits as a decimal: what could cost more is refused with 422 before anything runs. It is not looked at where the key is known and answered again.",
    schema: Type.String({ pattern: "^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,6})?$" }),
  },
  "X-Service-Concurrency-Limit": { description: "How many calls this workspace may have in flight.", schema: count },
  "X-Service-Concurrency-Current": { description: "How many calls of this workspace are in flight.", schema: count },
  "X-Service-Concurrency-Remaining": { description: "How many more calls may start now.", schema: count },
  "X-Service-Job-Id": {
    description:
      "The caller's id of the run this call belongs to; an equal call with an equal id is one task for 10 minutes.",
    schema: Type.String({ minLength: 1, maxLength: 255 }),
  },
  "X-Service-Webhook-Url": {
    description:
      "Where a queued model call is told to when it has completed; the query parameter webhook_url says the same.",
    schema: Type.String({ format: "uri", maxLength: 2_048 }),
  },
  "X-API-Key": { description: "A service API key; it wins over Authorization when both are sent.", schema: text },
  Authorization: { description: "Bearer followed by a service API key or a cloud identity JWT.", schema: text },
  "Idempotency-Key": {
    description: "The caller's name for one logical call: a retry under the same key runs and costs nothing twice.",
    schema: Type.String({ minLength: 1, maxLength: 255, pattern: "^[!-~]+$" }),
  },
  "Idempotent-Replayed": {
    description: "Present as true when this answer repeats an earlier one under the same key.",
    schema: Type.Literal("true"),
  },
  "Last-Event-ID": { description: "The id of the last event seen; the stream goes on after it.", schema: text },
  "Retry-After": { description: "Whole seconds after which a retry can succeed.", schema: count },
  Allow: { description: "The methods that exist at this path.", schema: text },
  Location: { description: "Where the thing asked for is found.", schema: Type.String({ format: "uri-reference" }) },
  ETag: { description: "A strong validator made from the bytes of the answer.", schema: text },
  "If-Match": {
    description: "The version that the caller saw; another one is answered 412 and nothing changes.",
    schema: text,
  },
  "If-None-Match": {
    description: "Validators the caller already holds; a match is answered 304 without a body.",
    schema: text,
  },
  "Cache-Control": { description: "How long and by whom this answer may be kept.", schema: text },
  Vary: { description: "The request headers this answer depends on.", schema: text },
  Range: { description: "The bytes wanted, as bytes=first-last.", schema: text },
  "Content-Range": { description: "Which bytes of how many this answer holds.", schema: text },
  "Content-Length": { description: "How many bytes the body has.", schema: count },
  "Accept-Ranges": { description: "bytes: parts of this content can be asked for.", schema: text },
  "Content-Disposition": {
    description: "Whether a browser shows or saves the bytes, and under which name.",
    schema: text,
  },
  Deprecation: { description: "Since when this operation is on its way out.", schema: text },
  Sunset: { description: "When this operation ends.", schema: text },
  "Tus-Resumable": { description: "The version of the tus protocol.", schema: Type.String({ pattern: "^1\\.0\\.0$" }) },
  "Tus-Version": { description: "The versions of the tus protocol that the server speaks.", schema: text },
  "Upload-Length": { description: "How many bytes the whole upload has.", schema: bytes },
  "Upload-Offset": { description: "How many bytes have come: where to go on.", schema: bytes },
  "Upload-Metadata": {
    description: "Pairs of a name and a value in base64, separated by commas (tus 1.0.0, creation).",
    schema: text,
  },
  "Upload-Expires": { description: "When an unfinished upload is given up, as an HTTP date.", schema: text },
  "Upload-Defer-Length": {
    description: "1: the length is not known yet and comes with a later request (tus 1.0.0, creation-defer-length).",
    schema: Type.String({ pattern: "^1$" }),
  },
  "Upload-Concat": {
    description:
      "partial, or final; and the addresses of the partial uploads it consists of, separated by blanks (tus 1.0.0, concatenation).",
    schema: Type.String({ pattern: "^(partial|final;.+)$" }),
  },
  "Upload-Checksum": {
    description:
      "An algorithm (sha1, sha256, sha512 or md5) and the digest of this request's bytes in base64 (tus 1.0.0, checksum).",
    schema: Type.String({ pattern: "^(sha1|sha256|sha512|md5) [A-Za-z0-9+/]+={0,2}$" }),
  },
  "webhook-id": { description: "The delivery's id, equal on every attempt.", schema: text },
  "webhook-timestamp": { description: "When this attempt was made, in Unix seconds.", schema: Type.Integer() },
  "webhook-signature": {
    description: "One v1 signature per live secret, separated by spaces: HMAC-SHA256 over id, timestamp and body.",
    schema: text,
  },
} as const satisfies Record<HeaderName, HeaderMeaning>;

// Decisions, section 1: every answer of every area carries these; the OpenAPI document adds them everywhere.
export const alwaysAnswered = [headerName.requestId] as const;

// What a browser of an allowed origin may read beyond the simple headers.
export const exposedHeaders = [
  headerName.requestId,
  headerName.errorType,
  headerName.errorReason,
  headerName.upstreamStatus,
  headerName.creditsUsed,
  headerName.concurrencyLimit,
  headerName.concurrencyCurrent,
  headerName.concurrencyRemaining,
  headerName.idempotentReplayed,
  headerName.retryAfter,
  headerName.etag,
  headerName.location,
  headerName.contentRange,
  headerName.acceptRanges,
  headerName.deprecation,
  headerName.sunset,
] as const;

export const apiKeyPrefix = "service-";
