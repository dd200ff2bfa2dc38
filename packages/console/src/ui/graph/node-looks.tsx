// The states of a node: an icon and a word each, because colour alone says nothing to some.
import { Ban, Check, CircleDashed, CircleHelp, Diamond, type LucideIcon, Play, Unplug, X } from "lucide-react";
import type { ReactNode } from "react";
import { uiViewers } from "#strings/ui/viewers";
import type { NodeLook } from "./graph-nodes.ts";

const words = uiViewers.graph.states;
const looks: Readonly<Record<string, readonly [LucideIcon, string]>> = {
  waiting: [CircleDashed, words.waiting],
  running: [Play, words.running],
  cached: [Diamond, words.cached],
  done: [Check, words.done],
  failed: [X, words.failed],
  skipped: [Ban, words.skipped],
  untold: [CircleHelp, words.notReported],
  missing: [Unplug, words.missing],
};

export const wordOf = (state: string): string => looks[state]?.[1] ?? state;

export function Looks({ state }: { readonly state: string }): ReactNode {
  const Icon = looks[state]?.[0];
  return Icon === undefined ? null : <Icon aria-hidden="true" />;
}

export function stateWords({ state, progress, note }: NodeLook): string {
  if (note !== undefined) return note;
  return state === "running" && progress > 0 ? `${wordOf(state)} ${Math.round(progress * 100)} %` : wordOf(state);
}
