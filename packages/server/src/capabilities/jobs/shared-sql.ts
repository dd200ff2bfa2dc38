// SQL of this module that others run in their own transaction or put into their own statement. No area sees it.
export { jobHoldings } from "./job-holdings-store.ts";
export { jobInvariants } from "./job-invariants-store.ts";
export { timesOfLikeJobs } from "./past-jobs-store.ts";
export { countUnfinishedJobs, findUnfinishedJobs } from "./pool-work-store.ts";
