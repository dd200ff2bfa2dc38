// Sweeps what is over, in batches, so that no transaction is long and a restart loses nothing. Several processes may run
// it side by side. Until a record is swept nobody sees it any more.
import type { Clock } from "../../foundation/clock.ts";

export interface ExpireDeps {
  readonly clock: Clock;
  // Each removes one batch and says whether there may be more.
  readonly sweeps: readonly (() => Promise<boolean>)[];
  readonly onProblem: (thrown: unknown) => void;
}

const everyMs = 60_000;

export async function sweepOnce(deps: ExpireDeps, signal?: AbortSignal): Promise<void> {
  for (const sweep of deps.sweeps) {
    try {
      while (!signal?.aborted && (await sweep()));
    } catch (thrown) {
      deps.onProblem(thrown);
    }
  }
}

export async function runExpiry(deps: ExpireDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sweepOnce(deps, signal);
    await deps.clock.sleep(everyMs, signal);
  }
}
