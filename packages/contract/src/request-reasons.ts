// Reasons that queued model calls add to the router's fifteen buckets (decisions, section 10). The fifteen stay closed: each
// reason goes with one of them and appears in the body's `code` and in X-Service-Error-Reason. A caller that looks at the bucket
// alone does the right thing; the reason says more.
import type { Static } from "typebox";
import type { RouterBucket } from "./router-buckets.ts";
import { wordOf } from "./wire-values.ts";

export const requestReasons = [
  "cancelled",
  "queue_timeout",
  "request_not_found",
  "queue_backlog_full",
  "cancel_refused",
  "already_completed",
] as const;

export const RequestReason = wordOf(requestReasons, {
  title: "RequestReason",
  description: "The reason, if the error type alone does not say.",
});
export type RequestReason = Static<typeof RequestReason>;

export const reasonBuckets = {
  cancelled: "invalid_input",
  queue_timeout: "deadline_exceeded",
  request_not_found: "invalid_input",
  queue_backlog_full: "rate_limited",
  cancel_refused: "invalid_input",
  already_completed: "invalid_input",
} as const satisfies Record<RequestReason, RouterBucket>;

export function isRequestReason(word: string): word is RequestReason {
  return Object.hasOwn(reasonBuckets, word);
}
