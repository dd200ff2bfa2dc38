// The outcome of a request in words: what happened, and who can do something about it.
import { outcomes } from "#strings/ui/outcomes";

export type OutcomeFamily = "done" | "caller" | "provider" | "server";

interface Outcome {
  readonly words: string;
  readonly family: OutcomeFamily;
  // What to do about it.
  readonly advice?: string;
}

// Whose doing it is, what happened, and what to do about it.
const known: Readonly<Record<string, readonly [family: OutcomeFamily, words: string, advice?: string]>> = {
  succeeded: ["done", outcomes.succeeded],
  replayed: ["done", outcomes.replayed],
  invalid_input: ["caller", outcomes.invalidInput, outcomes.invalidInputAdvice],
  content_policy_violation: ["caller", outcomes.refused, outcomes.refusedAdvice],
  insufficient_credits: ["caller", outcomes.noCredits, outcomes.noCreditsAdvice],
  model_not_found: ["caller", outcomes.noModel, outcomes.noModelAdvice],
  unauthorized: ["caller", outcomes.unauthorized, outcomes.unauthorizedAdvice],
  forbidden: ["caller", outcomes.forbidden, outcomes.forbiddenAdvice],
  concurrency_limit_exceeded: ["caller", outcomes.concurrency, outcomes.concurrencyAdvice],
  rate_limited: ["caller", outcomes.rateLimited, outcomes.rateLimitedAdvice],
  client_disconnected: ["caller", outcomes.disconnected, outcomes.disconnectedAdvice],
  cancelled: ["caller", outcomes.canceled, outcomes.canceledAdvice],
  provider_error: ["provider", outcomes.provider, outcomes.providerAdvice],
  provider_timeout: ["provider", outcomes.providerTimeout, outcomes.providerAdvice],
  "provider gone": ["provider", outcomes.providerGone, outcomes.providerGoneAdvice],
  unknown: ["provider", outcomes.unknown, outcomes.unknownAdvice],
  deadline_exceeded: ["provider", outcomes.deadline, outcomes.deadlineAdvice],
  queue_timeout: ["server", outcomes.queueTimeout, outcomes.queueTimeoutAdvice],
  queue_backlog_full: ["server", outcomes.queueFull, outcomes.queueFullAdvice],
  internal_error: ["server", outcomes.server, outcomes.serverAdvice],
  service_unavailable: ["server", outcomes.serverBusy, outcomes.serverBusyAdvice],
  not_enabled: ["server", outcomes.routerOff, outcomes.routerOffAdvice],
  "never sent": ["server", outcomes.neverSent, outcomes.neverSentAdvice],
  "never arrived": ["server", outcomes.neverArrived, outcomes.neverArrivedAdvice],
  // Codes of the other areas, and of a provider's answers.
  validation_failed: ["caller", outcomes.invalidInput, outcomes.nothingCharged],
  invalid_request: ["caller", outcomes.invalidRequest, outcomes.correctAdvice],
  invalid_json: ["caller", outcomes.invalidJson, outcomes.correctAdvice],
  invalid_workflow: ["caller", outcomes.invalidWorkflow, outcomes.correctAdvice],
  workflow_format_ui: ["caller", outcomes.editorFormat, outcomes.editorFormatAdvice],
  missing_asset: ["caller", outcomes.missingFile, outcomes.missingFileAdvice],
  not_found: ["caller", outcomes.notFound, outcomes.notFoundAdvice],
  request_not_found: ["caller", outcomes.noRequest, outcomes.notFoundAdvice],
  method_not_allowed: ["caller", outcomes.method, outcomes.methodAdvice],
  conflict: ["caller", outcomes.conflict, outcomes.conflictAdvice],
  idempotency_key_reuse: ["caller", outcomes.keyReused, outcomes.keyReusedAdvice],
  price_above_limit: ["caller", outcomes.priceLimit, outcomes.priceLimitAdvice],
  payload_too_large: ["caller", outcomes.tooLarge, outcomes.tooLargeAdvice],
  quota_exceeded: ["caller", outcomes.quota, outcomes.quotaAdvice],
  queue_full: ["caller", outcomes.queueFull, outcomes.queueFullAdvice],
};

// The router has one code for every input it refuses; a key that was used for something else is the one with status 409.
export function outcomeOf(outcome: string, status: number | null = null): Outcome {
  const name = outcome === "invalid_input" && status === 409 ? "idempotency_key_reuse" : outcome;
  const [family, words, advice] = known[name] ?? ["server", outcome.replaceAll("_", " ")];
  return { family, words, ...(advice === undefined ? {} : { advice }) };
}

export const familyWords: Readonly<Record<OutcomeFamily, string>> = outcomes.families;

// Splits "model:provider/model" into kind and name.
export function subjectOf(subject: string): { readonly kind: string; readonly name: string } {
  const at = subject.indexOf(":");
  return at < 0 ? { kind: subject, name: subject } : { kind: subject.slice(0, at), name: subject.slice(at + 1) };
}
