// SQL of this module that other capabilities run in their transactions or embed in their statements. No area sees it.

export { countUnfinishedJobs, findUnfinishedJobs } from "./dispatch/pool-work-store.ts";
export { jobHoldings, jobPersonHoldings } from "./job-holdings-store.ts";
export { jobInvariants } from "./job-invariants-store.ts";
