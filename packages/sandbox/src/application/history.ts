// What became of the prompts that ended; memory only, newest kept. A restart forgets all of it.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { Prompt } from "./prompt.ts";
import { tupleOf } from "./prompt.ts";

export type UiOutput = Readonly<Record<string, readonly unknown[]>>;

export interface HistoryEntry {
  readonly prompt: Prompt;
  readonly outputs: Readonly<Record<string, UiOutput>>;
  readonly isSuccess: boolean;
  readonly messages: readonly (readonly [event: string, data: Readonly<Record<string, unknown>>])[];
}

const entriesMax = 10_000;

export class History {
  readonly #entries = new BoundedMap<string, HistoryEntry>(entriesMax);

  add(entry: HistoryEntry): void {
    this.#entries.delete(entry.prompt.id);
    this.#entries.set(entry.prompt.id, entry);
  }

  find(id: string): HistoryEntry | null {
    return this.#entries.get(id) ?? null;
  }

  // Oldest first.
  list(): readonly HistoryEntry[] {
    return [...this.#entries.values()];
  }

  delete(id: string): void {
    this.#entries.delete(id);
  }

  clear(): void {
    this.#entries.clear();
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
    prompt: tupleOf(prompt, "hidden"),
    outputs,
    status: { status_str: isSuccess ? "success" : "error", completed: isSuccess, messages },
    meta: Object.fromEntries(meta),
  };
}
