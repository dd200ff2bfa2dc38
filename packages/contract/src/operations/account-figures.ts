// A workspace's figures: usage over time, failures by kind, how models do, one request in full, what jobs were charged, what
// graphs would cost, what an id refers to, and what a model made.
import { Type } from "typebox";
import { AccountRequest } from "../account/account-requests.ts";
import { AskEstimate, EstimateQuery, GraphEstimate } from "../account/estimates.ts";
import { FindQuery, FoundThings } from "../account/found-things.ts";
import { JobChargeList, JobCharges, JobChargesQuery } from "../account/job-charges.ts";
import { KeepModelOutput, KeptModelOutput } from "../account/kept-outputs.ts";
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
import { answer, genericFaults, jsonBody } from "./answers.ts";
import { tags } from "./tags.ts";

const read = genericFaults(400, 401, 403, 429, 500, 503);

export const accountFigureOperations = operationTable({ tag: tags.account, access: "key" } as const, {
  getUsageSeries: {
    method: "GET",
    path: "/account/usage/series",
    summary: "See what the workspace used over time",
    description:
      "The last 24 hours unless from and to say otherwise. Points without use are absent. The total is over everything that was asked for.",
    query: UsageSeriesQuery,
    answers: { 200: answer(UsageSeries, "The points, the groups and the total."), ...read },
  },
  listErrorGroups: {
    method: "GET",
    path: "/account/errors",
    summary: "See what went wrong, by kind",
    description: "The last 24 hours unless from and to say otherwise.",
    query: ErrorGroupQuery,
    answers: { 200: answer(ErrorGroupList, "The most frequent first."), ...read },
  },
  listAccountModels: {
    method: "GET",
    path: "/account/models",
    summary: "List the models that the workspace can call, with titles and prices",
    description: "For people who choose one. Programs that only need ids walk GET /v1/models.",
    answers: { 200: answer(AccountModelList, "The models."), ...read },
  },
  getModelStats: {
    method: "GET",
    path: "/account/models/stats",
    summary: "See how models did for the workspace lately",
    query: ModelStatsQuery,
    answers: { 200: answer(ModelStatsList, "Success and latency of each model that was called."), ...read },
  },
  getAccountRequest: {
    method: "GET",
    path: "/account/requests/{requestId}",
    summary: "See everything about one request",
    description:
      "By the id that its answer named, the id of its call or that of the queued request. Bodies of requests are not stored and not shown.",
    params: Type.Object({ requestId: Uuid }),
    answers: { 200: answer(AccountRequest, "The request."), ...read, ...genericFaults(404) },
  },
  listJobCharges: {
    method: "GET",
    path: "/account/jobs/charges",
    summary: "See what several jobs were charged",
    description: "For keys of the scope workflows. In whatever pool they ran.",
    query: JobChargesQuery,
    answers: { 200: answer(JobChargeList, "The charges.", [headerName.cacheControl]), ...read },
  },
  getJobCharges: {
    method: "GET",
    path: "/account/jobs/{jobId}/charges",
    summary: "See what a job was charged, and for what",
    description:
      "For keys of the scope workflows. A job of the workspace in whatever pool, as long as v2 answers for it. The total is also the header X-Service-Credits-Used of the job's reads.",
    params: Type.Object({
      jobId: Type.String({ format: "uuid", minLength: 1, description: "The job; a malformed id is 404." }),
    }),
    answers: {
      200: answer(JobCharges, "The charges.", [headerName.cacheControl]),
      ...genericFaults(401, 403, 404, 429, 500, 503),
    },
  },
  createEstimate: {
    method: "POST",
    path: "/account/estimates",
    summary: "Ask what a workflow would cost",
    description:
      "For keys of the scope workflows. The body of a submission, checked as a submission is. Nothing is stored, held or billed. Per node and in sum; " +
      "values that come through a link count with everything that the link could give. A file that is yet to be uploaded " +
      "may stand as an asset reference whose info has a file_path and no id.",
    query: EstimateQuery,
    body: jsonBody(AskEstimate),
    answers: {
      200: answer(GraphEstimate, "What a fresh run would cost.", [headerName.cacheControl]),
      ...read,
      ...genericFaults(404, 413, 422),
    },
  },
  findThings: {
    method: "GET",
    path: "/account/find",
    summary: "Find what an id or the beginning of a name stands for",
    description: "Of this workspace, and of what everybody sees. What nothing goes by is an empty list.",
    query: FindQuery,
    answers: { 200: answer(FoundThings, "Ten at most."), ...read },
  },
  keepModelOutput: {
    method: "POST",
    path: "/account/model-outputs",
    summary: "Keep what a model made as an asset",
    description:
      "For answers that point to their provider's files, which end soon: the server fetches it, at most 64 MiB, and it is found among the assets. Only an address that the recorded answer of this request holds is fetched. output_unavailable where there is no such answer or it cannot be had.",
    body: jsonBody(KeepModelOutput),
    answers: {
      200: answer(KeptModelOutput, "The workspace had these bytes already."),
      201: answer(KeptModelOutput, "It is kept."),
      ...read,
      ...genericFaults(404, 413),
    },
  },
});
