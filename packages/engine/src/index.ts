// The engine's door. Nothing behind it loads the picture codec: that happens in the children, when first needed.
export {
  type AssetContent,
  defaultLimits,
  type EngineEvent,
  type EngineFailure,
  type EngineFailureCode,
  type EngineHost,
  type EngineJob,
  type EngineLimits,
  type EngineMetrics,
  type EngineOutput,
  type EnginePool,
  type EnginePoolOptions,
  type EngineProgress,
  type EngineResult,
  type ModelAnswer,
  type ModelCall,
  type OutputKind,
  type PictureLibrary,
  pictureLibraries,
} from "./engine-host.ts";
export { openEnginePool } from "./engine-pool.ts";
export type { ChildCall, ChildMessage, HostAnswer, HostMessage, RunMessage } from "./engine-protocol.ts";
export { builtInClasses } from "./graph/built-in-classes.ts";
export { type ConvertedGraph, convertUiGraph } from "./graph/convert-ui-graph.ts";
export { describeClasses, type ObjectInfo, type ObjectInfoEntry } from "./graph/describe-classes.ts";
export {
  type FileReference,
  type Folder,
  fileReferenceOf,
  type Graph,
  type GraphNode,
  type Link,
} from "./graph/graph.ts";
export type { GraphProblem, GraphProblemType, GraphVerdict, NodeProblems } from "./graph/graph-problem.ts";
export type {
  ClassDescriptions,
  InputDescription,
  NodeClassDescription,
  OutputDescription,
} from "./graph/node-class.ts";
export { isUiGraph } from "./graph/ui-graph.ts";
export { type ValidateOptions, validateGraph } from "./graph/validate-graph.ts";
export { HostRefusal } from "./host-calls.ts";
