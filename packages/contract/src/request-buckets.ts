// What queued model calls say beside the fifteen buckets of the router, on their own routes only (decisions, section 10). The
// fifteen stay closed: the synchronous call never answers with one of these.
import type { Static } from "typebox";
import { type BucketStatus, routerBuckets } from "./router-buckets.ts";
import { wordOf } from "./wire-values.ts";

export const requestOnlyBuckets = [
  "cancelled",
  "queue_timeout",
  "request_not_found",
  "queue_backlog_full",
  "cancel_refused",
  "already_completed",
] as const;

export const requestBuckets = [...routerBuckets, ...requestOnlyBuckets] as const;

export const RequestBucket = wordOf(requestBuckets, {
  title: "RequestBucket",
  description: "The failure kinds of queued model calls: the fifteen of the router, and six of the queue's own.",
});
export type RequestBucket = Static<typeof RequestBucket>;
export type RequestOnlyBucket = (typeof requestOnlyBuckets)[number];

export const requestBucketStatuses = {
  cancelled: { status: 409, retryAfter: "never", when: "the result of a request is read that was cancelled" },
  queue_timeout: {
    status: 504,
    retryAfter: "never",
    when: "the request waited in the queue for too long; nothing ran",
  },
  request_not_found: {
    status: 404,
    retryAfter: "never",
    when: "the workspace has no such request under this model, or its 24 hours are over",
  },
  queue_backlog_full: {
    status: 429,
    retryAfter: "always",
    when: "the workspace has as many requests waiting as it may have",
  },
  cancel_refused: {
    status: 409,
    retryAfter: "never",
    when: "the provider has the request and cannot be asked to stop",
  },
  already_completed: { status: 409, retryAfter: "never", when: "a request is cancelled that has completed" },
} as const satisfies Record<RequestOnlyBucket, BucketStatus>;
