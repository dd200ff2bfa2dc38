// How a scaler asks the server: one long call that reports what it does, answered as soon as the wanted number changes.
import { ScalerOrders as WireOrders } from "@atelier/contract";
import type { Clock } from "../../foundation/clock.ts";
import { compileSchema } from "../../foundation/json/schema.ts";
import type { Log } from "../../foundation/log.ts";
import { ServerCallProblem, type ServerClient } from "../remote-work/index.ts";
import type { ScalingOptions } from "./read-scaling.ts";
import type { StartFailure } from "./worker-slot.ts";

export interface ScalerOrders {
  readonly poolId: string;
  readonly workersWanted: number;
  readonly workersMin: number;
  readonly workersMax: number;
  readonly unfinishedJobs: number;
  readonly workers: readonly { readonly id: string; readonly jobs: number }[];
}

export interface AskingDeps extends Pick<ScalingOptions, "range" | "jobsPerWorker" | "idleSeconds"> {
  readonly scalerId: string;
  readonly name: string;
  readonly poolId: string | null;
  readonly server: Pick<ServerClient, "call">;
  readonly clock: Clock;
  readonly log: Log;
  onOrders(orders: ScalerOrders): void;
  // The server will not answer this scaler, however often it asks.
  onRefused(error: ServerCallProblem): void;
}

export interface ScalerState {
  // The number that it follows. Null if it was told none yet.
  readonly known: number | null;
  readonly running: number;
  readonly starting: number;
  readonly draining: number;
  readonly failure: StartFailure | null;
  readonly waitMs: number;
}

export const waitMsMax = 20_000;
const marginMs = 10_000;
const orders = compileSchema(WireOrders);

// Null if we are stopping.
export async function askServer(
  deps: AskingDeps,
  state: ScalerState,
  signal: AbortSignal,
): Promise<ScalerOrders | null> {
  const { range, jobsPerWorker } = deps;
  const { running, starting, draining, waitMs } = state;
  const json = {
    pool_id: deps.poolId,
    name: deps.name,
    workers_min: range?.min ?? null,
    workers_max: range?.max ?? null,
    jobs_per_worker: jobsPerWorker,
    idle_seconds: deps.idleSeconds,
    known_wanted: state.known,
    running,
    starting,
    draining,
    failure: state.failure && wireFailure(state.failure),
    wait_ms: waitMs,
  };
  const path = `/api/workers/scalers/${deps.scalerId}`;
  try {
    return readOrders(await deps.server.call({ method: "PUT", path, json, signal, totalMs: waitMs + marginMs }));
  } catch (error) {
    if (signal.aborted) return null;
    if (error instanceof ServerCallProblem && !error.isPassing) deps.onRefused(error);
    throw error;
  }
}

function readOrders(answer: unknown): ScalerOrders {
  if (!orders.accepts(answer))
    throw new ServerCallProblem(502, "unknown_answer", "The server's answer could not be understood.");
  return {
    poolId: answer.pool_id,
    workersWanted: answer.workers_wanted,
    workersMin: answer.workers_min,
    workersMax: answer.workers_max,
    unfinishedJobs: answer.unfinished_jobs,
    workers: answer.workers,
  };
}

const wireFailure = ({ at, message, lines, retryAt }: StartFailure) => ({
  at: at.toISOString(),
  message,
  lines: lines.map((line) => line.toWellFormed().replaceAll("\0", "")),
  retry_at: retryAt.toISOString(),
});
