// Workflows that a workspace keeps: named, in folders, with every version.
export { readSave } from "./read-save.ts";
export { diffGraphs } from "./read-versions.ts";
export { createSaveReader, type SaveReader } from "./save-reader.ts";
export type {
  SavedWorkflow,
  WorkflowDocument,
  WorkflowId,
  WorkflowLocator,
  WorkflowVersion,
} from "./saved-workflow.ts";
export { type Author, createSavedWorkflows, type DocumentSource, type SavedWorkflows } from "./saved-workflows.ts";
