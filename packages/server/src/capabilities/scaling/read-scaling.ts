// Reads the flags of a scaler, the same for `atelier pool` and `atelier deployment`.
import { readWorkerRange } from "./plan-workers.ts";

export interface ScalingOptions {
  // Null: the deployment's own limits.
  readonly range: { readonly min: number; readonly max: number } | null;
  readonly jobsPerWorker: number | null;
  readonly idleSeconds: number;
  readonly startCommand: string | null;
  readonly startSecondsMax: number;
  // Run instead of starting workers.
  readonly exec: string | null;
  readonly slots: string | null;
  readonly name: string | null;
}

type Given = Readonly<Record<string, string | boolean | undefined>>;

export function readScaling(given: Given, problems: string[]): ScalingOptions | null {
  const text = (name: string) => (typeof given[name] === "string" ? given[name] : null);
  const number = (name: string, least: number, most: number, otherwise: number) => {
    const value = Number(text(name) ?? otherwise);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    problems.push(`--${name} must be a whole number from ${least} to ${most}.`);
    return otherwise;
  };
  const range = readWorkerRange(text("workers") ?? "");
  if (range === undefined) problems.push("--workers must be auto, a number, or a range such as 0..4.");
  const exec = text("exec");
  const startCommand = text("start-command");
  if (exec !== null && startCommand !== null)
    problems.push("--exec starts no workers, so it takes no --start-command.");
  const idleSeconds = number("idle-seconds", 0, 86_400, 300);
  const startSecondsMax = number("start-seconds", 1, 86_400, 600);
  const jobsPerWorker = text("jobs-per-worker") === null ? null : number("jobs-per-worker", 1, 64, 1);
  if (problems.length > 0 || range === undefined) return null;
  const named = { slots: text("slots"), name: text("name") };
  return { range, jobsPerWorker, idleSeconds, startCommand, startSecondsMax, exec, ...named };
}
