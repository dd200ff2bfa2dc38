// Learns of canceled jobs immediately instead of at the next heartbeat: one long-polling call for all jobs the worker has.
// Heartbeats report cancels too, so if this call fails a cancel is only slower.
import type { Clock } from "../../foundation/clock.ts";
import type { ClaimedJob, JobId, WorkerId } from "../jobs/index.ts";
import type { ServerClient } from "./server-client.ts";
import { readCancels, wireLease } from "./wire.ts";

export interface RemoteCancelsDeps {
  readonly server: ServerClient;
  readonly workerId: WorkerId;
  readonly clock: Clock;
  held(): readonly ClaimedJob[];
  readonly canceled: ReadonlyMap<JobId, () => void>;
  readonly signal: AbortSignal;
}

// A job shorter than this is not worth asking about; one that starts meanwhile is included in the next call.
const pauseMs = 1_000;
const waitMs = 2_000;
const marginMs = 10_000;

export async function watchCancels(deps: RemoteCancelsDeps): Promise<void> {
  const { server, clock, signal } = deps;
  const path = `/api/workers/${deps.workerId}/cancels`;
  let known = new Set<JobId>();
  while (!signal.aborted) {
    const held = deps.held();
    // Only jobs that have run for a while.
    const leases = held.filter(({ lease }) => known.has(lease.jobId)).map(({ lease }) => wireLease(lease));
    known = new Set(held.map(({ lease }) => lease.jobId));
    if (leases.length === 0) {
      await clock.sleep(pauseMs, signal);
      continue;
    }
    try {
      const json = { leases, wait_ms: waitMs };
      const jobIds = readCancels(await server.call({ method: "POST", path, json, totalMs: waitMs + marginMs, signal }));
      for (const jobId of jobIds) deps.canceled.get(jobId)?.();
      if (jobIds.length > 0) await clock.sleep(pauseMs, signal);
    } catch {
      await clock.sleep(pauseMs, signal);
    }
  }
}
