// Turns a Fault into the router's error body {detail, error_type} and the bucket header. The set of buckets is closed at
// fifteen (Spec, Errors); queued calls add a reason (decisions, section 10). The type makes this table complete: a new fault
// code does not compile until it has a bucket.
import { isRequestReason, type RequestReason, type RouterBucket, reasonBuckets } from "@atelier/contract";
import type { Fault } from "../../../foundation/fault.ts";
import type { FaultCode } from "../../../foundation/fault-codes.ts";

type Headers = Readonly<Record<string, string>>;

const buckets = {
  ...reasonBuckets,
  invalid_request: "invalid_input",
  invalid_json: "invalid_input",
  invalid_cursor: "invalid_input",
  invalid_metadata_filter: "invalid_input",
  invalid_content_type: "invalid_input",
  content_encoding_refused: "invalid_input",
  content_policy_violation: "content_policy_violation",
  unauthorized: "unauthorized",
  insufficient_credits: "insufficient_credits",
  forbidden: "forbidden",
  forbidden_origin: "forbidden",
  sign_in_again: "forbidden",
  workspace_not_enabled: "not_enabled",
  workspace_moved: "forbidden",
  // Decisions, section 3: other segment counts and unknown /v1 routes name no model.
  not_found: "model_not_found",
  model_not_found: "model_not_found",
  blob_not_found: "internal_error",
  output_unavailable: "internal_error",
  not_enabled: "not_enabled",
  method_not_allowed: "invalid_input",
  request_timeout: "invalid_input",
  conflict: "invalid_input",
  too_many_waiters: "concurrency_limit_exceeded",
  hash_mismatch: "internal_error",
  asset_in_use: "internal_error",
  precondition_failed: "invalid_input",
  payload_too_large: "invalid_input",
  range_not_satisfiable: "invalid_input",
  misdirected_request: "invalid_input",
  validation_failed: "invalid_input",
  metadata_invalid: "invalid_input",
  workflow_format_ui: "invalid_input",
  missing_asset: "invalid_input",
  idempotency_key_reuse: "invalid_input",
  price_above_limit: "invalid_input",
  deployment_stopped: "internal_error",
  rate_limited: "rate_limited",
  quota_exceeded: "rate_limited",
  queue_full: "rate_limited",
  too_many_streams: "rate_limited",
  deployment_not_ready: "service_unavailable",
  concurrency_limit_exceeded: "concurrency_limit_exceeded",
  header_fields_too_large: "invalid_input",
  client_disconnected: "client_disconnected",
  internal_error: "internal_error",
  not_implemented: "internal_error",
  provider_error: "provider_error",
  service_unavailable: "service_unavailable",
  upstream_unreachable: "service_unavailable",
  provider_timeout: "provider_timeout",
  deadline_exceeded: "deadline_exceeded",
  storage_full: "service_unavailable",
} as const satisfies Record<FaultCode, RouterBucket>;

export function bucketOf(code: FaultCode): RouterBucket {
  return buckets[code];
}

// What metrics and usage count by: the reason if there is one, otherwise the bucket.
export function outcomeOf(code: FaultCode): RouterBucket | RequestReason {
  return isRequestReason(code) ? code : buckets[code];
}

// Maps the outcome of a usage row to the closed set of metric labels.
export function outcomeBucket(outcome: string): RouterBucket | RequestReason | "ok" {
  if (outcome === "succeeded") return "ok";
  return outcome in buckets ? outcomeOf(outcome as FaultCode) : "provider_error";
}

export function bucketHeader({ code }: Fault): Headers {
  return {
    "x-service-error-type": buckets[code],
    ...(isRequestReason(code) ? { "x-service-error-reason": code } : {}),
  };
}

export interface RouterAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export function routerAnswer(fault: Fault): RouterAnswer {
  // Spec, Router validation error body: `detail` is the list, and there is no error_type.
  const body =
    fault.code === "validation_failed"
      ? { detail: fault.details }
      : { detail: fault.message, error_type: buckets[fault.code], ...reasonIn(fault) };
  return {
    status: fault.status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      ...bucketHeader(fault),
      ...slotHeaders(fault),
    },
    body: JSON.stringify(body),
  };
}

const reasonIn = ({ code }: Fault) => (isRequestReason(code) ? { code } : {});

// Decisions, section 3: the slot headers are sent on 200 and on this 429.
function slotHeaders({ code, details }: Fault): Headers {
  if (code !== "concurrency_limit_exceeded" || typeof details !== "object" || details === null) return {};
  const limit = Number(Reflect.get(details, "limit"));
  const current = Number(Reflect.get(details, "current"));
  return {
    "x-service-concurrency-limit": String(limit),
    "x-service-concurrency-current": String(current),
    "x-service-concurrency-remaining": String(Math.max(0, limit - current)),
  };
}
