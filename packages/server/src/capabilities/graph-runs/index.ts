export { type EmbeddedRunnerDeps, embeddedRunner, type NodeModelCall } from "./embedded-runner.ts";
export { type GraphRunner, LeaseLost, type RunOutput, type RunReport } from "./graph-runner.ts";
export { createGraphWorker, type GraphWorker, type GraphWorkerOptions } from "./graph-worker.ts";
