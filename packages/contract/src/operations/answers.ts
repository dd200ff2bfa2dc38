// Answers that many operations share, defined once per envelope: generic, router and v2. An operation names the statuses it can
// return, `...genericFaults(400, 401)`; the envelope of its area decides the body (decisions, section 1).
import { type TSchema, Type } from "typebox";
import { GenericError, RouterError, RouterRefusal, RouterValidationError, WorkflowError } from "../error-bodies.ts";
import { headerName } from "../headers.ts";
import type { AnswerShape, BodyShape } from "../operation.ts";
import { tags } from "./tags.ts";

const { cacheControl, errorType, retryAfter, upstreamStatus } = headerName;
const binary = Type.String({ format: "binary" });

export function answer<Schema extends TSchema>(schema: Schema, description: string, headers: readonly string[] = []) {
  return { description, schema, contentType: "application/json", headers } as const satisfies AnswerShape;
}

export function emptyAnswer(description: string, headers: readonly string[] = []) {
  return { description, headers } as const satisfies AnswerShape;
}

// For bytes or text that are not JSON.
export function rawAnswer(contentType: string, description: string, headers: readonly string[] = []) {
  return { description, contentType, schema: rawSchema(contentType), headers } as const satisfies AnswerShape;
}

// Client generators treat anything not declared binary as text.
function rawSchema(contentType: string) {
  return /^text\/|\+xml$|json$/.test(contentType) ? Type.String() : binary;
}

export function bytesBody(contentType: string) {
  return { contentType, schema: binary, required: true } as const satisfies BodyShape;
}

// The headers of a file's bytes: in full, in part, or not modified.
const bytesHeaders = [
  headerName.contentLength,
  headerName.contentDisposition,
  headerName.acceptRanges,
  headerName.cacheControl,
  headerName.etag,
];

export const bytesAnswers = (contentType: string, whole = "The bytes.", part = "The requested range.") => ({
  200: rawAnswer(contentType, whole, bytesHeaders),
  206: rawAnswer(contentType, part, [...bytesHeaders, headerName.contentRange]),
  304: emptyAnswer("The caller already has these bytes.", [headerName.etag, headerName.cacheControl]),
});

export function jsonBody<Schema extends TSchema>(schema: Schema, required = true) {
  return { contentType: "application/json", schema, required } as const satisfies BodyShape;
}

function answersOf<Table extends object, Status extends keyof Table>(all: Table, picked: Status[]): Pick<Table, Status>;
function answersOf(all: Readonly<Record<string, unknown>>, picked: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(picked.map((status) => [status, all[status]]));
}

const generic = (description: string, headers: readonly string[] = []) =>
  answer(GenericError, description, [cacheControl, ...headers]);

export const genericFault = {
  400: generic("The request is invalid; the message says why."),
  401: generic("The credential is missing or invalid."),
  402: generic("Not enough credits."),
  403: generic("The caller is not allowed to do this."),
  404: generic("Not found, or it belongs to another workspace."),
  409: generic("The request conflicts with the current state."),
  412: generic("The resource has changed: read it again."),
  413: generic("The body is too large."),
  422: generic("The request is well-formed but was rejected; error and details say why."),
  429: generic("Too many requests or calls in flight.", [retryAfter]),
  431: generic(
    "header_fields_too_large: the request headers are larger than 16 KiB. Always in the generic error body, before any route runs; under /v1 also with X-Service-Error-Type.",
  ),
  500: generic("The server failed."),
  502: generic("The partner failed."),
  503: generic("The service is unavailable right now.", [retryAfter]),
  504: generic("The partner took too long."),
} as const;

export const genericFaults = <Status extends keyof typeof genericFault>(...statuses: Status[]) =>
  answersOf(genericFault, statuses);

// What the operations of whole areas share.
export const ofAccount = { tag: tags.account, access: "key", refusals: genericFault } as const;
export const ofAdministration = { tag: tags.administration, access: "admin", refusals: genericFault } as const;

// Which model a route asked, and what it was not given.
const ofRoute = [headerName.routeTarget, headerName.droppedParams] as const;

const router = (description: string, headers: readonly string[] = []) =>
  answer(RouterError, description, [cacheControl, errorType, ...headers]);

export const routerFault = {
  400: router("invalid_input or content_policy_violation.", [upstreamStatus, headerName.creditsUsed, ...ofRoute]),
  401: router("unauthorized: the credential is missing or invalid."),
  402: router("insufficient_credits: the balance or a cap does not cover the call."),
  403: router("forbidden or not_enabled."),
  404: router("model_not_found, or not_enabled while the router is switched off."),
  409: router(
    "invalid_input: the key belongs to another request. concurrency_limit_exceeded: too many requests are waiting for it.",
    [retryAfter],
  ),
  413: router("invalid_input: the body is too large."),
  422: answer(RouterValidationError, "invalid_input: the body violates the model's input schema; never billed.", [
    cacheControl,
    errorType,
    upstreamStatus,
    headerName.creditsUsed,
    ...ofRoute,
  ]),
  429: router("rate_limited, with Retry-After; or concurrency_limit_exceeded, without.", [
    retryAfter,
    headerName.concurrencyLimit,
    headerName.concurrencyCurrent,
    headerName.concurrencyRemaining,
  ]),
  500: router("internal_error."),
  502: router("provider_error, with Retry-After if the provider is busy.", [
    upstreamStatus,
    headerName.creditsUsed,
    retryAfter,
    ...ofRoute,
  ]),
  503: router("service_unavailable: the server is starting or overloaded, or a dependency is unavailable.", [
    retryAfter,
  ]),
  504: router("deadline_exceeded or provider_timeout. With an idempotency key, the result can be collected later.", [
    retryAfter,
    upstreamStatus,
    headerName.creditsUsed,
    ...ofRoute,
  ]),
} as const;

export const routerFaults = <Status extends keyof typeof routerFault>(...statuses: Status[]) =>
  answersOf(routerFault, statuses);

// If the caller can also send a credit limit, 422 has two bodies: the list of fields, and the limit's error.
export const routerRefusals = {
  422: answer(
    RouterRefusal,
    "invalid_input, never billed: the body violates the model's input schema (detail is a list), or the call could cost more than X-Service-Max-Credits (detail is a string, with error_type).",
    [cacheControl, errorType, upstreamStatus, headerName.creditsUsed, ...ofRoute],
  ),
} as const;

const workflow = (description: string, headers: readonly string[] = []) =>
  answer(WorkflowError, description, [cacheControl, ...headers]);

export const workflowFault = {
  400: workflow("invalid_request: the request is malformed."),
  401: workflow("unauthorized: the credential is missing or invalid."),
  402: workflow("insufficient_credits."),
  403: workflow(
    "forbidden. A page whose origin is not allowed gets forbidden_origin in the generic error body, before any route runs.",
  ),
  404: workflow("not_found: unknown, another workspace's, or past its retention."),
  409: workflow("hash_mismatch or asset_in_use."),
  413: workflow("payload_too_large."),
  416: workflow("range_not_satisfiable.", [headerName.contentRange]),
  422: workflow("The request is well-formed but was rejected; the code says why."),
  429: workflow("rate_limited, queue_full, too_many_streams, quota_exceeded or deployment_not_ready.", [retryAfter]),
  500: workflow("upstream_error: the server failed."),
  501: workflow(
    "not_implemented: this surface has no event stream. All surfaces of this server have one; a client that gets this response from another server should poll.",
  ),
  503: workflow("service_unavailable, or upstream_unreachable if the application cannot be reached.", [retryAfter]),
} as const;

export const workflowFaults = <Status extends keyof typeof workflowFault>(...statuses: Status[]) =>
  answersOf(workflowFault, statuses);
