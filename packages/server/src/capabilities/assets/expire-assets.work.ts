// Sweeps expired things in batches, so that transactions stay short and a restart loses nothing. Several processes may
// run it side by side. An expired record is invisible even before it is swept.
import { type Background, everyStep } from "../../foundation/background.ts";

// By name. Each removes one batch and returns whether there may be more.
export type Sweeps = Readonly<Record<string, () => Promise<boolean>>>;

const everyMs = 60_000;

export function sweepOnce(sweeps: Sweeps, signal?: AbortSignal): Promise<void> {
  const toTheEnd = (sweep: () => Promise<boolean>) => async () => {
    while (!signal?.aborted && (await sweep()));
  };
  return everyStep(Object.fromEntries(Object.entries(sweeps).map(([name, sweep]) => [name, toTheEnd(sweep)])));
}

export function runExpiry(sweeps: Sweeps, background: Background, signal: AbortSignal): Promise<void> {
  const round = (stopping: AbortSignal) => sweepOnce(sweeps, stopping);
  return background.run({ name: "assets: remove what has expired", role: "background", everyMs, round }, signal);
}
