// Where a prompt stands, from one reading of the queue and one of the history after it. In that order: a prompt only
// moves from the queue to the history, so a reading the other way round could miss one that moves in between.
import { promptIdOf, promptIdsMax } from "./prompt-id.ts";
import type { HistoryEntry, QueueSnapshot } from "./read-prompts.ts";

export type PromptState =
  // `position`: how many of the queue run before it.
  | { readonly kind: "pending"; readonly position: number }
  | { readonly kind: "running" }
  | { readonly kind: "ended"; readonly entry: HistoryEntry }
  // In neither. For one that was accepted this may be the moment between the two; only several readings make it lost.
  | { readonly kind: "unknown" };

export function promptStateOf(promptId: string, queue: QueueSnapshot, entry: HistoryEntry | null): PromptState {
  // Running wins over the history: an id that is used again stands in both.
  if (queue.running.has(promptId)) return { kind: "running" };
  const position = queue.pending.indexOf(promptId);
  if (position !== -1) return { kind: "pending", position };
  return entry === null ? { kind: "unknown" } : { kind: "ended", entry };
}

// What a runner does with a job that it was given, by what the application knows of the job's ids.
export type Found =
  // `ranFor`: the output nodes that it runs or ran for; null: that is not known.
  | {
      readonly kind: "attach";
      readonly counter: number;
      readonly state: PromptState;
      readonly ranFor: readonly string[] | null;
    }
  | { readonly kind: "submit"; readonly counter: number };

// `historyOf` is asked in the order of the ids, and only as far as the answers make it necessary.
export async function findPrompt(
  jobId: string,
  queue: QueueSnapshot,
  historyOf: (promptId: string) => Promise<HistoryEntry | null>,
): Promise<Found> {
  for (let counter = promptIdsMax - 1; counter >= 0; counter--) {
    const promptId = promptIdOf(jobId, counter);
    const state = promptStateOf(promptId, queue, null);
    if (state.kind !== "unknown")
      return { kind: "attach", counter, state, ranFor: queue.outputsOf.get(promptId) ?? null };
  }
  for (let counter = 0; counter < promptIdsMax; counter++) {
    const entry = await historyOf(promptIdOf(jobId, counter));
    if (entry === null) return { kind: "submit", counter };
    // Interrupted for a worker that gave the job up: it is to run again, under an id that is free.
    if (entry.ending !== "interrupted" || counter === promptIdsMax - 1)
      return { kind: "attach", counter, state: { kind: "ended", entry }, ranFor: entry.ranFor };
  }
  return { kind: "submit", counter: 0 };
}
