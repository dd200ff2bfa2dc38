// A worker's way to the queue that opens only while the worker is what its pool wants. What it has already, it ends.
import type { WorkerPort } from "../capabilities/jobs/index.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Log } from "../foundation/log.ts";

export interface Gate {
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  // Empty: open.
  problems(): Promise<readonly string[]>;
}

const lookAgainMs = 1_000;

export function gatedPort(port: WorkerPort, { clock, log, problems }: Gate): WorkerPort {
  let told = "";
  return {
    ...port,
    async claim(asked) {
      const found = await problems();
      if (found.length === 0) {
        told = "";
        return port.claim(asked);
      }
      const text = found.join(" ");
      if (text !== told) log.warn({ problems: found }, "this worker does not match its deployment and takes no job");
      told = text;
      await clock.sleep(Math.min(asked.waitMs, lookAgainMs), asked.signal);
      return [];
    },
  };
}
