// Workflows that a workspace keeps: named, in folders, with every version.
export { type ReadSave, readSave } from "./read-save.ts";
export { diffGraphs } from "./read-versions.ts";
export { createSaveReader, type SaveReader } from "./save-reader.ts";
export type {
  DocumentFormat,
  SavedWorkflow,
  WorkflowDocument,
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
