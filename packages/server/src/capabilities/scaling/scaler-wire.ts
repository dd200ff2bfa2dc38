// Converts between the wire's names and ours.
import { ScalerOrders as WireOrders } from "@atelier/contract";
import { compileSchema } from "../../foundation/json/schema.ts";
import { ServerCallProblem } from "../remote-work/index.ts";
import type { StartFailure } from "./worker-slot.ts";

export interface ScalerOrders {
  readonly poolId: string;
  readonly workersWanted: number;
  readonly workersMin: number;
  readonly workersMax: number;
  readonly unfinishedJobs: number;
  readonly workers: readonly { readonly id: string; readonly jobs: number }[];
}

const orders = compileSchema(WireOrders);

export function readOrders(answer: unknown): ScalerOrders {
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

export const wireFailure = ({ at, message, lines, retryAt }: StartFailure) => ({
  at: at.toISOString(),
  message,
  lines: lines.map((line) => line.toWellFormed().replaceAll("\0", "")),
  retry_at: retryAt.toISOString(),
});
