// What became of a request, in words: what happened, and whose it is to mend.
import { Check, CircleAlert, CircleSlash, Copy, Loader, type LucideIcon, X } from "lucide-react";
import type { ReactNode } from "react";
import { Chip, type Tone } from "./chip.tsx";

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
    advice: "The answer names the fields. Nothing was charged.",
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
  unauthorized: { words: "Not signed in", family: "caller" },
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
  cancelled: { words: "Cancelled", family: "caller" },
  provider_error: {
    words: "Provider failed",
    family: "provider",
    advice: "It is not charged. Try again, or another model.",
  },
  provider_timeout: { words: "Provider too slow", family: "provider", advice: "It is not charged. Try again." },
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

const looks: Readonly<Record<OutcomeFamily, readonly [Tone, LucideIcon]>> = {
  done: ["ok", Check],
  caller: ["warn", CircleSlash],
  provider: ["bad", X],
  server: ["bad", CircleAlert],
};

export function OutcomeChip({ outcome }: { readonly outcome: string | null }): ReactNode {
  if (outcome === null) {
    return (
      <Chip tone="info" icon={Loader}>
        Under way
      </Chip>
    );
  }
  const { words, family } = outcomeOf(outcome);
  const [tone, icon] = outcome === "replayed" ? (["cached", Copy] as const) : looks[family];
  return (
    <span data-outcome={outcome}>
      <Chip tone={tone} icon={icon} title={outcome}>
        {words}
      </Chip>
    </span>
  );
}

// "model:provider/model" without its kind, and what the kind is.
export function subjectOf(subject: string): { readonly kind: string; readonly name: string } {
  const at = subject.indexOf(":");
  return at < 0 ? { kind: subject, name: subject } : { kind: subject.slice(0, at), name: subject.slice(at + 1) };
}
