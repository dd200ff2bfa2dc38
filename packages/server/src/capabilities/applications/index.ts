export {
  type Accepted,
  type Application,
  type ApplicationDevice,
  type ApplicationFacts,
  ApplicationProblem,
  type ApplicationProblemCode,
  type ApplicationState,
  type FileLocation,
  type NodeRefusals,
  type ViewedFile,
  type Watcher,
} from "./application.ts";
export { annotatedName } from "./application-calls.ts";
export type { ApplicationClasses, ClassSockets, FileInput } from "./application-classes.ts";
export { type ApplicationRunnerDeps, applicationRunner } from "./application-runner.ts";
export { type FollowTiming, followTiming } from "./follow-prompt.ts";
export { type JudgeOptions, judgeGraph } from "./judge-graph.ts";
export { type KeptClasses, openKeptClasses } from "./kept-classes.ts";
export { modelNames } from "./model-names.ts";
export { applicationUrl, type OpenApplicationOptions, openApplication } from "./open-application.ts";
export { readObjectInfo } from "./read-object-info.ts";
export type { StagedContent } from "./stage-inputs.ts";
