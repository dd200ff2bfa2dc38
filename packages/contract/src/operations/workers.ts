// The API for workers outside. They call us, never the other way round, so they work behind any firewall. Every operation needs
// a worker token; one about a job accepts only the worker that has the job, under the attempt it was given.
import { Type } from "typebox";
import { headerName } from "../headers.ts";
import { operationTable } from "../operation.ts";
import {
  CancelsSeen,
  ClaimWork,
  CreatedWorkerToken,
  CreateWorkerToken,
  FinishJob,
  HeartbeatLeases,
  KeptOutput,
  LeasedJobList,
  LeaseStates,
  OutputByHash,
  OutputQuery,
  PoolWorkerList,
  ReportProgress,
  ReportWorker,
  WatchCancels,
  WorkerEnvironment,
  WorkerStanding,
  WorkerTokenList,
} from "../operators/workers.ts";
import { Uuid } from "../wire-values.ts";
import { answer, bytesBody, emptyAnswer, genericFault, genericFaults, jsonBody, rawAnswer } from "./answers.ts";
import { tags } from "./tags.ts";

const always = genericFaults(401, 403, 404, 429, 500, 503);
const body = genericFaults(400, 413);
const params = Type.Object({ workerId: Uuid });
const ofJob = Type.Object({
  workerId: Uuid,
  jobId: Uuid,
  attempt: Type.String({ pattern: "^[1-9][0-9]{0,6}$", description: "The attempt that it was given." }),
});
const jobPath = "/api/workers/{workerId}/jobs/{jobId}/{attempt}";

const common = { tag: tags.workers, access: "worker" } as const;

export const workerOperations = operationTable(common, {
  reportWorker: {
    method: "PUT",
    path: "/api/workers/{workerId}",
    summary: "Introduce a worker",
    description: "The id is the worker's own and stays with the token it came with first.",
    params,
    body: jsonBody(ReportWorker),
    answers: { 200: answer(WorkerStanding, "It is known."), ...genericFaults(409), ...body, ...always },
  },
  leavePool: {
    method: "DELETE",
    path: "/api/workers/{workerId}",
    summary: "Take a worker out",
    params,
    answers: { 204: emptyAnswer("It does not count any more."), ...always },
  },
  describeEnvironment: {
    method: "PUT",
    path: "/api/workers/{workerId}/environment",
    summary: "Say what a worker can run",
    description: "Once for all workers that are alike. Graphs are checked against it when they are submitted.",
    params,
    body: jsonBody(WorkerEnvironment),
    answers: { 204: emptyAnswer("It is known."), ...body, ...always },
  },
  claimJobs: {
    method: "POST",
    path: "/api/workers/{workerId}/claims",
    summary: "Take jobs",
    description: "Waits until there is one that this worker can run, or the time is up.",
    params,
    body: jsonBody(ClaimWork),
    answers: { 200: answer(LeasedJobList, "They are this worker's."), ...body, ...always },
  },
  listLeasedJobs: {
    method: "GET",
    path: "/api/workers/{workerId}/jobs",
    summary: "Ask which jobs a worker has",
    description: "For a worker that was started again, or that did not hear the answer to a claim.",
    params,
    answers: { 200: answer(LeasedJobList, "Each under the attempt that it was given."), ...always },
  },
  sendHeartbeat: {
    method: "POST",
    path: "/api/workers/{workerId}/heartbeats",
    summary: "Show that jobs are still worked on",
    params,
    body: jsonBody(HeartbeatLeases),
    answers: { 200: answer(LeaseStates, "What became of them."), ...body, ...always },
  },
  watchCancels: {
    method: "POST",
    path: "/api/workers/{workerId}/cancels",
    summary: "Wait for jobs to be canceled",
    params,
    body: jsonBody(WatchCancels),
    answers: { 200: answer(CancelsSeen, "Those that are to be stopped."), ...body, ...always },
  },
  reportProgress: {
    method: "POST",
    path: "/api/workers/{workerId}/progress",
    summary: "Tell how far jobs are",
    params,
    body: jsonBody(ReportProgress),
    answers: { 204: emptyAnswer("Taken, if it was not stale."), ...body, ...always },
  },
  reportPreview: {
    method: "PUT",
    path: `${jobPath}/preview`,
    summary: "Show what a job is making",
    description: "The bytes of a picture; a hint, and the newest wins.",
    params: ofJob,
    query: Type.Object({ node_id: Type.String({ minLength: 1, maxLength: 255, description: "The node." }) }),
    body: bytesBody("application/octet-stream"),
    answers: { 204: emptyAnswer("Taken, if it was not stale."), ...body, ...always },
  },
  readJobInput: {
    method: "GET",
    path: `${jobPath}/inputs/{assetId}`,
    summary: "Read a file that a job was given",
    params: Type.Object({ ...ofJob.properties, assetId: Uuid }),
    answers: { 200: rawAnswer("application/octet-stream", "Its bytes.", [headerName.etag]), ...always },
  },
  keepKnownOutput: {
    method: "POST",
    path: `${jobPath}/outputs`,
    summary: "Bring an output by its hash",
    description: "Works when the job's own workspace has these bytes; else `blob_not_found`: bring the bytes.",
    params: ofJob,
    body: jsonBody(OutputByHash),
    answers: { 200: answer(KeptOutput, "It is the job's."), ...body, ...always },
  },
  keepOutput: {
    method: "PUT",
    path: `${jobPath}/outputs`,
    summary: "Bring the bytes of an output",
    params: ofJob,
    query: OutputQuery,
    body: bytesBody("application/octet-stream"),
    answers: {
      200: answer(KeptOutput, "It is the job's."),
      ...genericFaults(409),
      507: genericFault[503],
      ...body,
      ...always,
    },
  },
  finishJob: {
    method: "POST",
    path: `${jobPath}/finish`,
    summary: "End a job's attempt",
    params: ofJob,
    body: jsonBody(FinishJob),
    answers: { 204: emptyAnswer("It ended, or waits for its next attempt."), ...body, ...always },
  },
  giveBackJob: {
    method: "POST",
    path: `${jobPath}/give-back`,
    summary: "Give a job back",
    description: "It waits again, and the attempt does not count.",
    params: ofJob,
    answers: { 204: emptyAnswer("It is not this worker's any more."), ...always },
  },
});

const adminAlways = genericFaults(401, 403, 429, 500, 503);

const administration = { tag: tags.administration, access: "admin" } as const;

export const workerAdministrationOperations = operationTable(administration, {
  listWorkerTokens: {
    method: "GET",
    path: "/admin/worker-tokens",
    summary: "List the workers' tokens",
    answers: { 200: answer(WorkerTokenList, "All of them, revoked ones included."), ...adminAlways },
  },
  createWorkerToken: {
    method: "POST",
    path: "/admin/worker-tokens",
    summary: "Make a worker's token",
    description: "The answer shows the token this one time. Names are unique among the tokens that work.",
    body: jsonBody(CreateWorkerToken),
    answers: {
      201: answer(CreatedWorkerToken, "It works from now on."),
      ...genericFaults(409),
      ...body,
      ...adminAlways,
    },
  },
  revokeWorkerToken: {
    method: "DELETE",
    path: "/admin/worker-tokens/{tokenId}",
    summary: "Revoke a worker's token",
    description: "Its workers are shut out within two seconds; what they have runs elsewhere when its lease is over.",
    params: Type.Object({ tokenId: Uuid }),
    answers: { 204: emptyAnswer("It no longer works."), ...genericFaults(404), ...adminAlways },
  },
  listPoolWorkers: {
    method: "GET",
    path: "/admin/pools/{poolId}/workers",
    summary: "List the workers of a pool that are here now",
    description: "A deployment's pool has the deployment's id; the word `shared` names the managed surface's.",
    params: Type.Object({ poolId: Type.String({ minLength: 1, description: "The pool's id, or `shared`." }) }),
    answers: { 200: answer(PoolWorkerList, "None: nobody works for it now."), ...genericFaults(404), ...adminAlways },
  },
});
