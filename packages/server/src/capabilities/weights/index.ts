// Weights: model files that operators keep for workers, and the workers that fill their folders with them.

export type { WorkerFill } from "./fill-report.ts";
export { createFills, type Fills } from "./fills.ts";
export { kindOf, pieceBytes, type Weight, type WeightId } from "./weight.ts";
export { weightPolicy, weightUrlProblem } from "./weight-egress.ts";
export { createWeights, type Weights } from "./weights.ts";
