import { Ban, Check, CircleDashed, CircleHelp, Diamond, Hourglass, Loader, type LucideIcon, X } from "lucide-react";
import type { ReactNode } from "react";
import kit from "./kit.module.css";

export type Tone = "ok" | "bad" | "warn" | "info" | "cached" | "accent" | "plain";

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
  queued: ["plain", CircleDashed, "Queued"],
  waiting: ["plain", CircleDashed, "Waiting"],
  IN_QUEUE: ["plain", CircleDashed, "Queued"],
  running: ["info", Loader, "Running"],
  IN_PROGRESS: ["info", Loader, "Running"],
  cached: ["cached", Diamond, "Cached"],
  done: ["ok", Check, "Done"],
  succeeded: ["ok", Check, "Succeeded"],
  completed: ["ok", Check, "Completed"],
  COMPLETED: ["ok", Check, "Completed"],
  failed: ["bad", X, "Failed"],
  cancelled: ["plain", Ban, "Canceled"],
  canceled: ["plain", Ban, "Canceled"],
  canceling: ["warn", Ban, "Canceling"],
  expired: ["warn", Hourglass, "Expired"],
  untold: ["plain", CircleHelp, "Not told"],
  skipped: ["plain", Ban, "Skipped"],
};

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
