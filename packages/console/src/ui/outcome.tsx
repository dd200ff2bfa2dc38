// The outcome of a request in words: what happened, and who can fix it.

import { Check, CircleAlert, CircleSlash, Copy, Loader, type LucideIcon, X } from "lucide-react";
import type { ReactNode } from "react";
import { outcomes } from "#strings/ui/outcomes";
import { Chip, type Tone } from "./chip.tsx";
import { type OutcomeFamily, outcomeOf } from "./outcome-words.ts";

export { familyWords, type OutcomeFamily, outcomeOf, subjectOf } from "./outcome-words.ts";

const looks: Readonly<Record<OutcomeFamily, readonly [Tone, LucideIcon]>> = {
  done: ["ok", Check],
  caller: ["warn", CircleSlash],
  provider: ["bad", X],
  server: ["bad", CircleAlert],
};

export function OutcomeChip({
  outcome,
  status = null,
}: {
  readonly outcome: string | null;
  // Tells apart what the router reports under one code.
  readonly status?: number | null;
}): ReactNode {
  if (outcome === null) {
    return (
      <Chip tone="info" icon={Loader}>
        {outcomes.running}
      </Chip>
    );
  }
  const { words, family } = outcomeOf(outcome, status);
  const [tone, icon] = outcome === "replayed" ? (["cached", Copy] as const) : looks[family];
  return (
    <span data-outcome={outcome}>
      <Chip tone={tone} icon={icon} title={outcome}>
        {words}
      </Chip>
    </span>
  );
}
