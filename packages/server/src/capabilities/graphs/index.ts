// What a graph is, costs and needs, and which pool can run it: judged by our own engine, by one application, or by what the
// workers of a pool described.
export { applicationGraphs } from "./application-graphs.ts";
export { awaitedApplication, awaitedWorkers, type FindAwaited } from "./awaited-workers.ts";
export { convertExactly } from "./convert-exactly.ts";
export { usesOfDeclared } from "./declared-badge.ts";
export { engineGraphs } from "./engine-graphs.ts";
export { exactGraph, graphText } from "./graph-text.ts";
export {
  allowAll,
  type ClassLocation,
  type Converted,
  type DescribedClasses,
  freeOfCharge,
  type GraphProblem,
  type Graphs,
  type GraphVerdict,
  type NodePolicy,
  type NodeProblems,
  type OpenInputs,
  type PriceGraph,
  type PricePart,
} from "./graphs.ts";
export { type OpenGraphFileDeps, openGraphFile, openPicture } from "./open-graph-file.ts";
export { graphsBeside, poolGraphs } from "./pool-graphs.ts";
export { modelsOfClass } from "./price-declared.ts";
export { type GraphModels, priceGraph } from "./price-graph.ts";
