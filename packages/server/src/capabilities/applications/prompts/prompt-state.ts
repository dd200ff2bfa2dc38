// The state of a prompt, from one read of the queue and then one of the history. The order matters: prompts only move
// from the queue to the history, so the other order could miss one that moves in between.
import { promptIdOf, promptIdsMax } from "./prompt-id.ts";
import type { HistoryEntry, QueueSnapshot } from "./read-prompts.ts";

export type PromptState =
  // `position` is how many in the queue run before it.
  | { readonly kind: "pending"; readonly position: number }
  | { readonly kind: "running" }
  | { readonly kind: "ended"; readonly entry: HistoryEntry }
  // In neither. An accepted prompt may be moving between the two right now; only after several reads is it lost.
  | { readonly kind: "unknown" };

export function readPromptState(promptId: string, queue: QueueSnapshot, entry: HistoryEntry | null): PromptState {
  // Running beats the history, because a reused id is in both.
  if (queue.running.has(promptId)) return { kind: "running" };
  const position = queue.pending.indexOf(promptId);
  if (position !== -1) return { kind: "pending", position };
  return entry === null ? { kind: "unknown" } : { kind: "ended", entry };
}

// What a runner does with its job, depending on what the application knows about the job's ids.
export type Found =
  // `ranFor` lists the output nodes it runs or ran for. Null if unknown.
  | {
      readonly kind: "attach";
      readonly counter: number;
      readonly state: PromptState;
      readonly ranFor: readonly string[] | null;
    }
  | { readonly kind: "submit"; readonly counter: number };

// Calls `historyOf` in id order, and only as far as needed.
export async function findPrompt(
  jobId: string,
  queue: QueueSnapshot,
  historyOf: (promptId: string) => Promise<HistoryEntry | null>,
): Promise<Found> {
  for (let counter = promptIdsMax - 1; counter >= 0; counter--) {
    const promptId = promptIdOf(jobId, counter);
    const state = readPromptState(promptId, queue, null);
    if (state.kind !== "unknown")
      return { kind: "attach", counter, state, ranFor: queue.outputsOf.get(promptId) ?? null };
  }
  for (let counter = 0; counter < promptIdsMax; counter++) {
    const entry = await historyOf(promptIdOf(jobId, counter));
    if (entry === null) return { kind: "submit", counter };
    // It was interrupted because a worker gave up the job, so it should run again under the next free id.
    if (entry.ending !== "interrupted" || counter === promptIdsMax - 1)
      return { kind: "attach", counter, state: { kind: "ended", entry }, ranFor: entry.ranFor };
  }
  return { kind: "submit", counter: 0 };
}
