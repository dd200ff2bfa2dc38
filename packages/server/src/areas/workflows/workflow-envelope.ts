// Fault → v2 error body {error: {code, message, details?}}. The type checker ensures that every code has its v2 word.
import type { FaultCode } from "../../foundation/fault-codes.ts";
import { type Envelope, jsonAnswer } from "../../foundation/http/area.ts";

const codes = {
  invalid_request: "invalid_request",
  invalid_json: "invalid_request",
  invalid_cursor: "invalid_cursor",
  invalid_metadata_filter: "invalid_metadata_filter",
  invalid_content_type: "invalid_request",
  content_encoding_refused: "invalid_request",
  content_policy_violation: "invalid_request",
  unauthorized: "unauthorized",
  insufficient_credits: "insufficient_credits",
  forbidden: "forbidden",
  forbidden_origin: "forbidden_origin",
  sign_in_again: "forbidden",
  workspace_not_enabled: "forbidden",
  workspace_moved: "forbidden",
  not_found: "not_found",
  model_not_found: "not_found",
  blob_not_found: "blob_not_found",
  output_unavailable: "output_unavailable",
  not_enabled: "not_found",
  request_not_found: "not_found",
  method_not_allowed: "method_not_allowed",
  request_timeout: "invalid_request",
  conflict: "conflict",
  too_many_waiters: "conflict",
  hash_mismatch: "hash_mismatch",
  asset_in_use: "asset_in_use",
  cancelled: "conflict",
  cancel_refused: "conflict",
  already_completed: "conflict",
  precondition_failed: "conflict",
  payload_too_large: "payload_too_large",
  range_not_satisfiable: "range_not_satisfiable",
  misdirected_request: "invalid_request",
  validation_failed: "invalid_workflow",
  metadata_invalid: "metadata_invalid",
  workflow_format_ui: "workflow_format_ui",
  missing_asset: "missing_asset",
  idempotency_key_reuse: "idempotency_key_reuse",
  price_above_limit: "price_above_limit",
  deployment_stopped: "deployment_stopped",
  rate_limited: "rate_limited",
  quota_exceeded: "quota_exceeded",
  queue_full: "queue_full",
  queue_backlog_full: "queue_full",
  too_many_streams: "too_many_streams",
  deployment_not_ready: "deployment_not_ready",
  concurrency_limit_exceeded: "queue_full",
  header_fields_too_large: "invalid_request",
  client_disconnected: "invalid_request",
  internal_error: "upstream_error",
  not_implemented: "not_implemented",
  provider_error: "upstream_error",
  service_unavailable: "service_unavailable",
  upstream_unreachable: "upstream_unreachable",
  provider_timeout: "upstream_error",
  deadline_exceeded: "upstream_error",
  queue_timeout: "upstream_error",
  storage_full: "storage_full",
} as const satisfies Record<FaultCode, string>;

export function workflowCodeOf(code: FaultCode): string {
  return codes[code];
}

// An asset's fields are not a graph, so an invalid one has its own code.
const wordOf = (code: FaultCode, path: string): string =>
  code === "validation_failed" && path.includes("/api/v2/assets") ? "invalid_body" : codes[code];

// The contract's details are an object, so lists from query and body parsers go under one member.
const detailsOf = (details: unknown): unknown => (Array.isArray(details) ? { fields: details } : details);

export const workflowEnvelope: Envelope = (fault, { path }) =>
  jsonAnswer(fault.status, {
    error: {
      code: wordOf(fault.code, path),
      message: fault.message,
      ...(fault.details === undefined ? {} : { details: detailsOf(fault.details) }),
    },
  });
