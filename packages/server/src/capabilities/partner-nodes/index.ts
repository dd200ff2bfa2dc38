export { checkNodesFile } from "./check-nodes-file.ts";
export { NodesFile } from "./nodes-file.ts";
export { readNodes, shippedNodeFiles } from "./read-nodes.ts";
