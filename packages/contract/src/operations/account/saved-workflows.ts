// Workflows that a workspace keeps: named, in folders, with every version (decisions, section 10).
import { Type } from "typebox";
import {
  ChangeSavedWorkflow,
  DuplicateWorkflow,
  SavedWorkflow,
  SavedWorkflowList,
  SavedWorkflowQuery,
  SaveWorkflow,
  SaveWorkflowVersion,
  WorkflowDiff,
  WorkflowDiffQuery,
  WorkflowDocumentQuery,
  WorkflowVersion,
  WorkflowVersionList,
} from "../../account/saved-workflows.ts";
import { headerName } from "../../headers.ts";
import { operationTable } from "../../operation.ts";
import { PageQuery } from "../../pagination.ts";
import { OpenObject, Uuid } from "../../wire-values.ts";
import { answer, emptyAnswer, genericFaults, jsonBody, ofAccount } from "../answers.ts";

const workflow = { workflowId: Uuid };
const one = Type.Object(workflow);
const etag = [headerName.etag];
export const expectedVersion = Type.Object({
  [headerName.ifMatch]: Type.Optional(
    Type.String({
      pattern: '^(\\*|"[^",]*"( *, *"[^",]*")*)$',
      description: "The ETag the change is based on. Returns 412 if the resource has changed since.",
    }),
  ),
});

export const savedWorkflowOperations = operationTable(ofAccount, {
  listSavedWorkflows: {
    method: "GET",
    path: "/account/workflows",
    summary: "List and search the workspace's saved workflows",
    query: SavedWorkflowQuery,
    answers: { 200: answer(SavedWorkflowList, "One page.") },
  },
  saveWorkflow: {
    method: "POST",
    path: "/account/workflows",
    summary: "Save a workflow under a name",
    description: "The document is stored byte for byte. Returns 409 if the name is taken in its folder.",
    body: jsonBody(SaveWorkflow),
    answers: {
      201: answer(SavedWorkflow, "Saved as version 1.", [...etag, headerName.location]),
      ...genericFaults(404, 409, 422),
    },
  },
  getSavedWorkflow: {
    method: "GET",
    path: "/account/workflows/{workflowId}",
    summary: "Read a saved workflow",
    params: one,
    answers: { 200: answer(SavedWorkflow, "The workflow, without its document.", etag) },
  },
  changeSavedWorkflow: {
    method: "PATCH",
    path: "/account/workflows/{workflowId}",
    summary: "Rename, move, tag or archive a saved workflow",
    params: one,
    headers: expectedVersion,
    body: jsonBody(ChangeSavedWorkflow),
    answers: { 200: answer(SavedWorkflow, "Updated.", etag), ...genericFaults(409, 412, 422) },
  },
  deleteSavedWorkflow: {
    method: "DELETE",
    path: "/account/workflows/{workflowId}",
    role: "owner",
    summary: "Delete a saved workflow with all its versions",
    description: "Owners only. The workflow must be archived first. This cannot be undone.",
    params: one,
    headers: expectedVersion,
    answers: { 204: emptyAnswer("Deleted."), ...genericFaults(400, 409, 412) },
  },
  duplicateSavedWorkflow: {
    method: "POST",
    path: "/account/workflows/{workflowId}/duplicate",
    summary: "Copy a version into a new workflow",
    params: one,
    body: jsonBody(DuplicateWorkflow),
    answers: { 201: answer(SavedWorkflow, "The copy.", [...etag, headerName.location]), ...genericFaults(409) },
  },
  listWorkflowVersions: {
    method: "GET",
    path: "/account/workflows/{workflowId}/versions",
    summary: "List the versions of a saved workflow",
    params: one,
    query: PageQuery,
    answers: { 200: answer(WorkflowVersionList, "One page.") },
  },
  saveWorkflowVersion: {
    method: "POST",
    path: "/account/workflows/{workflowId}/versions",
    summary: "Save a new version, or restore an earlier one",
    description:
      "If the document has exactly the bytes of the latest version, no version is created and the response is 200.",
    params: one,
    headers: expectedVersion,
    body: jsonBody(SaveWorkflowVersion),
    answers: {
      200: answer(WorkflowVersion, "The latest version already has this content.", etag),
      201: answer(WorkflowVersion, "The new version.", etag),
      ...genericFaults(409, 412, 422),
    },
  },
  getWorkflowDocument: {
    method: "GET",
    path: "/account/workflows/{workflowId}/versions/{version}/document",
    summary: "Read the document of a version",
    params: Type.Object({
      ...workflow,
      version: Type.String({ pattern: "^(latest|[1-9][0-9]{0,8})$", description: "A version number, or latest." }),
    }),
    query: WorkflowDocumentQuery,
    answers: {
      200: answer(OpenObject, "The document, byte for byte as saved unless another format was requested.", etag),
      ...genericFaults(422),
    },
  },
  diffWorkflowVersions: {
    method: "GET",
    path: "/account/workflows/{workflowId}/diff",
    summary: "Compare two versions",
    params: one,
    query: WorkflowDiffQuery,
    answers: { 200: answer(WorkflowDiff, "The changes, each with a readable sentence.") },
  },
});
