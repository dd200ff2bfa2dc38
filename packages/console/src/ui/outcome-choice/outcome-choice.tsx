// Which outcomes a list of requests shows: the same words wherever requests are listed.

import type { ReactNode } from "react";
import { outcomes as words } from "#strings/ui/outcomes";
import { Select } from "../fields.tsx";
import { outcomeOf } from "../outcome.tsx";

const outcomes = [
  "invalid_input",
  "content_policy_violation",
  "insufficient_credits",
  "concurrency_limit_exceeded",
  "rate_limited",
  "forbidden",
  "client_disconnected",
  "cancelled",
  "provider_error",
  "provider_timeout",
  "deadline_exceeded",
  "queue_timeout",
  "internal_error",
  "service_unavailable",
];
const choices = [
  { value: "", label: words.choice.any },
  { value: "succeeded", label: words.succeeded },
  { value: "failed", label: words.choice.failed },
  { value: "replayed", label: words.replayed },
  ...outcomes.map((value) => ({ value, label: outcomeOf(value).words })),
];

export function OutcomeChoice(props: {
  readonly outcome: string | undefined;
  readonly onChoose: (outcome: string | undefined) => void;
}): ReactNode {
  const { outcome } = props;
  const isKnown = outcome === undefined || choices.some(({ value }) => value === outcome);
  return (
    <Select
      label={words.choice.label}
      choices={isKnown ? choices : [...choices, { value: outcome, label: outcomeOf(outcome).words }]}
      value={outcome ?? ""}
      onChange={({ target }) => props.onChoose(target.value || undefined)}
    />
  );
}

// The query for the server.
export function outcomeQuery(outcome: string | undefined): {
  readonly failed?: true;
  readonly replayed?: true;
  readonly outcome?: string | undefined;
} {
  if (outcome === "failed") return { failed: true };
  return outcome === "replayed" ? { replayed: true } : { outcome };
}
