// The rules of a job's life, without a database: how each event changes a locked job. Null if the event changes nothing
// because it is stale, late or meaningless now. Nothing else decides a state.

import type { Labels } from "../../foundation/json/labels.ts";
import type { Job, JobProblem, JobState, WorkerId } from "./job.ts";
import type { JobEnding, JobLease } from "./worker-port.ts";

export interface LockedJob
  extends Pick<Job, "id" | "workspaceId" | "poolId" | "state" | "version" | "attempt" | "priority"> {
  readonly sequence: number;
  readonly givenBack: number;
  readonly attemptsMax: number;
  readonly lost: number;
  readonly workerId: WorkerId | null;
  readonly webhookUrl: string | null;
  // The types of events that endpoints of its workspace ask for; null or absent if it has none.
  readonly endpointTypes?: readonly string[] | null;
  readonly labels?: Labels | null;
  readonly apiKeyId: string | null;
  readonly holdsAssets: boolean;
  readonly holdsCredits: boolean;
  // Its expires_at has passed, by the database's clock.
  readonly isDue: boolean;
  // Seconds since this attempt was claimed; 0 if no worker has it.
  readonly ranSeconds: number;
  // The hash of what it needs from its worker.
  readonly needsId: string | null;
}

export interface JobStep {
  readonly state: JobState;
  readonly attempt: number;
  readonly givenBack: number;
  readonly lost: number;
  readonly workerId: WorkerId | null;
  // Puts it into the queue, claimable after this many seconds. Null leaves the queue alone.
  readonly readyAfterSeconds: number | null;
  readonly problem: JobProblem | null;
  readonly outputsReused: boolean;
  readonly executedWorkflow: Buffer | null;
  // The final state of its nodes. Null keeps what was reported last.
  readonly nodes: string | null;
  // Running time the caller pays for.
  readonly chargedSeconds: number;
}

const lostProblem: JobProblem = {
  code: "worker_lost",
  message: "Every worker that ran this job stopped responding. The job is not retried.",
  nodeId: null,
  classType: null,
};
// A job that several workers did not survive may itself be the cause.
const lostMax = 2;
const backoffSecondsMax = 60;

export function claimStep(job: LockedJob, workerId: WorkerId): JobStep | null {
  if (job.state !== "queued" || job.isDue) return null;
  return { ...unchanged(job), state: "running", attempt: job.attempt + 1, workerId };
}

export function isHeldBy(job: LockedJob, lease: JobLease): boolean {
  const isRunning = job.state === "running" || job.state === "canceling";
  return isRunning && job.attempt === lease.attempt && job.workerId === lease.workerId;
}

export function finishStep(job: LockedJob, lease: JobLease, ending: JobEnding, random: () => number): JobStep | null {
  if (!isHeldBy(job, lease)) return null;
  // The caller was told that the cancel is under way, so a result that arrives now no longer counts.
  if (job.state === "canceling" || ending.kind === "canceled") return ended(job, "canceled", job.ranSeconds);
  if (ending.kind === "succeeded") {
    const { outputsReused, executedWorkflow } = ending;
    return { ...ended(job, "succeeded", job.ranSeconds), outputsReused, executedWorkflow };
  }
  if (ending.isRetryable && mayTryAgain(job)) return queuedAgain(job, backoffSeconds(job.attempt, random));
  return { ...ended(job, "failed", job.ranSeconds), problem: ending.problem };
}

// The lease ran out, so we assume its worker is dead. Its running time is not charged.
export function loseStep(job: LockedJob, random: () => number): JobStep | null {
  if (job.state === "canceling") return { ...ended(job, "canceled", 0), lost: job.lost + 1 };
  if (job.state !== "running") return null;
  const lost = job.lost + 1;
  if (!mayTryAgain(job) || job.lost >= lostMax) return { ...ended(job, "failed", 0), lost, problem: lostProblem };
  return { ...queuedAgain(job, backoffSeconds(job.attempt, random)), lost };
}

// Soft stop: the attempt did not fail because of the job, so it does not count.
export function giveBackStep(job: LockedJob, lease: JobLease): JobStep | null {
  if (!isHeldBy(job, lease)) return null;
  if (job.state === "canceling") return ended(job, "canceled", 0);
  return { ...queuedAgain(job, 0), givenBack: job.givenBack + 1 };
}

export function cancelStep(job: LockedJob): JobStep | null {
  if (job.state === "queued") return ended(job, "canceled", 0);
  if (job.state === "running") return { ...unchanged(job), state: "canceling" };
  return null;
}

export function expireStep(job: LockedJob): JobStep | null {
  if (!job.isDue || (job.state !== "queued" && job.state !== "running")) return null;
  return ended(job, "expired", job.ranSeconds);
}

const mayTryAgain = (job: LockedJob) => job.attempt - job.givenBack < job.attemptsMax;

function backoffSeconds(attempt: number, random: () => number): number {
  return Math.min(backoffSecondsMax, 2 ** Math.min(attempt, 10)) * (0.5 + random() / 2);
}

function unchanged(job: LockedJob): JobStep {
  return {
    state: job.state,
    attempt: job.attempt,
    givenBack: job.givenBack,
    lost: job.lost,
    workerId: job.workerId,
    readyAfterSeconds: null,
    problem: null,
    outputsReused: false,
    executedWorkflow: null,
    nodes: null,
    chargedSeconds: 0,
  };
}

function ended(job: LockedJob, state: JobState, chargedSeconds: number): JobStep {
  return { ...unchanged(job), state, workerId: null, chargedSeconds };
}

function queuedAgain(job: LockedJob, readyAfterSeconds: number): JobStep {
  return { ...unchanged(job), state: "queued", workerId: null, readyAfterSeconds };
}
