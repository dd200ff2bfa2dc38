// Waits for the end of a job, for callers who answer with what it made.
import type { Clock } from "../../foundation/clock.ts";
import { type Job, type JobId, terminalStates } from "./job.ts";
import type { Jobs, RequestedJob } from "./jobs.ts";

export interface WaitDeps {
  readonly jobs: Pick<Jobs, "get" | "watch" | "cancel">;
  readonly clock: Pick<Clock, "sleep">;
}

// A notice can be lost with the process that would have sent it.
const lookEveryMs = 5_000;

// Answers with the job once it has ended. If the signal comes first, cancels the job and answers with it as it is then.
export async function waitForJob(
  { jobs, clock }: WaitDeps,
  requested: RequestedJob & { readonly jobId: JobId },
  signal: AbortSignal,
): Promise<Job> {
  const over = Promise.withResolvers<void>();
  const wake = () => over.resolve();
  const stop = jobs.watch(requested.jobId, ({ job }) => {
    if (terminalStates.has(job.state)) wake();
  });
  signal.addEventListener("abort", wake, { once: true });
  try {
    for (;;) {
      // The end may have come before we watched, so we look before we wait.
      const job = await jobs.get(requested);
      if (terminalStates.has(job.state)) return job;
      if (signal.aborted) return (await jobs.cancel(requested)).job;
      const pause = new AbortController();
      await Promise.race([over.promise, clock.sleep(lookEveryMs, pause.signal)]);
      pause.abort();
    }
  } finally {
    signal.removeEventListener("abort", wake);
    stop();
  }
}
