// The outcome of a request in words: what happened, and who can do something about it.
import { outcomes } from "#strings/ui/outcomes";

export type OutcomeFamily = "done" | "caller" | "provider" | "server";

interface Outcome {
  readonly words: string;
  readonly family: OutcomeFamily;
  // What to do about it.
  readonly advice?: string;
}

const known: Readonly<Record<string, Outcome>> = {
  succeeded: { words: outcomes.succeeded, family: "done" },
  replayed: { words: outcomes.replayed, family: "done" },
  invalid_input: {
    words: outcomes.invalidInput,
    family: "caller",
    advice: outcomes.invalidInputAdvice,
  },
  content_policy_violation: {
    words: outcomes.refused,
    family: "caller",
    advice: outcomes.refusedAdvice,
  },
  insufficient_credits: {
    words: outcomes.noCredits,
    family: "caller",
    advice: outcomes.noCreditsAdvice,
  },
  model_not_found: { words: outcomes.noModel, family: "caller", advice: outcomes.noModelAdvice },
  unauthorized: { words: outcomes.unauthorized, family: "caller", advice: outcomes.unauthorizedAdvice },
  forbidden: {
    words: outcomes.forbidden,
    family: "caller",
    advice: outcomes.forbiddenAdvice,
  },
  concurrency_limit_exceeded: {
    words: outcomes.concurrency,
    family: "caller",
    advice: outcomes.concurrencyAdvice,
  },
  rate_limited: {
    words: outcomes.rateLimited,
    family: "caller",
    advice: outcomes.rateLimitedAdvice,
  },
  client_disconnected: { words: outcomes.disconnected, family: "caller", advice: outcomes.disconnectedAdvice },
  cancelled: { words: outcomes.canceled, family: "caller", advice: outcomes.canceledAdvice },
  provider_error: {
    words: outcomes.provider,
    family: "provider",
    advice: outcomes.providerAdvice,
  },
  provider_timeout: { words: outcomes.providerTimeout, family: "provider", advice: outcomes.providerAdvice },
  "provider gone": {
    words: outcomes.providerGone,
    family: "provider",
    advice: outcomes.providerGoneAdvice,
  },
  unknown: {
    words: outcomes.unknown,
    family: "provider",
    advice: outcomes.unknownAdvice,
  },
  deadline_exceeded: {
    words: outcomes.deadline,
    family: "provider",
    advice: outcomes.deadlineAdvice,
  },
  queue_timeout: { words: outcomes.queueTimeout, family: "server", advice: outcomes.queueTimeoutAdvice },
  queue_backlog_full: { words: outcomes.queueFull, family: "server", advice: outcomes.queueFullAdvice },
  internal_error: { words: outcomes.server, family: "server", advice: outcomes.serverAdvice },
  service_unavailable: { words: outcomes.serverBusy, family: "server", advice: outcomes.serverBusyAdvice },
  not_enabled: { words: outcomes.routerOff, family: "server", advice: outcomes.routerOffAdvice },
  "never sent": {
    words: outcomes.neverSent,
    family: "server",
    advice: outcomes.neverSentAdvice,
  },
  "never arrived": {
    words: outcomes.neverArrived,
    family: "server",
    advice: outcomes.neverArrivedAdvice,
  },
  // Codes of the other areas, and of a provider's answers.
  validation_failed: { words: outcomes.invalidInput, family: "caller", advice: outcomes.nothingCharged },
  invalid_request: { words: outcomes.invalidRequest, family: "caller", advice: outcomes.correctAdvice },
  invalid_json: { words: outcomes.invalidJson, family: "caller", advice: outcomes.correctAdvice },
  invalid_workflow: { words: outcomes.invalidWorkflow, family: "caller", advice: outcomes.correctAdvice },
  workflow_format_ui: { words: outcomes.editorFormat, family: "caller", advice: outcomes.editorFormatAdvice },
  missing_asset: { words: outcomes.missingFile, family: "caller", advice: outcomes.missingFileAdvice },
  not_found: {
    words: outcomes.notFound,
    family: "caller",
    advice: outcomes.notFoundAdvice,
  },
  request_not_found: { words: outcomes.noRequest, family: "caller", advice: outcomes.notFoundAdvice },
  method_not_allowed: { words: outcomes.method, family: "caller", advice: outcomes.methodAdvice },
  conflict: { words: outcomes.conflict, family: "caller", advice: outcomes.conflictAdvice },
  idempotency_key_reuse: { words: outcomes.keyReused, family: "caller", advice: outcomes.keyReusedAdvice },
  price_above_limit: { words: outcomes.priceLimit, family: "caller", advice: outcomes.priceLimitAdvice },
  payload_too_large: { words: outcomes.tooLarge, family: "caller", advice: outcomes.tooLargeAdvice },
  quota_exceeded: { words: outcomes.quota, family: "caller", advice: outcomes.quotaAdvice },
  queue_full: { words: outcomes.queueFull, family: "caller", advice: outcomes.queueFullAdvice },
};

// The router has one code for every input it refuses; a key that was used for something else is the one with status 409.
export function outcomeOf(outcome: string, status: number | null = null): Outcome {
  const name = outcome === "invalid_input" && status === 409 ? "idempotency_key_reuse" : outcome;
  return known[name] ?? { words: outcome.replaceAll("_", " "), family: "server" };
}

export const familyWords: Readonly<Record<OutcomeFamily, string>> = outcomes.families;

// Splits "model:provider/model" into kind and name.
export function subjectOf(subject: string): { readonly kind: string; readonly name: string } {
  const at = subject.indexOf(":");
  return at < 0 ? { kind: subject, name: subject } : { kind: subject.slice(0, at), name: subject.slice(at + 1) };
}
