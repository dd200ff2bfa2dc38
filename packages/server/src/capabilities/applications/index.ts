export type { Application, ApplicationState } from "./application.ts";
export { applicationRunner } from "./application-runner.ts";
export type { ApplicationClasses } from "./classes/application-classes.ts";
export { judgeGraph } from "./classes/judge-graph.ts";
export { openKeptClasses } from "./classes/kept-classes.ts";
export { readObjectInfo } from "./classes/read-object-info.ts";
export { descriptionWithoutFiles } from "./classes/without-files.ts";
export { openApplication } from "./open-application.ts";
export type { StagedContent } from "./prompts/stage-inputs.ts";
