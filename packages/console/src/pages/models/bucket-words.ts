// What each failure of a call means for the person at the page: what happened, and what to do. Whether it was charged follows
// from one rule (docs/ERRORS.md): a failure costs nothing, except a refusal on policy grounds by a model whose entry says so.
export interface BucketWords {
  readonly title: string;
  readonly advice: string;
}

const words: Readonly<Record<string, BucketWords>> = {
  invalid_input: {
    title: "The input was not accepted",
    advice: "Nothing ran. Change what is marked, and run again.",
  },
  content_policy_violation: {
    title: "The model refused this input (content policy)",
    advice: "Change the prompt, and run again.",
  },
  unauthorized: { title: "You are signed out", advice: "Sign in again; your input is kept." },
  insufficient_credits: {
    title: "Not enough credits",
    advice:
      "The balance or a cap does not cover the most that this call may cost. Lower it, or ask an owner for credits.",
  },
  forbidden: { title: "This workspace may not run this model", advice: "An owner or the operator can allow it." },
  not_enabled: { title: "The model router is switched off", advice: "The operator of this server can switch it on." },
  model_not_found: {
    title: "This model is not served",
    advice: "It may have been withdrawn. The list of models has the others.",
  },
  rate_limited: { title: "Too many calls at once", advice: "Wait a moment, and run again with the same key." },
  concurrency_limit_exceeded: {
    title: "All slots of this workspace are taken",
    advice: "Run it queued: it waits for its turn on the server.",
  },
  queue_backlog_full: { title: "The queue of this workspace is full", advice: "Wait until some of it has run." },
  queue_timeout: {
    title: "It waited too long in the queue",
    advice: "It was taken out and did not run. Run it again.",
  },
  cancelled: { title: "Canceled", advice: "It did not run to its end." },
  provider_error: {
    title: "The provider failed",
    advice: "Run again with the same key: what the provider had accepted is replayed, else it is tried anew.",
  },
  provider_timeout: { title: "The provider took too long", advice: "Try again later, or run it queued." },
  deadline_exceeded: {
    title: "It takes longer than a connection may stay open",
    advice: "The call goes on. Run again with the same key to collect its answer; it is paid once.",
  },
  service_unavailable: { title: "The server is busy or starting", advice: "Nothing was begun. Try again in a moment." },
  request_not_found: { title: "This queued call is gone", advice: "Answers are kept for 24 hours. Run it again." },
  workspace_changed: { title: "You are in another workspace", advice: "Your input is kept." },
  connection_failed: {
    title: "The connection was lost",
    advice: "The call may go on. Run again with the same key: an answer that was made is collected, and paid once.",
  },
  timed_out: {
    title: "No answer came in time",
    advice: "The call may go on. Run again with the same key to collect its answer.",
  },
};

export function bucketWords(code: string | null, status: number): BucketWords {
  const known = code === null ? undefined : words[code];
  if (known) return known;
  if (status === 0) return words["connection_failed"] ?? unforeseen;
  return unforeseen;
}

const unforeseen: BucketWords = {
  title: "Something went wrong on the server",
  advice: "Run again with the same key. If it stays, report it with the request's id.",
};

export function chargeWords(code: string | null, chargesRefusals: string): string {
  if (code === "deadline_exceeded" || code === "connection_failed" || code === "timed_out")
    return "Charged once if it completes.";
  if (code !== "content_policy_violation") return "Not charged.";
  if (chargesRefusals === "yes") return "Charged: this model charges for refusals.";
  if (chargesRefusals === "no") return "Not charged: this model does not charge for refusals.";
  return "Whether this model charges for refusals is not verified; your usage tells.";
}
