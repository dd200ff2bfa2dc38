// Workflows that a workspace keeps: named, in folders, with every version.
export { diffGraphs } from "./read-versions.ts";
export type {
  DocumentFormat,
  SavedWorkflow,
  WorkflowId,
  WorkflowLocator,
  WorkflowPosition,
  WorkflowVersion,
} from "./saved-workflow.ts";
export {
  type Author,
  createSavedWorkflows,
  type DocumentSource,
  type ListedBy,
  type SavedWorkflows,
} from "./saved-workflows.ts";
