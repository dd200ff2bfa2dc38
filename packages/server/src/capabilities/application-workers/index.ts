// Workers beside an application: what they report of it, when it gets jobs, and whether its folder equals the pinned lock.
export { applicationEngine, runningApplication, type WorkerEngine } from "./application-engine.ts";
export { type ApplicationWorkerDeps, startApplicationWorker } from "./application-worker.ts";
export { proxyLeaseSeconds, runApplicationJobs } from "./run-application-jobs.ts";
export { watchFolder } from "./watch-folder.ts";
