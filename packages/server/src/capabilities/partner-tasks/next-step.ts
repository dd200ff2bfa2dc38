// What an observation changes about a task. Pure, and the whole policy of states: they only move forward, an ended task
// never changes, states may be skipped, and an observation without news changes nothing (decisions, section 4). So it
// does not matter whether a read, a callback or the poller saw it, in which order, or how often.
import type { TaskReading, TaskState } from "../partners/index.ts";

export type Observation =
  | { readonly kind: "reading"; readonly reading: TaskReading }
  // The task exceeded its longest run.
  | { readonly kind: "timed_out" }
  // The partner has repeatedly said that it does not know the task.
  | { readonly kind: "lost" };

const rank: Readonly<Record<TaskState, number>> = { created: 0, running: 1, completed: 2, failed: 2 };

export function isEnded(state: TaskState): boolean {
  return rank[state] === 2;
}

// Null if nothing changes.
export function nextState(state: TaskState, observation: Observation): TaskState | null {
  const seen = observation.kind === "reading" ? observation.reading.state : "failed";
  return rank[seen] > rank[state] ? seen : null;
}

// The outcome in the usage row: the router's word for the same failure (decisions, section 3).
export function outcomeOf(state: TaskState, observation: Observation): string {
  if (state === "completed") return "succeeded";
  return observation.kind === "timed_out" ? "provider_timeout" : "provider_error";
}

// What a caller gets if the partner itself says nothing.
export const ownErrors = {
  timed_out: { code: "timeout", message: "The partner did not finish in time. Nothing was charged." },
  lost: { code: "task_lost", message: "The partner no longer knows the task. Nothing was charged." },
} as const;
