export { embeddedRunner, type NodeModelCall } from "./embedded-runner.ts";
export { type GraphRunner, LeaseLost, type RunOutput, type RunReport } from "./graph-runner.ts";
export { createGraphWorker } from "./graph-worker.ts";
export { type BoardNode, NodeBoard, titleIn } from "./node-board.ts";
