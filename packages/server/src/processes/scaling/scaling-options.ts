// The flags of a scaler, the same for `atelier pool` and `atelier deployment`.
import type { CommandOption } from "../commands/command.ts";
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

export const scalingOptions: Readonly<Record<string, CommandOption>> = {
  workers: {
    type: "string",
    about: "Start and stop workers on this machine: auto, a number, or a range such as 0..4.",
  },
  "jobs-per-worker": { type: "string", about: "Unfinished jobs per wanted worker (default: the deployment's, or 1)." },
  "idle-seconds": { type: "string", about: "How long a worker without a job is kept (default: 300)." },
  "start-command": {
    type: "string",
    about: "A shell command that starts an application for each worker, on the port {port} of 127.0.0.1.",
  },
  "start-seconds": { type: "string", about: "How long a worker and its application may take to start (default: 600)." },
  exec: {
    type: "string",
    about: "Start nothing; run this shell command with WORKERS_WANTED and POOL_ID whenever the number changes.",
  },
  slots: { type: "string", about: "How many jobs each worker runs at once (default: as `atelier worker`)." },
};

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
