// The closed list of foreseen failures and their HTTP status. A domain file names a code, never a status.
// Each area's envelope maps every code to its own words, complete by type: a new code does not compile until
// every envelope has answered for it. docs/ERRORS.md repeats this list; a test keeps the two equal.
export const faultCodes = {
  invalid_request: 400,
  invalid_json: 400,
  invalid_content_type: 400,
  content_encoding_refused: 400,
  content_policy_violation: 400,
  unauthorized: 401,
  insufficient_credits: 402,
  forbidden: 403,
  workspace_not_enabled: 403,
  not_found: 404,
  model_not_found: 404,
  not_enabled: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  payload_too_large: 413,
  misdirected_request: 421,
  validation_failed: 422,
  rate_limited: 429,
  quota_exceeded: 429,
  concurrency_limit_exceeded: 429,
  header_fields_too_large: 431,
  client_disconnected: 499,
  internal_error: 500,
  provider_error: 502,
  service_unavailable: 503,
  provider_timeout: 504,
  deadline_exceeded: 504,
} as const;

export type FaultCode = keyof typeof faultCodes;
