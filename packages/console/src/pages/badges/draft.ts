// A person's work in the previewer: the text, the state of the node, and the cases it must keep. It survives a reload of the tab
// and goes away with it; none of it is secret.
import type { BadgeInputs } from "@atelier/sdk/badges";
import { exampleCases, exampleState, exampleText } from "./snippets.ts";

// A widget's value as typed; null for no value.
export interface NodeState {
  readonly widgets: Readonly<Record<string, string | boolean | null>>;
  readonly inputs: Readonly<Record<string, boolean>>;
  readonly groups: Readonly<Record<string, number>>;
}

export interface TestCase {
  readonly id: string;
  readonly state: NodeState;
  readonly expected: string;
}

export interface Draft {
  readonly text: string;
  readonly state: NodeState;
  readonly cases: readonly TestCase[];
}

export const emptyState: NodeState = { widgets: {}, inputs: {}, groups: {} };

const key = "atelier.badge-draft";

export const exampleDraft: Draft = { text: exampleText, state: exampleState, cases: exampleCases };

export function readDraft(): Draft {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? "null") as Draft | null;
    if (kept !== null && typeof kept.text === "string" && Array.isArray(kept.cases)) return kept;
  } catch {
    // Storage is unavailable, or the draft was saved by an older version.
  }
  return exampleDraft;
}

export function keepDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // Then it lasts only as long as the page.
  }
}

export const inputsOf = ({ widgets, inputs, groups }: NodeState): BadgeInputs => ({
  widgets,
  inputs: Object.fromEntries(Object.entries(inputs).map(([name, connected]) => [name, { connected }])),
  inputGroups: groups,
});
