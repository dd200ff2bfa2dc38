export { deleteWorkspace } from "./delete-workspace.ts";
export { exportWorkspace } from "./export-workspace.ts";
