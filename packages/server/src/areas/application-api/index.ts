export { applicationApi } from "./application-area.ts";
export type { ApplicationDeps } from "./application-caller.ts";
export { applicationOperations, cloudOperations } from "./application-operations.ts";
export { withFileMarks } from "./file-choices.ts";
