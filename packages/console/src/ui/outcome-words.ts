// The outcome of a request in words: what happened, and who can do something about it.
export type OutcomeFamily = "done" | "caller" | "provider" | "server";

interface Outcome {
  readonly words: string;
  readonly family: OutcomeFamily;
  // What to do about it.
  readonly advice?: string;
}

const known: Readonly<Record<string, Outcome>> = {
  succeeded: { words: "Succeeded", family: "done" },
  replayed: { words: "Replayed", family: "done" },
  invalid_input: {
    words: "Invalid input",
    family: "caller",
    advice: "Nothing was charged. Correct the input and send it again.",
  },
  content_policy_violation: {
    words: "Refused by policy",
    family: "caller",
    advice: "The provider refused this input. Change it and run again.",
  },
  insufficient_credits: {
    words: "Not enough credits",
    family: "caller",
    advice: "Add credits to the workspace, or raise the key's cap.",
  },
  model_not_found: { words: "No such model", family: "caller" },
  unauthorized: { words: "Not signed in", family: "caller", advice: "The key is wrong, revoked or expired." },
  forbidden: {
    words: "Not allowed",
    family: "caller",
    advice: "An operator decides which models a workspace may run.",
  },
  concurrency_limit_exceeded: {
    words: "Too many at once",
    family: "caller",
    advice: "Wait for a call to end, or queue them: a queued call waits for a slot.",
  },
  rate_limited: {
    words: "Too many requests",
    family: "caller",
    advice: "The answer's Retry-After says when to go on.",
  },
  client_disconnected: { words: "Caller left", family: "caller" },
  cancelled: { words: "Canceled", family: "caller" },
  provider_error: {
    words: "Provider failed",
    family: "provider",
    advice: "Try again, or use another model.",
  },
  provider_timeout: { words: "Provider too slow", family: "provider", advice: "Try again, or use another model." },
  "provider gone": {
    words: "Provider restarted",
    family: "provider",
    advice: "The provider ended together with the server's process, and its work is lost. Nothing was charged.",
  },
  unknown: {
    words: "Outcome unknown",
    family: "provider",
    advice:
      "Nobody can tell whether the provider did this. Nothing was charged. Use a new Idempotency-Key to run it again.",
  },
  deadline_exceeded: {
    words: "Deadline reached",
    family: "provider",
    advice: "Send the same Idempotency-Key again to collect the result, or queue the call.",
  },
  queue_timeout: { words: "Waited too long", family: "server" },
  queue_backlog_full: { words: "Queue is full", family: "server" },
  internal_error: { words: "Fault of the server", family: "server" },
  service_unavailable: { words: "Server busy", family: "server" },
  not_enabled: { words: "Router is off", family: "server" },
  "never sent": {
    words: "Never sent",
    family: "server",
    advice: "The server stopped before it asked the provider. Nothing was charged. Run it again.",
  },
  "never arrived": {
    words: "Never arrived",
    family: "server",
    advice: "The provider knows nothing of it. Nothing was charged. Run it again.",
  },
  // Codes of the other areas, and of a provider's answers.
  validation_failed: { words: "Invalid input", family: "caller", advice: "Nothing was charged." },
  invalid_request: { words: "Invalid request", family: "caller" },
  invalid_json: { words: "Not valid JSON", family: "caller" },
  invalid_workflow: { words: "Invalid workflow", family: "caller" },
  workflow_format_ui: { words: "Editor format", family: "caller", advice: "Export the workflow in API format." },
  missing_asset: { words: "File is missing", family: "caller" },
  not_found: {
    words: "Not found",
    family: "caller",
    advice: "It never existed, has expired, or is another workspace's.",
  },
  request_not_found: { words: "No such request", family: "caller" },
  method_not_allowed: { words: "Method not allowed", family: "caller" },
  conflict: { words: "Conflict", family: "caller" },
  idempotency_key_reuse: { words: "Key used before", family: "caller", advice: "Use a new key for a new request." },
  price_above_limit: { words: "Above the price limit", family: "caller" },
  payload_too_large: { words: "Too large", family: "caller" },
  quota_exceeded: { words: "Quota reached", family: "caller" },
  queue_full: { words: "Queue is full", family: "caller" },
};

export function outcomeOf(outcome: string): Outcome {
  return known[outcome] ?? { words: outcome.replaceAll("_", " "), family: "server" };
}

export const familyWords: Readonly<Record<OutcomeFamily, string>> = {
  done: "Went well",
  caller: "Yours to change",
  provider: "The provider's",
  server: "The server's",
};

// Splits "model:provider/model" into kind and name.
export function subjectOf(subject: string): { readonly kind: string; readonly name: string } {
  const at = subject.indexOf(":");
  return at < 0 ? { kind: subject, name: subject } : { kind: subject.slice(0, at), name: subject.slice(at + 1) };
}
