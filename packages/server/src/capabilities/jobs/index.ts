export { inputHolder, type JobNotice, type JobNotifier, outputHolder } from "./change-jobs.ts";
export { createJobs, type JobSettings, type JobsDeps, type RunningJobs } from "./create-jobs.ts";
export type {
  Job,
  JobId,
  JobOutput,
  JobPreview,
  JobProblem,
  JobProgress,
  JobState,
  PoolId,
  Submission,
  Submitted,
  WorkerId,
} from "./job.ts";
export { terminalStates } from "./job.ts";
export { jobHoldings } from "./job-holdings-store.ts";
export { jobInvariants } from "./job-invariants-store.ts";
export { isModelFile, type JobNeeds, needsIdOf, needsOf, type WorkerOffer } from "./job-needs.ts";
export type { JobChange, Jobs, ListJobs, RequestedJob } from "./jobs.ts";
export { jobPlannerSettings, type LeaseRules, leaseRulesOf } from "./lease-rules.ts";
export { countUnfinishedJobs, findUnfinishedJobs, type UnfinishedJob } from "./pool-work-store.ts";
export {
  type ClaimedJob,
  type JobEnding,
  type JobLease,
  type KnownOutput,
  type LeaseState,
  leaseKey,
  type OutputInput,
  type QueuePort,
  type RunBounds,
  type WorkerPort,
  type WorkRequest,
} from "./worker-port.ts";
