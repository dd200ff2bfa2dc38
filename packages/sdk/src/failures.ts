// Failures as classes with facts. The bucket decides the class, not the body, because a body may be HTML, truncated or empty
// (Spec, Errors rule 2). `billed` says what we know about money, `isRetryable` whether repeating the call may help.
import { parseJson } from "./exact-json.ts";
import type { RouterBucket, RouterValidationEntry } from "./generated/wire.ts";
import { isRecord } from "./json-record.ts";

/** Whether the failed call was charged, as far as the server said; `maybe` if only the workspace's usage can tell. */
export type Billed = "no" | "yes" | "maybe";

/** Everything we know about a failed answer. */
export interface FailureFacts {
  readonly status: number;
  readonly code: string;
  /** The router's bucket; null or absent outside of /v1. */
  readonly bucket?: RouterBucket | null;
  /** What the status alone suggests; null or absent: nothing. */
  readonly statusHint?: string | null;
  readonly message: string;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly details: unknown;
  readonly bodyText: string;
  readonly idempotencyKey: string | null;
  /** What it cost in decimal credits; null or absent: the answer did not say. */
  readonly creditsUsed?: string | null;
}

/**
 * A call that the server refused or could not finish. Every subclass is one bucket of the router or one code of v2.
 * @example
 * try { await atelier.models.run("sandbox/image-1", { prompt: "a fox" }); }
 * catch (error) { if (error instanceof AtelierError && error.isRetryable) console.log(error.requestId); }
 */
export class AtelierError extends Error {
  /** The HTTP status; 0 when no answer came. */
  declare readonly status: number;
  /** The most specific code: a reason of the queue, the router's bucket, or another area's code. */
  declare readonly code: string;
  /** One of the router's fifteen buckets under /v1, `internal_error` if the answer names none; null elsewhere. */
  declare readonly bucket: RouterBucket | null;
  /** What the status alone suggests, for answers from something in between. A guess, never the bucket. */
  declare readonly statusHint: string | null;
  /** Quote it when you ask for help. */
  declare readonly requestId: string | null;
  declare readonly retryAfterSeconds: number | null;
  declare readonly details: unknown;
  declare readonly bodyText: string;
  /** The key to repeat the same call with. */
  declare readonly idempotencyKey: string | null;
  /** Whether the same call, under the same key, may succeed later. */
  declare readonly isRetryable: boolean;
  declare readonly billed: Billed;

  constructor(facts: FailureFacts, more: { readonly cause?: unknown } = {}) {
    const { message, creditsUsed, ...known } = facts;
    const request = known.requestId === null ? "" : ` (request ${known.requestId})`;
    super(`${message}${request}`, more);
    this.name = new.target.name;
    const isRetryable = retryable.has(known.code) || (known.status === 429 && known.retryAfterSeconds !== null);
    const billed = billedOf(creditsUsed ?? null, known.code);
    // In one statement: the core of the SDK is counted in bytes.
    Object.assign(this, { bucket: null, statusHint: null, ...known, isRetryable, billed });
  }
}

const retryable: ReadonlySet<string> = new Set([
  "rate_limited",
  "concurrency_limit_exceeded",
  "service_unavailable",
  "internal_error",
  "client_disconnected",
  "connection_failed",
  "timed_out",
  "queue_full",
  "too_many_streams",
  "deployment_not_ready",
  "upstream_unreachable",
]);

const maybeBilled: ReadonlySet<string> = new Set([
  "content_policy_violation",
  "provider_error",
  "provider_timeout",
  "deadline_exceeded",
  "client_disconnected",
  "internal_error",
  "connection_failed",
  "timed_out",
]);

// The server's figure wins; the code alone does not settle it.
function billedOf(creditsUsed: string | null, code: string): Billed {
  if (creditsUsed !== null && /^\d+(\.\d+)?$/.test(creditsUsed)) return /[1-9]/.test(creditsUsed) ? "yes" : "no";
  return maybeBilled.has(code) ? "maybe" : "no";
}

/** The input was refused before anything ran; `fields` names each rejected one (422). Never billed. */
export class InvalidInput extends AtelierError {
  readonly fields: readonly RouterValidationEntry[];
  constructor(facts: FailureFacts, more?: { readonly cause?: unknown }) {
    super(facts, more);
    this.fields = Array.isArray(facts.details) ? facts.details.filter(isEntry) : [];
  }
}
/** No usable credential. */
export class Unauthorized extends AtelierError {}
/** The credential may not do this. */
export class Forbidden extends AtelierError {}
/** It does not exist, or belongs to another workspace. */
export class NotFound extends AtelierError {}
/** No such model is served. */
export class ModelNotFound extends NotFound {}
/** The router is switched off here. */
export class NotEnabled extends AtelierError {}
/** The model refused on content-policy grounds. */
export class ContentPolicyViolation extends AtelierError {}
/** The balance or a cap does not cover the call. */
export class InsufficientCredits extends AtelierError {}
/** It could cost more than `maxCredits` allows; nothing ran. `details` of a graph names its dearest nodes. */
export class PriceAboveLimit extends AtelierError {
  /** The most that it can cost, in decimal credits. */
  readonly highest: string | null;
  readonly limit: string | null;
  constructor(facts: FailureFacts, more?: { readonly cause?: unknown }) {
    super(facts, more);
    const [, highest = null, limit = null] = aboveLimit.exec(facts.message) ?? [];
    this.highest = highest;
    this.limit = limit;
  }
}
/** Too many requests; wait `retryAfterSeconds`. */
export class RateLimited extends AtelierError {}
/** Too many calls in flight at once. */
export class ConcurrencyLimit extends AtelierError {}
/** The service cannot answer right now. */
export class ServiceUnavailable extends AtelierError {}
/** The provider failed. */
export class ProviderError extends AtelierError {}
/** The provider's own clock ran out. */
export class ProviderTimeout extends AtelierError {}
/** The server's deadline passed; the provider may still finish, and be charged. */
export class DeadlineExceeded extends AtelierError {}
/** A fault of the server, or an answer without a bucket. */
export class InternalError extends AtelierError {}
/** The graph cannot run; `details.node_errors` names the nodes. */
export class InvalidWorkflow extends AtelierError {}
/** The graph is the editor's export, and the server cannot convert it; `details` says why. */
export class EditorWorkflow extends InvalidWorkflow {}
/** The graph names an asset that is not there. */
export class MissingAsset extends AtelierError {}
/** The bytes do not hash to what was said. */
export class HashMismatch extends AtelierError {}
/** The key belongs to another request. */
export class IdempotencyKeyReuse extends AtelierError {}
/** The queued call was cancelled; nothing was charged. */
export class Cancelled extends AtelierError {}
/** The queued call waited for too long; nothing ran. */
export class QueueTimeout extends AtelierError {}
/** No such queued call, or its 24 hours are over. */
export class RequestNotFound extends NotFound {}
/** As many calls wait as may; come back after `retryAfterSeconds`. */
export class QueueBacklogFull extends RateLimited {}
/** The provider has the queued call and cannot be asked to stop: it goes on. */
export class CancelRefused extends AtelierError {}
/** The queued call had ended before it was to be cancelled. */
export class AlreadyCompleted extends AtelierError {}
/** The queued call has no result yet; `details` says how it stands. */
export class RequestNotCompleted extends AtelierError {}
/** No answer came. */
export class ConnectionFailed extends AtelierError {}
/** The time that this client allows passed. */
export class TimedOut extends AtelierError {}

const classes: Readonly<Record<string, typeof AtelierError>> = {
  invalid_input: InvalidInput,
  invalid_request: InvalidInput,
  invalid_body: InvalidInput,
  unauthorized: Unauthorized,
  forbidden: Forbidden,
  model_not_found: ModelNotFound,
  not_found: NotFound,
  blob_not_found: NotFound,
  output_unavailable: NotFound,
  not_enabled: NotEnabled,
  content_policy_violation: ContentPolicyViolation,
  insufficient_credits: InsufficientCredits,
  rate_limited: RateLimited,
  queue_full: RateLimited,
  too_many_streams: RateLimited,
  quota_exceeded: RateLimited,
  concurrency_limit_exceeded: ConcurrencyLimit,
  service_unavailable: ServiceUnavailable,
  upstream_unreachable: ServiceUnavailable,
  deployment_not_ready: ServiceUnavailable,
  provider_error: ProviderError,
  provider_timeout: ProviderTimeout,
  deadline_exceeded: DeadlineExceeded,
  internal_error: InternalError,
  invalid_workflow: InvalidWorkflow,
  workflow_format_ui: EditorWorkflow,
  missing_asset: MissingAsset,
  hash_mismatch: HashMismatch,
  idempotency_key_reuse: IdempotencyKeyReuse,
  price_above_limit: PriceAboveLimit,
  cancelled: Cancelled,
  queue_timeout: QueueTimeout,
  request_not_found: RequestNotFound,
  queue_backlog_full: QueueBacklogFull,
  cancel_refused: CancelRefused,
  already_completed: AlreadyCompleted,
};

// The router has no bucket for this, so we recognise it by the message, which names the header.
const aboveLimit = /can cost up to (\d[\d.]*) credits, and X-Service-Max-Credits allows (\d+(?:\.\d+)?)/;

const byStatus: Readonly<Record<number, string>> = {
  401: "unauthorized",
  402: "insufficient_credits",
  403: "forbidden",
  404: "not_found",
  429: "rate_limited",
  503: "service_unavailable",
};

/** Which call failed. */
export interface FailedCall {
  readonly idempotencyKey: string | null;
  /** Whether it was one of the router, whose answers have a bucket. */
  readonly isRouters: boolean;
}

/** A failed answer as an error. Reads the whole body. */
export async function failureOf(response: Response, { idempotencyKey, isRouters }: FailedCall): Promise<AtelierError> {
  const bodyText = await response.text().catch(() => "");
  const body = readBody(bodyText);
  const statusHint = byStatus[response.status] ?? null;
  // Spec, Errors rule 2: a missing bucket header means internal_error, whatever the status and body suggest.
  const bucket = isRouters ? bucketIn(response.headers) : null;
  const reason = response.headers.get("x-service-error-reason");
  const code = bucket === null ? (body.code ?? statusHint ?? "internal_error") : (reason ?? bucket);
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  const facts: FailureFacts = {
    status: response.status,
    code,
    bucket,
    statusHint,
    message: body.message ?? `The server responded with status ${response.status}.`,
    requestId: response.headers.get("x-service-request-id"),
    retryAfterSeconds: Number.isInteger(retryAfter) && retryAfter >= 0 ? retryAfter : null,
    details: body.details,
    bodyText,
    idempotencyKey,
    creditsUsed: response.headers.get("x-service-credits-used"),
  };
  const isAboveLimit = response.status === 422 && aboveLimit.test(facts.message);
  const known = isAboveLimit ? PriceAboveLimit : (classes[code] ?? (bucket && classes[bucket]));
  return new (known ?? (response.status === 404 ? NotFound : AtelierError))(facts);
}

function bucketIn(headers: Headers): RouterBucket {
  const word = headers.get("x-service-error-type");
  return buckets.find((bucket) => bucket === word) ?? "internal_error";
}

const buckets: readonly RouterBucket[] = [
  "invalid_input",
  "content_policy_violation",
  "provider_error",
  "provider_timeout",
  "insufficient_credits",
  "model_not_found",
  "unauthorized",
  "forbidden",
  "concurrency_limit_exceeded",
  "client_disconnected",
  "internal_error",
  "deadline_exceeded",
  "not_enabled",
  "service_unavailable",
  "rate_limited",
];

/** No answer: the connection failed, or the time was over. */
export function noAnswer(thrown: unknown, isTimeout: boolean, idempotencyKey: string | null): AtelierError {
  const facts = {
    status: 0,
    code: isTimeout ? "timed_out" : "connection_failed",
    message: isTimeout ? "The request timed out." : `The server cannot be reached: ${reasonOf(thrown)}.`,
    requestId: null,
    retryAfterSeconds: null,
    details: undefined,
    bodyText: "",
    idempotencyKey,
  };
  return isTimeout ? new TimedOut(facts, { cause: thrown }) : new ConnectionFailed(facts, { cause: thrown });
}

function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  if (!(cause instanceof Error)) return "no connection";
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
}

interface ReadError {
  readonly code?: string;
  readonly message?: string;
  readonly details?: unknown;
}

// The four bodies of the wire: the router's two, v2's and the generic one.
function readBody(text: string): ReadError {
  let body: unknown;
  try {
    body = parseJson(text);
  } catch {
    return {};
  }
  if (!isRecord(body)) return {};
  const { detail, error, message } = body;
  if (Array.isArray(detail)) {
    const fields = detail.filter(isEntry);
    return { code: "invalid_input", message: fields.map(sentence).join("; "), details: fields };
  }
  if (typeof detail === "string") return { message: detail, details: undefined };
  if (isRecord(error) && typeof error["code"] === "string")
    return { code: error["code"], message: String(error["message"] ?? ""), details: error["details"] };
  if (typeof error === "string") return { code: error, message: String(message ?? error), details: body["details"] };
  return {};
}

function sentence({ loc, msg }: RouterValidationEntry): string {
  return `${loc.slice(1).join(".") || "body"}: ${msg}`;
}

function isEntry(value: unknown): value is RouterValidationEntry {
  return isRecord(value) && Array.isArray(value["loc"]) && typeof value["msg"] === "string";
}
