// What the scripted provider does with a request, and what that means for the truth: `runs` says whether work is done.
import type { Seeded } from "./seeded.ts";

export type ProviderKind = "ask" | "repeat" | "neither";

export type Fault =
  | "none"
  // Runs, but longer than a caller waits.
  | "slow"
  // Knows about the request only after a while, whether or not the sender is still alive.
  | "late"
  // Runs, but the answer is lost.
  | "reset"
  | "truncate"
  | "hang"
  // Does not run.
  | "html502"
  | "refuse"
  | "reset_unrun";

export const doesNotRun: ReadonlySet<Fault> = new Set(["html502", "refuse", "reset_unrun"]);

const faults: readonly [Fault, ...Fault[]] = [
  "slow",
  "late",
  "late",
  "reset",
  "reset",
  "truncate",
  "hang",
  "html502",
  "refuse",
  "reset_unrun",
];

export interface ProviderTemper {
  // The share of requests that get a fault.
  readonly faultShare: number;
  // How long work takes without a fault.
  readonly workMs: readonly [number, number];
}

export const ordinaryTemper: ProviderTemper = { faultShare: 0.35, workMs: [5, 200] };

export interface ProviderStep {
  readonly fault: Fault;
  readonly lateMs: number;
  readonly workMs: number;
}

export function nextProviderStep(random: Seeded, temper: ProviderTemper): ProviderStep {
  const fault = random.chance(temper.faultShare) ? random.pick(faults) : "none";
  return {
    fault,
    lateMs: fault === "late" ? random.between(200, 900) : 0,
    workMs: fault === "slow" ? random.between(1_100, 2_800) : random.between(...temper.workMs),
  };
}
