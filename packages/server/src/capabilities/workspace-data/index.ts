export { type DeletedWorkspace, type DeleteWorkspaceDeps, deleteWorkspace } from "./delete-workspace.ts";
export { type ExportSink, exportWorkspace } from "./export-workspace.ts";
