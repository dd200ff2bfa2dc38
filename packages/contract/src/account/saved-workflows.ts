// Workflows that a workspace keeps under a name, with every version. Saving is not part of v2 (decisions, section 10), so all of
// this is below /account.
import { type Static, Type } from "typebox";
import { PageQuery, pageOf } from "../pagination.ts";
import { entity, notBlank, nullable, OpenObject, Timestamp, Uuid, wordOf } from "../wire-values.ts";

export const savedWorkflowTagsMax = 20;
const noteMax = 500;

const name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: notBlank,
  description: "1 to 100 characters after trimming, without slashes or line breaks.",
});
const folder = Type.String({
  maxLength: 800,
  description:
    "Folder names joined by slashes, at most 8 levels; empty for the top level. A folder exists while something is in it.",
});
const tags = Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
  maxItems: savedWorkflowTagsMax,
  description: "Search tags. Stored in lower case, without duplicates.",
});
const note = Type.String({
  maxLength: noteMax,
  description: "Why this version was made; shown in its history.",
});
const versionMax = 999_999_999;
const numbered = (description: string) => Type.Integer({ minimum: 1, maximum: versionMax, description });
const version = numbered("Starts at 1, without gaps.");
const format = wordOf(["editor", "api"], {
  description: "editor: the graph editor's format. api: nodes by id, as jobs run it.",
});

export const WorkflowAuthor = entity("WorkflowAuthor", "Who saved a version.", {
  kind: wordOf(["person", "key"], { description: "A signed-in person or an API key." }),
  id: Uuid,
  name: nullable(Type.String(), "Null if the person or key was deleted."),
});

export const WorkflowRun = entity("WorkflowRun", "The latest successful job of this workflow.", {
  id: Uuid,
  finished_at: Timestamp,
  picture: nullable(Uuid, "The asset of its first image."),
});

export const SavedWorkflow = entity("SavedWorkflow", "A workflow saved in the workspace.", {
  id: Uuid,
  name: Type.String({ description: "Unique in its folder among workflows that are not archived." }),
  folder,
  tags,
  version: Type.Integer({ minimum: 1, description: "The latest version." }),
  format,
  nodes: Type.Integer({ minimum: 0, description: "Number of nodes in the latest version." }),
  bytes: Type.Integer({ minimum: 0, description: "Size of the latest version in bytes." }),
  archived_at: nullable(Timestamp, "When it was archived; null if it is not."),
  created_at: Timestamp,
  updated_at: Timestamp,
  last_job: nullable(
    WorkflowRun,
    "Jobs are matched by their label `workflow`, whose value is the id of the saved workflow. Null if there is none.",
  ),
});
export type SavedWorkflow = Static<typeof SavedWorkflow>;

export const SavedWorkflowList = pageOf(
  SavedWorkflow,
  "SavedWorkflowList",
  "One page of saved workflows, most recently changed first.",
);

export const SavedWorkflowQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        "Words to search for in the name, folder, tags, node classes, titles, model names and texts. Every word must match, at least as a prefix.",
    }),
  ),
  folder: Type.Optional(
    Type.String({ minLength: 1, maxLength: 800, description: "Only this folder and its subfolders." }),
  ),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: "Only workflows with this tag." })),
  class: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "Only workflows with a node of exactly this class." }),
  ),
  archived: Type.Optional(wordOf(["true", "false"], { description: "true lists archived workflows instead." })),
  ...PageQuery.properties,
});

const document = Type.Unsafe<OpenObject>({
  ...OpenObject,
  description: "The workflow, in either format. Stored byte for byte, including members this server does not know.",
});
const jobId = Type.Unsafe<string>({ ...Uuid, description: "Instead of a document: use the workflow of this job." });

export const SaveWorkflow = entity("SaveWorkflow", "A workflow to save: a document or the workflow of a job.", {
  name,
  folder: Type.Optional(folder),
  tags: Type.Optional(tags),
  note: Type.Optional(note),
  document: Type.Optional(document),
  job_id: Type.Optional(jobId),
});

export const ChangeSavedWorkflow = entity(
  "ChangeSavedWorkflow",
  "The fields to change. Omitted fields stay as they are.",
  {
    name: Type.Optional(name),
    folder: Type.Optional(folder),
    tags: Type.Optional(tags),
    archived: Type.Optional(
      Type.Boolean({ description: "Archived workflows are not listed, and their names can be reused." }),
    ),
  },
);

export const DuplicateWorkflow = entity("DuplicateWorkflow", "Where the copy goes.", {
  name,
  folder: Type.Optional(folder),
  version: Type.Optional(version),
});

export const WorkflowVersion = entity("WorkflowVersion", "One version of a saved workflow. It never changes.", {
  version,
  format,
  nodes: Type.Integer({ minimum: 0, description: "Number of nodes." }),
  bytes: Type.Integer({ minimum: 0, description: "Size of the document in bytes." }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$", description: "SHA-256 of the document's bytes." }),
  note: nullable(Type.String(), "Why it was made."),
  restored_from: nullable(version, "The version it restores, if any."),
  created_at: Timestamp,
  created_by: nullable(WorkflowAuthor, "Who saved it; null for the server itself."),
});
export type WorkflowVersion = Static<typeof WorkflowVersion>;

export const WorkflowVersionList = pageOf(
  WorkflowVersion,
  "WorkflowVersionList",
  "One page of versions, latest first.",
);

export const SaveWorkflowVersion = entity(
  "SaveWorkflowVersion",
  "A new version: a document, the workflow of a job, or an earlier version.",
  {
    note: Type.Optional(note),
    document: Type.Optional(document),
    job_id: Type.Optional(jobId),
    restore: Type.Optional(numbered("Instead of a document: restore this version.")),
  },
);

export const workflowChangeKinds = [
  "node_added",
  "node_removed",
  "class_changed",
  "title_changed",
  "input_added",
  "input_removed",
  "input_changed",
  "link_changed",
] as const;

export const WorkflowChange = entity("WorkflowChange", "One difference between two versions.", {
  kind: wordOf(workflowChangeKinds, { description: "What happened to the node." }),
  node_id: Type.String({
    description: "The node's id. Inside a subgraph it is prefixed with the subgraph's id and a colon.",
  }),
  class_type: Type.String({ description: "The node's class. The newer one if it changed." }),
  title: nullable(Type.String(), "The node's title, if it has one."),
  input: nullable(Type.String(), "The input that differs."),
  before: nullable(Type.String(), "Its earlier value as JSON, or the node it came from."),
  after: nullable(Type.String(), "Its later value as JSON, or the node it comes from."),
  words: Type.String({ description: "The change as a sentence." }),
});

export const workflowChangesMax = 1_000;

export const WorkflowDiff = entity("WorkflowDiff", "How two versions differ.", {
  from: version,
  to: version,
  changes: Type.Array(WorkflowChange, {
    maxItems: workflowChangesMax,
    description: "By node, in the order of the newer version.",
  }),
  is_complete: Type.Boolean({ description: "false if there are more changes than listed." }),
  is_same: Type.Boolean({
    description:
      "true if the workflows behave the same. The documents may still differ in positions, colours or notes.",
  }),
});
export type WorkflowDiff = Static<typeof WorkflowDiff>;

export const WorkflowDiffQuery = Type.Object({
  from: Type.Optional(numbered("The earlier version. Defaults to the one before `to`.")),
  to: Type.Optional(numbered("The later version. Defaults to the latest.")),
});

export const WorkflowDocumentQuery = Type.Object({
  format: Type.Optional(
    wordOf(["editor", "api"], {
      description:
        "The format to return. Defaults to the format it was saved in. An editor document can be converted to api if this server knows its classes; api cannot be converted to editor.",
    }),
  ),
});
