// The API for workers outside. They call us, never the other way round, so they work behind any firewall. Every operation needs
// a worker token; one about a job accepts only the worker that has the job, under the attempt it was given.
import { Type } from "typebox";
import { headerName } from "../headers.ts";
import { operationTable } from "../operation.ts";
import { EnvironmentLock } from "../operators/environments.ts";
import {
  CancelsSeen,
  ChangePool,
  ChangePoolWorker,
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
  Pool,
  PoolWorkerList,
  ReportProgress,
  ReportScaler,
  ReportWorker,
  ScalerOrders,
  WatchCancels,
  WorkerEnvironment,
  WorkerStanding,
  WorkerTokenList,
} from "../operators/workers.ts";
import { Uuid } from "../wire-values.ts";
import {
  answer,
  bytesBody,
  emptyAnswer,
  genericFault,
  genericFaults,
  jsonBody,
  ofAdministration,
  rawAnswer,
} from "./answers.ts";
import { tags } from "./tags.ts";

const params = Type.Object({ workerId: Uuid });
const ofJob = Type.Object({
  workerId: Uuid,
  jobId: Uuid,
  attempt: Type.String({ pattern: "^[1-9][0-9]{0,6}$", description: "The job's current attempt." }),
});
const jobPath = "/api/workers/{workerId}/jobs/{jobId}/{attempt}";

const common = { tag: tags.workers, access: "worker", refusals: genericFault } as const;

export const workerOperations = operationTable(common, {
  reportWorker: {
    method: "PUT",
    path: "/api/workers/{workerId}",
    summary: "Register a worker",
    description: "The worker chooses its id. The id stays bound to the token that first used it.",
    params,
    body: jsonBody(ReportWorker),
    answers: { 200: answer(WorkerStanding, "Registered."), ...genericFaults(409) },
  },
  leavePool: {
    method: "DELETE",
    path: "/api/workers/{workerId}",
    summary: "Unregister a worker",
    params,
    answers: { 204: emptyAnswer("Unregistered.") },
  },
  describeEnvironment: {
    method: "PUT",
    path: "/api/workers/{workerId}/environment",
    summary: "Describe what a worker can run",
    description: "Needed once for all identical workers. Submitted graphs are checked against it.",
    params,
    body: jsonBody(WorkerEnvironment),
    answers: { 204: emptyAnswer("Registered.") },
  },
  reportScaler: {
    method: "PUT",
    path: "/api/workers/scalers/{scalerId}",
    summary: "Report what a scaler does, and wait for how many workers are wanted",
    description: "Answers as soon as the number differs from known_wanted, at the latest after wait_ms.",
    params: Type.Object({ scalerId: Uuid }),
    body: jsonBody(ReportScaler),
    answers: { 200: answer(ScalerOrders, "How many workers to have.") },
  },
  readPinnedLock: {
    method: "GET",
    path: "/api/workers/{workerId}/lock",
    summary: "Read the lock that a worker must equal",
    params,
    answers: { 200: answer(EnvironmentLock, "The lock pinned for its pool.") },
  },
  claimJobs: {
    method: "POST",
    path: "/api/workers/{workerId}/claims",
    summary: "Claim jobs",
    description: "Waits until there is a job this worker can run, or the wait times out.",
    params,
    body: jsonBody(ClaimWork),
    answers: { 200: answer(LeasedJobList, "The claimed jobs.") },
  },
  listLeasedJobs: {
    method: "GET",
    path: "/api/workers/{workerId}/jobs",
    summary: "List the jobs a worker holds",
    description: "For a worker that restarted or lost the response to a claim.",
    params,
    answers: { 200: answer(LeasedJobList, "The jobs, each with its attempt.") },
  },
  sendHeartbeat: {
    method: "POST",
    path: "/api/workers/{workerId}/heartbeats",
    summary: "Send a heartbeat for jobs",
    params,
    body: jsonBody(HeartbeatLeases),
    answers: { 200: answer(LeaseStates, "The state of each job.") },
  },
  watchCancels: {
    method: "POST",
    path: "/api/workers/{workerId}/cancels",
    summary: "Wait for jobs to be canceled",
    params,
    body: jsonBody(WatchCancels),
    answers: { 200: answer(CancelsSeen, "The jobs to stop.") },
  },
  reportProgress: {
    method: "POST",
    path: "/api/workers/{workerId}/progress",
    summary: "Report job progress",
    params,
    body: jsonBody(ReportProgress),
    answers: { 204: emptyAnswer("Accepted, unless it was stale.") },
  },
  reportPreview: {
    method: "PUT",
    path: `${jobPath}/preview`,
    summary: "Send a live preview",
    description: "The bytes of an image. Best effort: the newest wins.",
    params: ofJob,
    query: Type.Object({ node_id: Type.String({ minLength: 1, maxLength: 255, description: "The node." }) }),
    body: bytesBody("application/octet-stream"),
    answers: { 204: emptyAnswer("Accepted, unless it was stale.") },
  },
  readJobInput: {
    method: "GET",
    path: `${jobPath}/inputs/{assetId}`,
    summary: "Download an input file of a job",
    params: Type.Object({ ...ofJob.properties, assetId: Uuid }),
    answers: { 200: rawAnswer("application/octet-stream", "Its bytes.", [headerName.etag]) },
  },
  keepKnownOutput: {
    method: "POST",
    path: `${jobPath}/outputs`,
    summary: "Add an output by its hash",
    description: "Works if the job's workspace already has these bytes. On `blob_not_found`, upload the bytes instead.",
    params: ofJob,
    body: jsonBody(OutputByHash),
    answers: { 200: answer(KeptOutput, "Added to the job.") },
  },
  keepOutput: {
    method: "PUT",
    path: `${jobPath}/outputs`,
    summary: "Upload an output",
    params: ofJob,
    query: OutputQuery,
    body: bytesBody("application/octet-stream"),
    answers: { 200: answer(KeptOutput, "Added to the job."), 507: genericFault[503], ...genericFaults(409) },
  },
  finishJob: {
    method: "POST",
    path: `${jobPath}/finish`,
    summary: "End a job's attempt",
    params: ofJob,
    body: jsonBody(FinishJob),
    answers: { 204: emptyAnswer("The job ended, or waits for its next attempt.") },
  },
  giveBackJob: {
    method: "POST",
    path: `${jobPath}/give-back`,
    summary: "Return a job",
    description: "The job is queued again, and the attempt does not count.",
    params: ofJob,
    answers: { 204: emptyAnswer("Returned.") },
  },
});

const ofPool = Type.Object({ poolId: Type.String({ minLength: 1, description: "The pool's id, or `shared`." }) });

export const workerAdministrationOperations = operationTable(ofAdministration, {
  listWorkerTokens: {
    method: "GET",
    path: "/admin/worker-tokens",
    summary: "List worker tokens",
    answers: { 200: answer(WorkerTokenList, "All tokens, including revoked ones.") },
  },
  createWorkerToken: {
    method: "POST",
    path: "/admin/worker-tokens",
    summary: "Create a worker token",
    description: "The token is only shown in this response. Names are unique among active tokens.",
    body: jsonBody(CreateWorkerToken),
    answers: { 201: answer(CreatedWorkerToken, "The token works immediately."), ...genericFaults(409) },
  },
  revokeWorkerToken: {
    method: "DELETE",
    path: "/admin/worker-tokens/{tokenId}",
    summary: "Revoke a worker token",
    description: "Its workers are locked out within two seconds. Their jobs run elsewhere once the leases expire.",
    params: Type.Object({ tokenId: Uuid }),
    answers: { 204: emptyAnswer("The token no longer works.") },
  },
  getPool: {
    method: "GET",
    path: "/admin/pools/{poolId}",
    summary: "Read a pool",
    params: ofPool,
    answers: { 200: answer(Pool, "The pool.") },
  },
  changePool: {
    method: "PATCH",
    path: "/admin/pools/{poolId}",
    summary: "Pin a lock for a pool",
    description:
      "Workers beside an application whose folder differs from the lock get no more jobs; running jobs finish. On a deployment's pool this changes environment.lock_id of the deployment.",
    params: ofPool,
    body: jsonBody(ChangePool),
    answers: { 200: answer(Pool, "Changed.") },
  },
  listPoolWorkers: {
    method: "GET",
    path: "/admin/pools/{poolId}/workers",
    summary: "List the connected workers of a pool",
    description: "A deployment's pool has the deployment's id. Use `shared` for the pool of the managed cloud.",
    params: ofPool,
    answers: { 200: answer(PoolWorkerList, "The workers. Empty if no worker is connected.") },
  },
  changePoolWorker: {
    method: "PATCH",
    path: "/admin/pools/{poolId}/workers/{workerId}",
    summary: "Drain a worker, or let it take jobs again",
    description:
      "Takes effect within five seconds; a claim that is already waiting may still get a job. Lasts until it is changed or the worker comes back under another id, as the server's own worker does when it restarts.",
    params: Type.Object({
      poolId: Type.String({ minLength: 1, description: "The pool's id, or `shared`." }),
      workerId: Uuid,
    }),
    body: jsonBody(ChangePoolWorker),
    answers: { 204: emptyAnswer("Changed.") },
  },
});
