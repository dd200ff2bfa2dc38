// Tracks whether the server is reachable: every call reports it, and one banner shows it for the whole page.
import { useSyncExternalStore } from "react";

export interface Reach {
  // Since when there has been no answer; null if the last call was answered.
  readonly lostAt: number | null;
  // When the last answer came; null if none has yet.
  readonly answeredAt: number | null;
}

export interface ReachStore {
  current(): Reach;
  answered(now: number): void;
  lost(now: number): void;
  subscribe(run: () => void): () => void;
}

export function createReach(): ReachStore {
  let reach: Reach = { lostAt: null, answeredAt: null };
  let lastMs: number | null = null;
  const watching = new Set<() => void>();
  const notify = () => {
    for (const run of watching) run();
  };
  return {
    current: () => reach,
    answered(now) {
      lastMs = now;
      if (reach.lostAt === null) return;
      reach = { lostAt: null, answeredAt: now };
      notify();
    },
    lost(now) {
      if (reach.lostAt !== null) return;
      reach = { lostAt: now, answeredAt: lastMs };
      notify();
    },
    subscribe(run) {
      watching.add(run);
      return () => void watching.delete(run);
    },
  };
}

export const reach = createReach();

export const useReach = (): Reach => useSyncExternalStore(reach.subscribe, reach.current);

// An answer with any status counts; a call that the page aborted says nothing.
export async function watched(answer: Promise<Response>): Promise<Response> {
  try {
    const response = await answer;
    reach.answered(Date.now());
    return response;
  } catch (thrown) {
    if (thrown instanceof TypeError) reach.lost(Date.now());
    throw thrown;
  }
}
