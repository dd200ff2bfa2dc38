export {
  type Accepted,
  type Application,
  type ApplicationDevice,
  type ApplicationFacts,
  ApplicationProblem,
  type ApplicationProblemCode,
  type ApplicationState,
  type FilePlace,
  type NodeRefusals,
  type ViewedFile,
  type Watcher,
} from "./application.ts";
export type { ApplicationClasses, ClassSockets, FileInput } from "./application-classes.ts";
export { type ApplicationRunnerDeps, applicationRunner, type StagedContent } from "./application-runner.ts";
export { type OpenApplicationOptions, openApplication } from "./open-application.ts";
