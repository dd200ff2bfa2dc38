// Works: saved workflows, published as models. They are called through the router (/v1/models) and through v2 jobs.
import { Type } from "typebox";
import {
  CallableWorkPage,
  ChangeWork,
  CreatedWorkLink,
  NewWorkLink,
  PublishWork,
  SaveWorkflowForm,
  Work,
  WorkDiff,
  WorkDiffQuery,
  WorkflowForm,
  WorkflowFormQuery,
  WorkLinkList,
  WorkList,
  WorkName,
  WorkQuery,
  WorkVersion,
  WorkVersionList,
} from "../../account/works.ts";
import { headerName } from "../../headers.ts";
import { operationTable } from "../../operation.ts";
import { PageQuery } from "../../pagination.ts";
import { Uuid } from "../../wire-values.ts";
import { answer, emptyAnswer, genericFaults, jsonBody, ofAccount } from "../answers.ts";
import { expectedVersion } from "./saved-workflows.ts";

const named = { name: WorkName };
const one = Type.Object(named);
const etag = [headerName.etag];

export const workOperations = operationTable(ofAccount, {
  getWorkflowForm: {
    method: "GET",
    path: "/account/workflows/{workflowId}/form",
    summary: "Read the form of a saved workflow, and what else it could contain",
    params: Type.Object({ workflowId: Uuid }),
    query: WorkflowFormQuery,
    answers: { 200: answer(WorkflowForm, "The form."), ...genericFaults(422) },
  },
  saveWorkflowForm: {
    method: "PUT",
    path: "/account/workflows/{workflowId}/form",
    summary: "Save a form with a workflow, as a new version",
    description:
      "The new version is the latest one with the form in its document, also as the editor's app mode; every other byte stays. Nothing is published.",
    params: Type.Object({ workflowId: Uuid }),
    headers: expectedVersion,
    body: jsonBody(SaveWorkflowForm),
    answers: {
      200: answer(WorkflowForm, "The latest version already has this form.", etag),
      201: answer(WorkflowForm, "The form as it is read from the new version.", etag),
      ...genericFaults(409, 412, 422),
    },
  },
  listWorks: {
    method: "GET",
    path: "/account/works",
    summary: "List the workspace's works",
    query: WorkQuery,
    answers: { 200: answer(WorkList, "A page.") },
  },
  listCallableWorks: {
    method: "GET",
    path: "/account/models/works",
    summary: "Find works that the workspace can call",
    description: "Its own works, those shared with it and public ones, for people choosing one.",
    query: WorkQuery,
    answers: { 200: answer(CallableWorkPage, "A page.") },
  },
  publishWork: {
    method: "PUT",
    path: "/account/works/{name}",
    summary: "Publish a saved workflow as a work, or a new version of a work",
    description:
      "Runs the examples first and waits for them. Nothing is published if one of them fails or the graph cannot run here.",
    params: one,
    headers: expectedVersion,
    body: jsonBody(PublishWork),
    answers: {
      200: answer(Work, "A new version, or the same one if nothing differs.", etag),
      201: answer(Work, "Published.", [...etag, headerName.location]),
      ...genericFaults(402, 409, 412, 422, 504),
    },
  },
  getWork: {
    method: "GET",
    path: "/account/works/{name}",
    summary: "Read a work",
    params: one,
    answers: { 200: answer(Work, "The work.", etag) },
  },
  changeWork: {
    method: "PATCH",
    path: "/account/works/{name}",
    summary: "Describe, share or deprecate a work, or choose its current version",
    params: one,
    headers: expectedVersion,
    body: jsonBody(ChangeWork),
    answers: { 200: answer(Work, "As it is now.", etag), ...genericFaults(409, 412, 422) },
  },
  deleteWork: {
    method: "DELETE",
    path: "/account/works/{name}",
    role: "owner",
    summary: "Withdraw a work with all its versions",
    description: "For owners. Calls that are running end as usual; new ones answer 404.",
    params: one,
    headers: expectedVersion,
    answers: { 204: emptyAnswer("Withdrawn."), ...genericFaults(400, 412) },
  },
  listWorkVersions: {
    method: "GET",
    path: "/account/works/{name}/versions",
    summary: "List the versions of a work",
    params: one,
    query: PageQuery,
    answers: { 200: answer(WorkVersionList, "A page.") },
  },
  getWorkVersion: {
    method: "GET",
    path: "/account/works/{name}/versions/{version}",
    summary: "Read a version of a work",
    params: Type.Object({
      ...named,
      version: Type.String({ pattern: "^(latest|[1-9][0-9]{0,8})$", description: "A version, or latest." }),
    }),
    answers: { 200: answer(WorkVersion, "The version, with its form and examples."), ...genericFaults(400) },
  },
  diffWorkVersions: {
    method: "GET",
    path: "/account/works/{name}/diff",
    summary: "See what changed between two versions of a work",
    params: one,
    query: WorkDiffQuery,
    answers: { 200: answer(WorkDiff, "The changes, in words.") },
  },
  createWorkLink: {
    method: "POST",
    path: "/account/works/{name}/links",
    summary: "Make a link with which people without an account can run a work",
    description: "The workspace pays for what they run, up to the link's budget.",
    params: one,
    body: jsonBody(NewWorkLink),
    answers: { 201: answer(CreatedWorkLink, "The link.", [headerName.location]), ...genericFaults(409, 412, 422) },
  },
  listWorkLinks: {
    method: "GET",
    path: "/account/works/{name}/links",
    summary: "List the links of a work",
    params: one,
    answers: { 200: answer(WorkLinkList, "All of them, ended ones too.") },
  },
  deleteWorkLink: {
    method: "DELETE",
    path: "/account/works/{name}/links/{linkId}",
    summary: "End a link",
    params: Type.Object({ ...named, linkId: Uuid }),
    answers: { 204: emptyAnswer("It no longer works.") },
  },
});
