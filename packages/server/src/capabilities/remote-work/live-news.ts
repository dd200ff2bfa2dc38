// Progress on its way to the server: the newest of each job, all jobs of the worker in one call, at most twice a second.
// It is not awaited; a job that ends before its turn says nothing.
import type { Clock } from "../../foundation/clock.ts";
import { oneLoop } from "../../foundation/one-loop.ts";
import { type JobLease, type JobProgress, leaseKey } from "../jobs/index.ts";

export interface News {
  readonly lease: JobLease;
  readonly progress: JobProgress;
}

export interface LiveNews {
  tell(lease: JobLease, progress: JobProgress): void;
  forget(lease: JobLease): void;
  close(): void;
}

const everyMs = 500;

export function createLiveNews(deps: { readonly clock: Clock; send(news: readonly News[]): Promise<void> }): LiveNews {
  const pending = new Map<string, News>();
  const closing = new AbortController();
  const run = oneLoop(
    () => pending.size > 0 && !closing.signal.aborted,
    async () => {
      await deps.clock.sleep(everyMs, closing.signal);
      const news = [...pending.values()];
      pending.clear();
      if (news.length > 0 && !closing.signal.aborted) await deps.send(news).catch(() => undefined);
    },
  );

  return {
    tell(lease, progress) {
      pending.set(leaseKey(lease), { lease, progress });
      void run();
    },
    forget: (lease) => void pending.delete(leaseKey(lease)),
    close() {
      closing.abort();
      pending.clear();
    },
  };
}
