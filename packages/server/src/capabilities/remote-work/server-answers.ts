// What a failed call to the server means for its job, and how long a call is retried.
import type { Clock } from "../../foundation/clock.ts";
import { AwayFault, Fault } from "../../foundation/fault.ts";
import { patience, retry } from "../../foundation/retry.ts";
import { ServerCallProblem } from "./server-client.ts";

export type Insist = <T>(run: () => Promise<T>) => Promise<T>;

// How long a lease may be trusted without a heartbeat; after that the server decides.
const insistMs = 30_000;

export function insisting(clock: Clock): Insist {
  return (run) =>
    retry(run, {
      ...patience,
      totalMsMax: insistMs,
      isRetryable: (failure) => failure instanceof ServerCallProblem && failure.isPassing && !isRefused(failure),
      retryAfterMs: (failure) => (failure instanceof ServerCallProblem ? failure.retryAfterMs : undefined),
      clock,
    }).catch(orAway);
}

// What the server will never accept, however often it is sent: the fault of the job or its workspace, not the worker's.
const refusals = ["invalid_request", "payload_too_large", "quota_exceeded"] as const;
type Refusal = (typeof refusals)[number];
export const isRefused = (problem: ServerCallProblem): problem is ServerCallProblem & { readonly code: Refusal } =>
  refusals.some((code) => code === problem.code);

// Null if another worker has the job by now.
export function lostOr(error: unknown): null {
  return nullIf("not_found", error);
}

// Null if the bytes have to be uploaded.
export function unlessUnknown(error: unknown): null {
  return nullIf("blob_not_found", error);
}

function nullIf(code: string, error: unknown): null {
  if (error instanceof ServerCallProblem && error.code === code) return null;
  throw error;
}

// A server that is unreachable or temporarily unable says nothing about the job.
function orAway(error: unknown): never {
  if (!(error instanceof ServerCallProblem) || !error.isPassing || isRefused(error)) throw error;
  if (error.code === "storage_full") throw new Fault("storage_full", error.message, { cause: error });
  throw new AwayFault(error.message, error);
}
