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
import { answer, jsonBody, rawAnswer, workflowFaults } from "./answers.ts";
import { tags } from "./tags.ts";

const jobParam = Type.String({
  format: "uuid",
  minLength: 1,
  description: "The job's id; a malformed one is answered 404.",
});
const id = Type.Object({ id: jobParam });
const readFaults = workflowFaults(401, 403, 404, 429, 500, 503);

// Operations need a key unless they say otherwise.
const common = { tag: tags.jobs, access: "key" } as const;

export const workflowJobOperations = operationTable(common, {
  submitJob: {
    method: "POST",
    path: "/api/v2/jobs",
    summary: "Submit a workflow",
    description:
      "201 means recorded and queued. The same key with the same body answers the same job again; " +
      "with another body it is refused as idempotency_key_reuse. A submission that is refused has created nothing, and " +
      "its key is free again. " +
      "A workflow as the editor saves it is converted first, and its nodes are then known by the ids of the converted one.",
    headers: Type.Object({
      [headerName.idempotencyKey]: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: "^[!-~]+$" })),
      [headerName.maxCredits]: Type.Optional(headerMeanings[headerName.maxCredits].schema),
    }),
    body: jsonBody(SubmitJob),
    answers: {
      201: answer(Job, "The job.", [headerName.location, headerName.idempotentReplayed, headerName.creditsUsed]),
      ...workflowFaults(400, 401, 402, 403, 413, 422, 429, 500, 503),
    },
  },
  listJobs: {
    method: "GET",
    path: "/api/v2/jobs",
    summary: "List the caller's jobs",
    description:
      "Newest first; all filters must match. Jobs whose metadata is a map are found by metadata[key]=value, one parameter for each key; percent-encode brackets and whatever else an address reserves.",
    query: Type.Object({
      status: Type.Optional(Type.Array(JobState, { description: "Only jobs in these states." })),
      metadata: Type.Optional(Type.String({ description: "Only jobs with exactly this text as metadata." })),
      idempotency_key: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          pattern: "^[!-~]+$",
          description: "Only the job that was submitted under this key.",
        }),
      ),
      ...PageQuery.properties,
    }),
    answers: {
      200: answer(JobPage, "One page of jobs, newest first."),
      ...workflowFaults(400, 401, 403, 429, 500, 503),
    },
  },
  getJob: {
    method: "GET",
    path: "/api/v2/jobs/{id}",
    summary: "Read a job",
    description:
      "Once the job has ended, X-Service-Credits-Used says what it was charged, on surfaces where runs cost something.",
    params: id,
    answers: { 200: answer(Job, "The job as it is now.", [headerName.creditsUsed]), ...readFaults },
  },
  getJobWorkflow: {
    method: "GET",
    path: "/api/v2/jobs/{id}/workflow",
    summary: "Read the graph a job executed",
    params: id,
    answers: { 200: answer(JobWorkflow, "The graph."), ...readFaults },
  },
  getJobPreview: {
    method: "GET",
    path: "/api/v2/jobs/{id}/preview",
    summary: "Read a job's newest preview picture",
    description: "404 while there is none.",
    params: id,
    answers: { 200: rawAnswer("image/*", "The picture.", [headerName.cacheControl]), ...readFaults },
  },
  followJobEvents: {
    method: "GET",
    path: "/api/v2/jobs/{id}/events",
    summary: "Follow a job live",
    description: "A snapshot on connect, then every event; ends after the terminal status. Polling tells the same.",
    params: id,
    headers: Type.Object({ [headerName.lastEventId]: Type.Optional(Type.String()) }),
    answers: {
      200: {
        description: "Server-sent events; each frame is one of these.",
        contentType: "text/event-stream",
        schema: JobEvent,
        headers: [headerName.cacheControl],
      },
      ...readFaults,
      ...workflowFaults(501),
    },
  },
  cancelJob: {
    method: "POST",
    path: "/api/v2/jobs/{id}/cancel",
    summary: "Cancel a job",
    description: "Can be repeated: an ended job is answered as it is.",
    params: id,
    answers: { 200: answer(Job, "The job as it is now.", [headerName.creditsUsed]), ...readFaults },
  },
  cancelOneJob: {
    method: "POST",
    path: "/api/jobs/{job_id}/cancel",
    summary: "Cancel one job, in the application's form",
    params: Type.Object({ job_id: jobParam }),
    answers: { 200: answer(CanceledJob, "Whether this call canceled it."), ...readFaults },
  },
  cancelManyJobs: {
    method: "POST",
    path: "/api/jobs/cancel",
    summary: "Cancel jobs in bulk, in the application's form",
    description: "An unknown id is 404 and nothing is canceled.",
    body: jsonBody(CancelJobs),
    answers: {
      200: answer(CanceledJobs, "Which jobs this call canceled."),
      ...workflowFaults(400, 413),
      ...readFaults,
    },
  },
  getExecutedWorkflow: {
    method: "GET",
    path: "/workflow",
    summary: "Read an executed graph on a deployment",
    description: "Without job_id: the caller's newest. Only dedicated deployments have this; elsewhere it is 404.",
    query: Type.Object({ job_id: Type.Optional(jobParam) }),
    answers: { 200: answer(JobWorkflow, "The graph."), ...readFaults },
  },
  convertWorkflow: {
    method: "POST",
    path: "/api/v2/workflows/convert",
    summary: "Convert an editor's workflow to API format",
    description: "Possible where every node class of it is known.",
    body: jsonBody(ConvertWorkflow),
    answers: {
      200: answer(ConvertedWorkflow, "The same workflow, ready to submit."),
      ...workflowFaults(400, 401, 403, 413, 422, 429, 500, 503),
    },
  },
  getWorkflowIndex: {
    method: "GET",
    path: "/api/v2",
    summary: "Find where v2 begins",
    description: "Links to everything that stands on its own; whatever is one thing's has links of its own.",
    answers: { 200: answer(WorkflowIndex, "The links."), ...workflowFaults(401, 403, 429, 500, 503) },
  },
  getWorkflowHealth: {
    method: "GET",
    path: "/api/v2/health",
    summary: "Ask whether the v2 API answers",
    access: "public",
    answers: { 200: answer(WorkflowHealth, "It answers.") },
  },
});
