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
  waitSeconds: "X-Service-Wait-Seconds",
  keepOutputs: "X-Service-Keep-Outputs",
  keptOutputs: "X-Service-Kept-Outputs",
  tags: "X-Service-Tags",
  endUser: "X-Service-End-User",
  concurrencyLimit: "X-Service-Concurrency-Limit",
  concurrencyCurrent: "X-Service-Concurrency-Current",
  concurrencyRemaining: "X-Service-Concurrency-Remaining",
  jobId: "X-Service-Job-Id",
  routeTarget: "X-Service-Route-Target",
  droppedParams: "X-Service-Dropped-Params",
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
    description: "The server's id for this request. Quote it when you report a problem.",
    schema: Type.String({ format: "uuid" }),
  },
  "X-Service-Error-Type": {
    description: "The router's error type, one of fifteen. The stable part of every error under /v1.",
    schema: RouterBucket,
  },
  "X-Service-Error-Reason": {
    description:
      "On routes of queued model calls: the reason, if the error type alone does not say. In the body it is called code.",
    schema: RequestReason,
  },
  "X-Service-Upstream-Status": {
    description: "The provider's own HTTP status, if its response caused the failure.",
    schema: Type.Integer({ minimum: 100, maximum: 599 }),
  },
  "X-Service-Credits-Used": {
    description:
      "The credits charged for this call or for the job that was read, as a decimal, even if it failed. 0 means nothing was charged. Absent if the charge is not known (a job has not ended) or nothing was called.",
    schema: text,
  },
  "X-Service-Route-Target": {
    description: "On a call of a route: the model that answered, or the last one that was asked.",
    schema: text,
  },
  "X-Service-Dropped-Params": {
    description: "On a call of a route: the inputs of the call that this model did not get, separated by commas.",
    schema: text,
  },
  "X-Service-Max-Credits": {
    description:
      "The maximum cost in credits, as a decimal. A request that could cost more is refused with 422 before anything runs. Ignored when a known idempotency key replays an earlier response.",
    schema: Type.String({ pattern: "^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,6})?$" }),
  },
  "X-Service-Wait-Seconds": {
    description:
      "How long the call may wait, at most, while the provider's rate limit refuses it, in seconds. It is sent again when the provider says, and keeps its place among the workspace's calls and its held credits. Absent: about five seconds.",
    schema: Type.Integer({ minimum: 0, maximum: 300 }),
  },
  "X-Service-Keep-Outputs": {
    description:
      "true: the files behind the URLs in the answer are copied to the workspace's assets before the answer is delivered. false: not, even if the model does so by itself. Needs the right to run workflows.",
    schema: Type.Union([Type.Literal("true"), Type.Literal("false")]),
  },
  "X-Service-Kept-Outputs": {
    description:
      "The ids of the assets that hold copies of the answer's files, separated by commas, in the order of the URLs in the answer. A file that could not be copied is left out.",
    schema: text,
  },
  "X-Service-Tags": {
    description:
      'What the call is counted under in usage and budgets: a JSON object of at most 16 texts, such as {"project":"spring"}. A key has 1 to 40 characters from A–Z, a–z, 0–9, `_`, `-` and `.`; a value has at most 256 bytes. Write other characters than ASCII as \\u escapes. Not part of what a repeated request must have in common.',
    schema: text,
  },
  "X-Service-End-User": {
    description:
      "Your own id of the person the call is for, in visible ASCII characters. A token that was made for an end user carries it already.",
    schema: Type.String({ minLength: 1, maxLength: 128, pattern: "^[!-~]+$" }),
  },
  "X-Service-Concurrency-Limit": { description: "How many calls this workspace may have in flight.", schema: count },
  "X-Service-Concurrency-Current": { description: "How many calls this workspace has in flight.", schema: count },
  "X-Service-Concurrency-Remaining": { description: "How many more calls may start now.", schema: count },
  "X-Service-Job-Id": {
    description:
      "In a request to a partner, the caller's id of the run this call belongs to: for 10 minutes, an identical call with the same id returns the same task. In the answer of a work, the id of the job that ran it.",
    schema: Type.String({ minLength: 1, maxLength: 255 }),
  },
  "X-Service-Webhook-Url": {
    description:
      "The webhook URL to call when a queued model call has completed. Same as the query parameter webhook_url.",
    schema: Type.String({ format: "uri", maxLength: 2_048 }),
  },
  "X-API-Key": {
    description: "A service API key. Takes precedence over Authorization if both are sent.",
    schema: text,
  },
  Authorization: { description: "Bearer followed by a service API key or a cloud identity JWT.", schema: text },
  "Idempotency-Key": {
    description:
      "Identifies one logical call. A retry with the same key neither runs nor costs anything a second time.",
    schema: Type.String({ minLength: 1, maxLength: 255, pattern: "^[!-~]+$" }),
  },
  "Idempotent-Replayed": {
    description: "true if this response replays an earlier one with the same key.",
    schema: Type.Literal("true"),
  },
  "Last-Event-ID": { description: "The id of the last event received. The stream resumes after it.", schema: text },
  "Retry-After": { description: "Seconds to wait before retrying.", schema: count },
  Allow: { description: "The methods that exist at this path.", schema: text },
  Location: { description: "The URL of the resource.", schema: Type.String({ format: "uri-reference" }) },
  ETag: { description: "A strong validator of the response body.", schema: text },
  "If-Match": {
    description: "The version the caller last saw. If the current version differs, returns 412 and changes nothing.",
    schema: text,
  },
  "If-None-Match": {
    description: "ETags the caller already has. A match returns 304 without a body.",
    schema: text,
  },
  "Cache-Control": { description: "Who may cache this response, and for how long.", schema: text },
  Vary: { description: "The request headers this response depends on.", schema: text },
  Range: { description: "The byte range, as bytes=first-last.", schema: text },
  "Content-Range": { description: "The byte range of this response and the total size.", schema: text },
  "Content-Length": { description: "The size of the body in bytes.", schema: count },
  "Accept-Ranges": { description: "bytes: range requests are supported.", schema: text },
  "Content-Disposition": {
    description: "Whether a browser should show or save the file, and under which name.",
    schema: text,
  },
  Deprecation: { description: "Since when this operation is deprecated.", schema: text },
  Sunset: { description: "When this operation will be removed.", schema: text },
  "Tus-Resumable": { description: "The version of the tus protocol.", schema: Type.String({ pattern: "^1\\.0\\.0$" }) },
  "Tus-Version": { description: "The tus protocol versions the server supports.", schema: text },
  "Upload-Length": { description: "The size of the whole upload in bytes.", schema: bytes },
  "Upload-Offset": { description: "How many bytes have arrived; the offset to continue from.", schema: bytes },
  "Upload-Metadata": {
    description: "Comma-separated pairs of a name and a base64 value (tus 1.0.0, creation).",
    schema: text,
  },
  "Upload-Expires": { description: "When an unfinished upload expires, as an HTTP date.", schema: text },
  "Upload-Defer-Length": {
    description: "1 if the length is not known yet and follows in a later request (tus 1.0.0, creation-defer-length).",
    schema: Type.String({ pattern: "^1$" }),
  },
  "Upload-Concat": {
    description:
      "partial, or final; followed by the URLs of its partial uploads, separated by spaces (tus 1.0.0, concatenation).",
    schema: Type.String({ pattern: "^(partial|final;.+)$" }),
  },
  "Upload-Checksum": {
    description:
      "An algorithm (sha1, sha256, sha512 or md5) and the base64 digest of this request's bytes (tus 1.0.0, checksum).",
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
  headerName.jobId,
  headerName.keptOutputs,
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
