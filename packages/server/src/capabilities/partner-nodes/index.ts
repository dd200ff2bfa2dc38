export { type CheckedNodes, checkNodesFile } from "./check-nodes-file.ts";
export { NodesFile } from "./nodes-file.ts";
export type { NodesProblem } from "./nodes-problem.ts";
export { readNodes, shippedNodeFiles, shippedNodesFolder } from "./read-nodes.ts";
