// What a failed call to the server means for the job it was about, and how long a call is insisted on.
import type { Clock } from "../../foundation/clock.ts";
import { AwayFault, Fault } from "../../foundation/fault.ts";
import { retry } from "../../foundation/retry.ts";
import { ServerCallProblem } from "./server-client.ts";

export type Insist = <T>(run: () => Promise<T>) => Promise<T>;

// As long as a lease may be believed in without a heartbeat; after that the server decides.
const insistMs = 30_000;

export function insisting(clock: Clock): Insist {
  return (run) =>
    retry(run, {
      attemptsMax: 100,
      totalMsMax: insistMs,
      firstDelayMs: 100,
      delayMsMax: 2_000,
      isRetryable: (failure) => failure instanceof ServerCallProblem && failure.isPassing && !isRefused(failure),
      retryAfterMs: (failure) => (failure instanceof ServerCallProblem ? failure.retryAfterMs : undefined),
      clock,
      random: Math.random,
    }).catch(orAway);
}

// What the server will not keep however often it is brought: the job's fault, or its workspace's, and not the worker's.
const refusals = ["invalid_request", "payload_too_large", "quota_exceeded"] as const;
type Refusal = (typeof refusals)[number];
export const isRefused = (problem: ServerCallProblem): problem is ServerCallProblem & { readonly code: Refusal } =>
  refusals.some((code) => code === problem.code);

// Null: the job is another worker's by now.
export function lostOr(error: unknown): null {
  return nullIf("not_found", error);
}

// Null: the bytes have to be brought.
export function unlessUnknown(error: unknown): null {
  return nullIf("blob_not_found", error);
}

function nullIf(code: string, error: unknown): null {
  if (error instanceof ServerCallProblem && error.code === code) return null;
  throw error;
}

// A server that cannot be reached or cannot do it now is no word about the job.
function orAway(error: unknown): never {
  if (!(error instanceof ServerCallProblem) || !error.isPassing || isRefused(error)) throw error;
  if (error.code === "storage_full") throw new Fault("storage_full", error.message, { cause: error });
  throw new AwayFault(error.message, error);
}
