export type { JobNotice, JobNotifier } from "./changes/change-jobs.ts";
export type { QueueState } from "./changes/queue-state.ts";
export { createJobs } from "./create-jobs.ts";
export type { JobQueue } from "./dispatch/pause-queue.ts";
export { type WaitingNeeds, waitingNeeds } from "./dispatch/waiting-needs.ts";
export { type JobSeries, readJobSeries } from "./figures/job-figures.ts";
export type { JobSpan } from "./figures/job-point.ts";
export {
  type ExecutedGraph,
  type Job,
  type JobDelivery,
  type JobId,
  type JobMetadata,
  type JobOutput,
  type JobPreview,
  type JobProgress,
  type JobState,
  type OutputFolder,
  type PoolId,
  type Submission,
  type Submitted,
  terminalStates,
  type WorkerId,
} from "./job.ts";
export type { JobCharge, ReadJobCharges } from "./job-charges.ts";
export { isCovered, isModelFile, type JobNeeds, needsIdOf, needsOf, type WorkerOffer } from "./job-needs.ts";
export { type JobRuns, type LatestRun, workflowLabel } from "./job-runs.ts";
export type { JobChange, Jobs, ListJobs, RequestedJob } from "./jobs.ts";
export { jobPlannerSettings, type LeaseRules, leaseRulesOf } from "./lease-rules.ts";
export { holdPart } from "./live/hold-part.ts";
export { type ClassTime, decodeNodes, encodeNodes, isOlderPicture, type NodeEntry } from "./live/node-picture.ts";
export { outputsOf } from "./outputs/output-sending.ts";
export type { OutputTarget } from "./outputs/output-target.ts";
export { createPastRuns } from "./past-runs.ts";
export { likeJobsSubject } from "./submitting/like-jobs.ts";
export { waitForJob } from "./wait-for-job.ts";
export {
  type ClaimedJob,
  type HeldJob,
  type JobEnding,
  type JobLease,
  type LeaseState,
  leaseKey,
  type NodesNow,
  type OutputInput,
  type QueuePort,
  type RunBounds,
  type WorkerPort,
  type WorkRequest,
} from "./worker-port.ts";
