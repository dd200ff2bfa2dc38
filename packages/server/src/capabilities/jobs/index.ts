export type {
  Job,
  JobId,
  JobOutput,
  JobPreview,
  JobProblem,
  JobProgress,
  JobState,
  PoolId,
  Submitted,
  SubmitWish,
  WorkerId,
} from "./job.ts";
export { terminalStates } from "./job.ts";
export type { JobChange, Jobs, ListJobs, Place } from "./jobs.ts";
export type { ClaimedJob, JobEnding, JobLease, OutputWish, WorkerPort } from "./worker-port.ts";
