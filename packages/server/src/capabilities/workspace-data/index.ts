export {
  type DeletedWorkspace,
  type DeleteWorkspaceDeps,
  deletedName,
  deleteWorkspace,
} from "./delete-workspace.ts";
export { type ExportSink, exportWorkspace } from "./export-workspace.ts";
