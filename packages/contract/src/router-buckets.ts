// The fifteen buckets of the model router: a closed set, mirrored in X-Service-Error-Type on every error under /v1. This file
// decides which statuses a bucket may come with (decisions, section 3); two buckets have more than one.
import type { Static } from "typebox";
import { wordOf } from "./wire-values.ts";

// Spec, Errors: raised for a request that was accepted and then not completed.
export const requestLevelBuckets = [
  "invalid_input",
  "content_policy_violation",
  "provider_error",
  "provider_timeout",
  "insufficient_credits",
  "model_not_found",
] as const;

// Spec, Errors: raised by the router itself before or around the call.
export const transportLevelBuckets = [
  "unauthorized",
  "forbidden",
  "concurrency_limit_exceeded",
  "client_disconnected",
  "internal_error",
  "deadline_exceeded",
  "not_enabled",
  "service_unavailable",
  "rate_limited",
] as const;

export const routerBuckets = [...requestLevelBuckets, ...transportLevelBuckets] as const;

export const RouterBucket = wordOf(routerBuckets, {
  title: "RouterBucket",
  description: "The error types of the model router. A closed set.",
});
export type RouterBucket = Static<typeof RouterBucket>;

export interface BucketStatus {
  readonly status: number;
  // always: the answer says when to come back. never: waiting does not help, or the time is unknown. keyed: only if the call
  // carried an idempotency key, whose result can be collected.
  readonly retryAfter: "always" | "never" | "keyed";
  readonly when: string;
}

export const bucketStatuses = {
  invalid_input: [
    { status: 400, retryAfter: "never", when: "the request cannot be read: JSON, cursor, limit, content type or key" },
    { status: 404, retryAfter: "never", when: "the workspace has no such queued request" },
    { status: 405, retryAfter: "never", when: "the path exists, the method does not" },
    {
      status: 409,
      retryAfter: "never",
      when: "the idempotency key was used for another request, or a queued request cannot be cancelled or was",
    },
    { status: 413, retryAfter: "never", when: "the body is above the cap" },
    { status: 422, retryAfter: "never", when: "the body violates the model's input schema" },
  ],
  content_policy_violation: [{ status: 400, retryAfter: "never", when: "the provider refused on policy grounds" }],
  provider_error: [{ status: 502, retryAfter: "never", when: "the provider failed or answered no readable result" }],
  provider_timeout: [{ status: 504, retryAfter: "never", when: "the provider's own clock ran out" }],
  insufficient_credits: [{ status: 402, retryAfter: "never", when: "the balance or a cap cannot cover the call" }],
  model_not_found: [{ status: 404, retryAfter: "never", when: "no such model is served" }],
  unauthorized: [{ status: 401, retryAfter: "never", when: "no usable credential was sent" }],
  forbidden: [{ status: 403, retryAfter: "never", when: "the workspace may not run the model" }],
  concurrency_limit_exceeded: [
    { status: 409, retryAfter: "always", when: "too many duplicates already wait for the running call of this key" },
    { status: 429, retryAfter: "never", when: "the workspace has too many calls in flight" },
  ],
  client_disconnected: [{ status: 499, retryAfter: "never", when: "the caller left first; logged, never delivered" }],
  internal_error: [{ status: 500, retryAfter: "never", when: "a fault of ours" }],
  deadline_exceeded: [
    {
      status: 504,
      retryAfter: "keyed",
      when: "the server's deadline was reached, or a queued request waited for too long",
    },
  ],
  not_enabled: [
    { status: 403, retryAfter: "never", when: "the router is not switched on for this workspace" },
    { status: 404, retryAfter: "never", when: "the router is switched off" },
  ],
  service_unavailable: [
    { status: 503, retryAfter: "always", when: "the release state is loading, a dependency is away or we are full" },
  ],
  rate_limited: [
    {
      status: 429,
      retryAfter: "always",
      when: "the request allowance of the workspace is used up, or its queue is full",
    },
  ],
} as const satisfies Record<RouterBucket, readonly BucketStatus[]>;

const known: ReadonlySet<string> = new Set(routerBuckets);

export function isRouterBucket(word: string): word is RouterBucket {
  return known.has(word);
}

// Spec, Errors rule 2: an absent or unknown bucket is read as internal_error.
export function asRouterBucket(word: string | null | undefined): RouterBucket {
  return word !== null && word !== undefined && isRouterBucket(word) ? word : "internal_error";
}
