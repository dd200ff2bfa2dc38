// Which outcomes a list of requests shows: the same words wherever requests are listed.
import type { ReactNode } from "react";
import type { Query } from "../../api/client.ts";
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
  { value: "", label: "Any outcome" },
  { value: "succeeded", label: "Succeeded" },
  { value: "failed", label: "Everything that failed" },
  { value: "replayed", label: "Replayed" },
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
      label="Outcome"
      choices={isKnown ? choices : [...choices, { value: outcome, label: outcomeOf(outcome).words }]}
      value={outcome ?? ""}
      onChange={({ target }) => props.onChoose(target.value || undefined)}
    />
  );
}

// The query for the server.
export function outcomeQuery(outcome: string | undefined): Query {
  if (outcome === "failed") return { failed: true };
  return outcome === "replayed" ? { replayed: true } : { outcome };
}
