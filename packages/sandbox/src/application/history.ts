// The prompts that ended, in memory only, up to a limit, newest kept. A restart forgets all of it.
import { BoundedMap } from "@atelier/engine/bounded-map";
import { type Prompt, toTuple } from "./prompt.ts";

export type UiOutput = Readonly<Record<string, readonly unknown[]>>;

export interface HistoryEntry {
  readonly prompt: Prompt;
  readonly outputs: Readonly<Record<string, UiOutput>>;
  readonly isSuccess: boolean;
  readonly messages: readonly (readonly [event: string, data: Readonly<Record<string, unknown>>])[];
}

const entriesMax = 10_000;

// By prompt id, oldest first.
export class History extends BoundedMap<string, HistoryEntry> {
  constructor() {
    super(entriesMax);
  }

  add(entry: HistoryEntry): void {
    this.delete(entry.prompt.id);
    this.set(entry.prompt.id, entry);
  }
}

export function presentHistory(entries: readonly HistoryEntry[]): Record<string, unknown> {
  return Object.fromEntries(entries.map((entry) => [entry.prompt.id, present(entry)]));
}

function present({ prompt, outputs, isSuccess, messages }: HistoryEntry): object {
  const meta = Object.keys(outputs).map((id) => [
    id,
    { node_id: id, display_node: id, parent_node: null, real_node_id: id },
  ]);
  return {
    prompt: toTuple(prompt, "hidden"),
    outputs,
    status: { status_str: isSuccess ? "success" : "error", completed: isSuccess, messages },
    meta: Object.fromEntries(meta),
  };
}
