// A workspace's figures: usage over time, failures by kind, how models do, one request in full, what jobs were charged, what
// graphs would cost, what an id refers to, and what a model made.
import { Type } from "typebox";
import { AccountRequest } from "../account/account-requests.ts";
import { ErrorAnswerPage, ErrorAnswerQuery } from "../account/error-answers.ts";
import { AskEstimate, EstimateQuery, GraphEstimate } from "../account/estimates.ts";
import { FindQuery, FoundThings } from "../account/found-things.ts";
import { JobChargeList, JobCharges, JobChargesQuery } from "../account/job-charges.ts";
import { KeepModelOutput, KeptModelOutput } from "../account/kept-outputs.ts";
import { KeepPlaygroundRun, PlaygroundRun, PlaygroundRunPage, PlaygroundRunQuery } from "../account/playground-runs.ts";
import { RequestBodies } from "../account/request-bodies.ts";
import {
  ErrorGroupList,
  ErrorGroupQuery,
  ModelStatsList,
  ModelStatsQuery,
  UsageSeries,
  UsageSeriesQuery,
} from "../account/usage-figures.ts";
import { headerName } from "../headers.ts";
import { AccountModelList } from "../models.ts";
import { operationTable } from "../operation.ts";
import { Uuid } from "../wire-values.ts";
import { answer, emptyAnswer, genericFaults, jsonBody, ofAccount } from "./answers.ts";

export const accountFigureOperations = operationTable(ofAccount, {
  getUsageSeries: {
    method: "GET",
    path: "/account/usage/series",
    summary: "Get the workspace's usage over time",
    description:
      "Covers the last 24 hours unless from and to are given. Points without usage are omitted. The total covers the whole range.",
    query: UsageSeriesQuery,
    answers: { 200: answer(UsageSeries, "The points, the groups and the total.") },
  },
  listErrorGroups: {
    method: "GET",
    path: "/account/errors",
    summary: "Group failures by kind",
    description: "Covers the last 24 hours unless from and to are given.",
    query: ErrorGroupQuery,
    answers: { 200: answer(ErrorGroupList, "Most frequent first.") },
  },
  listAccountModels: {
    method: "GET",
    path: "/account/models",
    summary: "List the models that the workspace can call, with titles and prices",
    description: "Meant for people choosing a model. Programs that only need ids should page through GET /v1/models.",
    answers: { 200: answer(AccountModelList, "The models."), ...genericFaults(400) },
  },
  getModelStats: {
    method: "GET",
    path: "/account/models/stats",
    summary: "Get recent model statistics for the workspace",
    query: ModelStatsQuery,
    answers: { 200: answer(ModelStatsList, "Success rate and latency of each model that was called.") },
  },
  getAccountRequest: {
    method: "GET",
    path: "/account/requests/{requestId}",
    summary: "Get all details of one request",
    description:
      "Accepts the request id from the response, the call id or the id of the queued request. It shows no bodies: a workspace that keeps them has them under /bodies. A person who is an operator also finds requests whose credential was refused and belongs to no workspace.",
    params: Type.Object({ requestId: Uuid }),
    answers: { 200: answer(AccountRequest, "The request."), ...genericFaults(400) },
  },
  getRequestBodies: {
    method: "GET",
    path: "/account/requests/{requestId}/bodies",
    summary: "Get the input and the answer of a request",
    description:
      "Only if the workspace keeps bodies; otherwise, and once they are deleted, both are null. Written shortly after the answer. Secrets are removed, and files are replaced by type, size and hash. A request that repeated an earlier one under its Idempotency-Key has its own answer.",
    params: Type.Object({ requestId: Uuid }),
    answers: {
      200: answer(RequestBodies, "The bodies, as far as they are kept.", [headerName.cacheControl]),
      ...genericFaults(400),
    },
  },
  listErrorAnswers: {
    method: "GET",
    path: "/account/error-answers",
    summary: "List the errors that callers got",
    description:
      "Newest first, in every area of the API, refused requests included. Kept for 30 days, up to the newest 10,000 per workspace; during a burst only some are kept.",
    query: ErrorAnswerQuery,
    answers: { 200: answer(ErrorAnswerPage, "One page.") },
  },
  listJobCharges: {
    method: "GET",
    path: "/account/jobs/charges",
    summary: "Get the charges of several jobs",
    description: "Needs the workflows scope. Covers jobs in every pool.",
    query: JobChargesQuery,
    answers: { 200: answer(JobChargeList, "The charges.", [headerName.cacheControl]) },
  },
  getJobCharges: {
    method: "GET",
    path: "/account/jobs/{jobId}/charges",
    summary: "Get a job's charge, itemised",
    description:
      "Needs the workflows scope. Works for any of the workspace's jobs, in any pool, for as long as v2 can read it. The total is also in the X-Service-Credits-Used header when you read the job.",
    params: Type.Object({
      jobId: Type.String({ format: "uuid", minLength: 1, description: "The job's id. A malformed id returns 404." }),
    }),
    answers: { 200: answer(JobCharges, "The charges.", [headerName.cacheControl]) },
  },
  createEstimate: {
    method: "POST",
    path: "/account/estimates",
    role: "viewer",
    summary: "Estimate the cost of a workflow",
    description:
      "Needs the workflows scope. Takes the body of a submission and validates it the same way. Nothing is " +
      "stored, held or billed. Returns the cost per node and in total; a value that arrives through a link counts " +
      "as everything the link could deliver. For a file that is not uploaded yet, use an asset reference whose " +
      "info has a file_path and no id.",
    query: EstimateQuery,
    body: jsonBody(AskEstimate),
    answers: {
      200: answer(GraphEstimate, "What a fresh run would cost.", [headerName.cacheControl]),
      ...genericFaults(404, 422),
    },
  },
  findThings: {
    method: "GET",
    path: "/account/find",
    summary: "Look up an id or the start of a name",
    description: "Searches this workspace and public items. No match returns an empty list.",
    query: FindQuery,
    answers: { 200: answer(FoundThings, "At most ten matches.") },
  },
  keepModelOutput: {
    method: "POST",
    path: "/account/model-outputs",
    summary: "Save a model's output as an asset",
    description:
      "Some models return URLs at their provider that expire soon. The server downloads the file (at most 64 MiB) and stores it as an asset. It only downloads URLs that appear in the recorded response of this request. Returns output_unavailable if there is no recorded response or the file cannot be downloaded.",
    body: jsonBody(KeepModelOutput),
    answers: {
      200: answer(KeptModelOutput, "The workspace already had this file."),
      201: answer(KeptModelOutput, "Saved."),
      ...genericFaults(404),
    },
  },
  listPlaygroundRuns: {
    method: "GET",
    path: "/account/playground-runs",
    summary: "List what you ran in the playground",
    description: "Newest first, only your own. Kept for 90 days, up to the newest 200.",
    query: PlaygroundRunQuery,
    answers: { 200: answer(PlaygroundRunPage, "One page.", [headerName.cacheControl]) },
  },
  keepPlaygroundRun: {
    method: "POST",
    path: "/account/playground-runs",
    summary: "Remember a run of the playground",
    body: jsonBody(KeepPlaygroundRun),
    answers: { 201: answer(PlaygroundRun, "The run.", [headerName.cacheControl]) },
  },
  deletePlaygroundRun: {
    method: "DELETE",
    path: "/account/playground-runs/{runId}",
    role: "viewer",
    summary: "Forget a run of the playground",
    params: Type.Object({ runId: Uuid }),
    answers: { 204: emptyAnswer("It is forgotten."), ...genericFaults(400) },
  },
  deletePlaygroundRuns: {
    method: "DELETE",
    path: "/account/playground-runs",
    role: "viewer",
    summary: "Forget everything you ran in the playground",
    answers: { 204: emptyAnswer("They are forgotten."), ...genericFaults(400) },
  },
});
