// A worker's port to the queue that is open only while the worker is what its pool wants, and not while an operator drains it.
// Jobs it already has run to their end. Each job comes with the bounds in force at that moment, so changing a deployment's settings needs no restart.

import type { Clock } from "../../foundation/clock.ts";
import type { Log } from "../../foundation/log.ts";
import type { ClaimedJob, RunBounds, WorkerPort } from "../jobs/index.ts";

export interface Gate {
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  // The port is open if this is empty.
  problems(): Promise<readonly string[]>;
  isDraining(): Promise<boolean>;
  bounds(): Promise<RunBounds>;
  // The lock of the environment behind the port. Absent if it has none.
  lockId?(): Promise<string | null>;
}

const lookAgainMs = 1_000;
const drained = "An operator is draining this worker.";

export function gatedPort(port: WorkerPort, { clock, log, problems, isDraining, bounds, lockId }: Gate): WorkerPort {
  let lastReason = "";
  let last: RunBounds = { secondsMax: null, memoryMegabytesMax: null };
  const bounded = async (jobs: readonly ClaimedJob[]) => {
    if (jobs.length === 0) return jobs;
    // The jobs are already ours, so a failed lookup must not lose them.
    last = await bounds().catch(() => last);
    const now = last;
    return jobs.map((job) => ({ ...job, bounds: now }));
  };
  return {
    ...port,
    resume: async (asked) => bounded(await port.resume(asked)),
    async claim(asked) {
      const found = (await isDraining()) ? [drained] : await problems();
      if (found.length === 0) {
        lastReason = "";
        return bounded(await port.claim(lockId === undefined ? asked : { ...asked, lockId: await lockId() }));
      }
      const text = found.join(" ");
      if (text !== lastReason) log.warn({ problems: found }, "this worker takes no jobs");
      lastReason = text;
      await clock.sleep(Math.min(asked.waitMs, lookAgainMs), asked.signal);
      return [];
    },
  };
}
