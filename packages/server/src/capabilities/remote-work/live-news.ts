// Sends progress to the server: the newest of each job, all of the worker's jobs in one call, at most twice a second. It is
// not awaited; a job that ends before its turn sends nothing.
import type { Clock } from "../../foundation/clock.ts";
import { oneLoop } from "../../foundation/memory/one-loop.ts";
import { type JobLease, type JobProgress, leaseKey, type NodesNow } from "../jobs/index.ts";

export interface News {
  readonly lease: JobLease;
  readonly progress: JobProgress;
  readonly nodes: string | null;
}

interface Pending {
  readonly lease: JobLease;
  readonly progress: JobProgress;
  readonly nodesNow: NodesNow | null;
}

export interface LiveNews {
  push(lease: JobLease, progress: JobProgress, nodesNow?: NodesNow): void;
  forget(lease: JobLease): void;
  close(): void;
}

const everyMs = 500;
// Per call: the server reads at most a megabyte.
const nodesCharactersMax = 256 * 1024;

export function createLiveNews(deps: { readonly clock: Clock; send(news: readonly News[]): Promise<void> }): LiveNews {
  const pending = new Map<string, Pending>();
  const closing = new AbortController();
  const run = oneLoop(
    () => pending.size > 0 && !closing.signal.aborted,
    async () => {
      await deps.clock.sleep(everyMs, closing.signal);
      const news = [...pending.values()].map(({ nodesNow, ...entry }) => ({ ...entry, nodes: nodesNow?.() ?? null }));
      pending.clear();
      for (const some of callsOf(news)) if (!closing.signal.aborted) await deps.send(some).catch(() => undefined);
    },
  );

  return {
    push(lease, progress, nodesNow) {
      pending.set(leaseKey(lease), { lease, progress, nodesNow: nodesNow ?? null });
      void run();
    },
    forget: (lease) => void pending.delete(leaseKey(lease)),
    close() {
      closing.abort();
      pending.clear();
    },
  };
}

function callsOf(news: readonly News[]): News[][] {
  const calls: News[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const one of news) {
    characters += one.nodes?.length ?? 0;
    if (characters > nodesCharactersMax) {
      calls.push([]);
      characters = one.nodes?.length ?? 0;
    }
    calls.at(-1)?.push(one);
  }
  return calls;
}
