export { besideJobs } from "./beside-jobs.ts";
export { embeddedRunner } from "./embedded-runner.ts";
export { gatedPort } from "./gated-port.ts";
export { type GraphRunner, LeaseLost, type RunOutput, type RunReport } from "./graph-runner.ts";
export { createGraphWorker } from "./graph-worker.ts";
export { lookAtTools } from "./look-at-tools.ts";
export { classIn, neededNodes, titleIn } from "./needed-nodes.ts";
export { NodeBoard } from "./node-board.ts";
export { openEngine } from "./open-engine.ts";
