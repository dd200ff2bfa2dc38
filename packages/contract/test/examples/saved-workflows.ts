// Realistic saved workflows, versions and changes, and ways to break them.
import { time as at, type Example, uuid as id } from "./example.ts";

const author = { kind: "person", id, name: "Ada" };
const run = { id, finished_at: at, picture: id };
const saved = {
  id,
  name: "Lighthouse",
  folder: "landscapes/sea",
  tags: ["poster"],
  version: 3,
  format: "editor",
  nodes: 7,
  bytes: 5120,
  archived_at: null,
  created_at: at,
  updated_at: at,
  last_job: run,
};
const version = {
  version: 3,
  format: "api",
  nodes: 7,
  bytes: 5120,
  sha256: "0f".repeat(32),
  note: "warmer light",
  restored_from: 1,
  created_at: at,
  created_by: author,
};
const change = {
  kind: "input_changed",
  node_id: "6",
  class_type: "TextPrompt",
  title: null,
  input: "text",
  before: '"a cat"',
  after: '"a dog"',
  words: 'TextPrompt (6): text changed from "a cat" to "a dog".',
};
const document = { "1": { class_type: "EmptyImage", inputs: {} } };
const page = (entry: object) => ({ data: [entry], has_more: true, next_cursor: "v1.abc.def", limit: 20 });

export const savedWorkflowExamples: Record<string, Example> = {
  WorkflowAuthor: { good: author, broken: { kind: "robot", id: "1" } },
  WorkflowRun: { good: run, broken: { picture: "a.png", finished_at: undefined } },
  SavedWorkflow: { good: saved, broken: { version: 0, format: "png", nodes: -1, "last_job.id": "1" } },
  SavedWorkflowList: { good: page(saved), broken: { "data.0.tags": "poster", limit: 0 } },
  SaveWorkflow: {
    good: { name: "Lighthouse", folder: "sea", tags: ["poster"], note: "first", document },
    broken: { name: " ", tags: [""], note: 7, document: [] },
  },
  ChangeSavedWorkflow: { good: { name: "Lighthouse at night", archived: true }, broken: { archived: "yes", name: "" } },
  DuplicateWorkflow: { good: { name: "Copy", version: 2 }, broken: { name: undefined, version: 0 } },
  WorkflowVersion: { good: version, broken: { sha256: "0f", version: "3", "created_by.kind": "robot" } },
  WorkflowVersionList: { good: page(version), broken: { "data.0.bytes": -1 } },
  SaveWorkflowVersion: { good: { restore: 1, note: "back to the first" }, broken: { restore: 0, job_id: "1" } },
  WorkflowChange: { good: change, broken: { kind: "moved", words: undefined } },
  WorkflowDiff: {
    good: { from: 2, to: 3, changes: [change], is_complete: true, is_same: false },
    broken: { from: 0, changes: {}, is_same: "no" },
  },
};
