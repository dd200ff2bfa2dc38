// SQL of this module that others run in their own transaction or put into their own statement. No area sees it.

export { countUnfinishedJobs, findUnfinishedJobs } from "./dispatch/pool-work-store.ts";
export { jobHoldings } from "./job-holdings-store.ts";
export { jobInvariants } from "./job-invariants-store.ts";
export { timesOfLikeJobs } from "./submitting/past-jobs-store.ts";
