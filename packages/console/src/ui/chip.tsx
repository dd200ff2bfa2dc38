import { Ban, Check, CircleDashed, CircleHelp, Diamond, Hourglass, Loader, type LucideIcon, X } from "lucide-react";
import type { ReactNode } from "react";
import { ui as words } from "#strings/ui";
import kit from "./kit.module.css";

export type Tone = "ok" | "bad" | "warn" | "info" | "cached" | "accent" | "live" | "plain";

export function Chip(props: {
  readonly tone?: Tone;
  readonly icon?: LucideIcon;
  readonly title?: string;
  readonly children: ReactNode;
}): ReactNode {
  const Icon = props.icon;
  return (
    <span className={kit.chip} data-tone={props.tone ?? "plain"} title={props.title}>
      {Icon ? <Icon aria-hidden="true" /> : null}
      {props.children}
    </span>
  );
}

const looks: Readonly<Record<string, readonly [Tone, LucideIcon, string]>> = {
  queued: ["plain", CircleDashed, words.states.queued],
  waiting: ["plain", CircleDashed, words.states.waiting],
  IN_QUEUE: ["plain", CircleDashed, words.states.queued],
  running: ["live", Loader, words.states.running],
  IN_PROGRESS: ["live", Loader, words.states.running],
  cached: ["cached", Diamond, words.states.cached],
  done: ["ok", Check, words.states.done],
  succeeded: ["ok", Check, words.states.succeeded],
  completed: ["ok", Check, words.states.completed],
  COMPLETED: ["ok", Check, words.states.completed],
  failed: ["bad", X, words.states.failed],
  cancelled: ["plain", Ban, words.states.canceled],
  canceled: ["plain", Ban, words.states.canceled],
  canceling: ["warn", Ban, words.states.canceling],
  expired: ["warn", Hourglass, words.states.expired],
  untold: ["plain", CircleHelp, words.states.notReported],
  skipped: ["plain", Ban, words.states.skipped],
};

export const stateWord = (state: string): string => looks[state]?.[2] ?? state;

// Shows a state by icon, word and colour: never by colour alone.
export function StateChip({ state }: { readonly state: string }): ReactNode {
  const [tone, icon, word] = looks[state] ?? ["plain", CircleDashed, state];
  return (
    <span data-state={state}>
      <Chip tone={tone} icon={icon}>
        {word}
      </Chip>
    </span>
  );
}
