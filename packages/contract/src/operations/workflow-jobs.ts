// v2 jobs. Every capability is reachable by plain GET; the stream only adds to it. Credits, model browsing and queue management
// are not part of v2 (decisions, section 6), and a test over this table and its shapes proves it. What a job cost is a header
// here; the details are below /account.
import { Type } from "typebox";
import { headerMeanings, headerName } from "../headers.ts";
import { WorkflowHealth, WorkflowIndex } from "../health.ts";
import { JobEvent } from "../job-events.ts";
import {
  CanceledJob,
  CanceledJobs,
  CancelJobs,
  ConvertedWorkflow,
  ConvertWorkflow,
  Job,
  JobPage,
  JobState,
  JobWorkflow,
  SubmitJob,
} from "../jobs.ts";
import { operationTable } from "../operation.ts";
import { PageQuery } from "../pagination.ts";
import { answer, jsonBody, rawAnswer, workflowFault, workflowFaults } from "./answers.ts";
import { tags } from "./tags.ts";

const jobParam = Type.String({
  format: "uuid",
  minLength: 1,
  description: "The job's id. A malformed id returns 404.",
});
const id = Type.Object({ id: jobParam });

// Operations need a key unless they say otherwise.
const common = { tag: tags.jobs, access: "key", refusals: workflowFault } as const;

export const workflowJobOperations = operationTable(common, {
  submitJob: {
    method: "POST",
    path: "/api/v2/jobs",
    summary: "Submit a workflow",
    description:
      "201 means the job is recorded and queued. The same key with the same body returns the same job again; with " +
      "a different body it is refused with idempotency_key_reuse. A refused submission creates nothing, and its " +
      "key can be used again. A workflow in the editor's format is converted first, and its nodes then have the " +
      "ids of the converted workflow.",
    headers: Type.Object({
      [headerName.idempotencyKey]: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: "^[!-~]+$" })),
      [headerName.maxCredits]: Type.Optional(headerMeanings[headerName.maxCredits].schema),
      [headerName.endUser]: Type.Optional(headerMeanings[headerName.endUser].schema),
    }),
    body: jsonBody(SubmitJob),
    answers: {
      201: answer(Job, "The job.", [headerName.location, headerName.idempotentReplayed, headerName.creditsUsed]),
      ...workflowFaults(402, 422),
    },
  },
  listJobs: {
    method: "GET",
    path: "/api/v2/jobs",
    summary: "List the caller's jobs",
    description:
      "Newest first. All filters must match. To find jobs whose metadata is a map, use metadata[key]=value, one parameter per key. Percent-encode the brackets and other reserved characters.",
    query: Type.Object({
      status: Type.Optional(Type.Array(JobState, { description: "Only jobs in these states." })),
      metadata: Type.Optional(Type.String({ description: "Only jobs whose metadata is exactly this text." })),
      idempotency_key: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          pattern: "^[!-~]+$",
          description: "Only the job submitted with this key.",
        }),
      ),
      ...PageQuery.properties,
    }),
    answers: { 200: answer(JobPage, "One page of jobs, newest first.") },
  },
  getJob: {
    method: "GET",
    path: "/api/v2/jobs/{id}",
    summary: "Read a job",
    description:
      "Once the job has ended, X-Service-Credits-Used gives its charge, on surfaces where runs cost something.",
    params: id,
    answers: { 200: answer(Job, "The job.", [headerName.creditsUsed]) },
  },
  getJobWorkflow: {
    method: "GET",
    path: "/api/v2/jobs/{id}/workflow",
    summary: "Get the graph a job executed",
    params: id,
    answers: { 200: answer(JobWorkflow, "The graph.") },
  },
  getJobPreview: {
    method: "GET",
    path: "/api/v2/jobs/{id}/preview",
    summary: "Get a job's newest preview image",
    description: "Returns 404 while there is none.",
    params: id,
    answers: { 200: rawAnswer("image/*", "The image.", [headerName.cacheControl]) },
  },
  followJobEvents: {
    method: "GET",
    path: "/api/v2/jobs/{id}/events",
    summary: "Follow a job live",
    description:
      "Sends a snapshot on connect, then every event, and ends after the terminal status. Polling the job gives the same information.",
    params: id,
    headers: Type.Object({ [headerName.lastEventId]: Type.Optional(Type.String()) }),
    answers: {
      200: {
        description: "Server-sent events. Each frame is one of these.",
        contentType: "text/event-stream",
        schema: JobEvent,
        headers: [headerName.cacheControl],
      },
      ...workflowFaults(501),
    },
  },
  cancelJob: {
    method: "POST",
    path: "/api/v2/jobs/{id}/cancel",
    summary: "Cancel a job",
    description: "Safe to repeat. A job that has already ended is returned unchanged.",
    params: id,
    answers: { 200: answer(Job, "The job.", [headerName.creditsUsed]) },
  },
  cancelOneJob: {
    method: "POST",
    path: "/api/jobs/{job_id}/cancel",
    summary: "Cancel one job, in the application's own format",
    params: Type.Object({ job_id: jobParam }),
    answers: { 200: answer(CanceledJob, "Whether this call canceled it.") },
  },
  cancelManyJobs: {
    method: "POST",
    path: "/api/jobs/cancel",
    summary: "Cancel several jobs, in the application's own format",
    description: "If any id is unknown, returns 404 and cancels nothing.",
    body: jsonBody(CancelJobs),
    answers: { 200: answer(CanceledJobs, "Which jobs this call canceled."), ...workflowFaults(404) },
  },
  getExecutedWorkflow: {
    method: "GET",
    path: "/workflow",
    summary: "Read an executed graph on a deployment",
    description: "Without job_id: the caller's newest. Only dedicated deployments have this; elsewhere it is 404.",
    query: Type.Object({ job_id: Type.Optional(jobParam) }),
    answers: { 200: answer(JobWorkflow, "The graph."), ...workflowFaults(404) },
    notRefusedWith: [400],
  },
  convertWorkflow: {
    method: "POST",
    path: "/api/v2/workflows/convert",
    role: "viewer",
    summary: "Convert an editor workflow to API format",
    description: "Works if all of its node classes are known.",
    body: jsonBody(ConvertWorkflow),
    answers: { 200: answer(ConvertedWorkflow, "The same workflow, ready to submit."), ...workflowFaults(422) },
  },
  getWorkflowIndex: {
    method: "GET",
    path: "/api/v2",
    summary: "Get the entry point of v2",
    description: "Links to every collection. Individual resources carry their own links.",
    answers: { 200: answer(WorkflowIndex, "The links.") },
  },
  getWorkflowHealth: {
    method: "GET",
    path: "/api/v2/health",
    summary: "Check the health of the v2 API",
    access: "public",
    answers: { 200: answer(WorkflowHealth, "It responds.") },
    notRefusedWith: [429, 500, 503],
  },
});
