// Converts between the wire's names and ours.
import {
  CancelsSeen,
  type FinishJob,
  KeptOutput,
  type LeasedJob,
  LeasedJobList,
  LeaseStates,
  type Progress,
  WorkerStanding,
} from "@atelier/contract";
import type { Static, TSchema } from "typebox";
import { parseId, trustedId } from "../../foundation/ids.ts";
import { compileSchema } from "../../foundation/json/schema.ts";
import type { ClaimedJob, JobEnding, JobId, JobLease, JobProgress, WorkerId } from "../jobs/index.ts";
import type { WorkerLock } from "../pools/index.ts";
import { ServerCallProblem } from "./server-client.ts";

export const readWorkerStatus = (answer: unknown) => read(WorkerStanding, answer);
export const readStates = (answer: unknown) => read(LeaseStates, answer).states;
export const readKept = (answer: unknown) => read(KeptOutput, answer);
export const readCancels = (answer: unknown): JobId[] =>
  read(CancelsSeen, answer).job_ids.flatMap((id) => parseId<"job">(id) ?? []);

// `how`: resumed jobs may already have been started by an earlier process.
export function readJobs(answer: unknown, workerId: WorkerId, how: "claimed" | "resumed"): ClaimedJob[] {
  return read(LeasedJobList, answer).jobs.map((job) => ({
    ...claimedOf(job, workerId),
    isNew: how === "claimed" && job.attempt === 1,
  }));
}

// A server of another version may send a different shape. That counts as a refusal, not a crash.
function read<Schema extends TSchema>(schema: Schema, answer: unknown): Static<Schema> {
  const compiled = compileSchema(schema);
  if (!compiled.accepts(answer))
    throw new ServerCallProblem(502, "unknown_answer", "The server's answer could not be understood.");
  return answer;
}

function claimedOf(job: LeasedJob, workerId: WorkerId): Omit<ClaimedJob, "isNew"> {
  return {
    lease: { jobId: trustedId(job.job_id), attempt: job.attempt, workerId },
    workspaceId: trustedId(job.workspace_id),
    workflow: Buffer.from(job.workflow),
    pngInfo: job.extra_pnginfo ?? null,
    nodesTotal: job.nodes_total,
    extraData: job.extra_data,
    apiKeyId: null,
    expiresAt: new Date(job.expires_at),
    traceparent: job.traceparent ?? null,
    isAlone: job.settings?.own_process ?? false,
    bounds: {
      secondsMax: job.settings?.job_seconds_max ?? null,
      memoryMegabytesMax: job.settings?.job_memory_megabytes_max ?? null,
    },
  };
}

export const wireLease = ({ jobId, attempt }: JobLease) => ({ job_id: jobId, attempt });

export function wireProgress(progress: JobProgress): Progress {
  return {
    value: progress.value,
    nodes_done: progress.nodesDone,
    nodes_total: progress.nodesTotal,
    current_node: progress.currentNode && fit(progress.currentNode, 255),
    current_node_class: progress.currentNodeClass && fit(progress.currentNodeClass, 255),
    step: progress.step,
    steps: progress.steps,
    message: progress.message && fit(progress.message, 10_000),
  };
}

// The server bounds both.
export const wireLock = ({ lockId, against, drift }: WorkerLock) => ({
  lock_id: lockId,
  against,
  drift: drift.slice(0, 50).map((words) => fit(words, 500)),
});

export const wireNodes = (nodes: string | null) => (nodes === null ? {} : { node_states: nodes });

export function wireEnding(ending: JobEnding): FinishJob {
  switch (ending.kind) {
    case "succeeded":
      return {
        kind: "succeeded",
        outputs_reused: ending.outputsReused,
        executed_workflow: ending.executedWorkflow?.toString("utf8") ?? null,
      };
    case "failed": {
      const { code, message, nodeId, classType } = ending.problem;
      // Ids and classes come from the graph or the application and may have any length.
      const short = (name: string | null) => name && fit(name, 255);
      const problem = {
        code: fit(code, 100),
        message: fit(message, 10_000),
        node_id: short(nodeId),
        class_type: short(classType),
      };
      return { kind: "failed", problem, is_retryable: ending.isRetryable };
    }
    case "canceled":
      return { kind: "canceled" };
  }
}

// The database accepts neither lone surrogates nor NUL.
const fit = (text: string, charactersMax: number) => text.slice(0, charactersMax).toWellFormed().replaceAll("\0", "");
