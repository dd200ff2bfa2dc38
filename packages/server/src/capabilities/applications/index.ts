export type { Application, ApplicationState } from "./application.ts";
export type { ApplicationClasses } from "./application-classes.ts";
export { applicationRunner } from "./application-runner.ts";
export { judgeGraph } from "./judge-graph.ts";
export { openKeptClasses } from "./kept-classes.ts";
export { openApplication } from "./open-application.ts";
export { readObjectInfo } from "./read-object-info.ts";
export type { StagedContent } from "./stage-inputs.ts";
export { descriptionWithoutFiles } from "./without-files.ts";
