export { assetPath, contentPath } from "./asset-links.ts";
export {
  allowAll,
  type Converted,
  freeOfCharge,
  type GraphProblem,
  type Graphs,
  type GraphVerdict,
  type NodePolicy,
  type NodeProblems,
  type PriceGraph,
  type PricePart,
} from "./graphs.ts";
export { type JobNotifierDeps, jobNotifier } from "./job-notifier.ts";
export { createStreamQuota, type StreamQuota } from "./stream-quota.ts";
export type { Link, LinkArrival, Surface, SurfaceFolder, SurfaceLinks, WorkflowCaller } from "./surface.ts";
export { type WorkflowAreasDeps, type WorkflowWork, workflowAreas } from "./workflow-areas.ts";
