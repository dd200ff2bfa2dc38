// The job routes of v2; they only translate. Credits, model browsing and queue management are not part of v2.
import { limits as contractLimits, type Job as JobBody, operations } from "@atelier/contract";
import type { FindAwaited } from "../../../capabilities/graphs/index.ts";
import {
  type ExecutedGraph,
  type Job,
  type Jobs,
  type RequestedJob,
  terminalStates,
} from "../../../capabilities/jobs/index.ts";
import type { Limits } from "../../../capabilities/limits/index.ts";
import { creditsText, readMaxCredits } from "../../../capabilities/prices/index.ts";
import type { Clock } from "../../../foundation/clock.ts";
import { Fault } from "../../../foundation/fault.ts";
import {
  type BytesAnswer,
  type HeaderValues,
  type Incoming,
  jsonAnswer,
  type Route,
  route,
} from "../../../foundation/http/area.ts";
import { requireMediaType } from "../../../foundation/http/body/read-body.ts";
import { readIdempotencyKey } from "../../../foundation/http/idempotency-key.ts";
import { parseId } from "../../../foundation/ids.ts";
import { readLabels } from "../../../foundation/json/labels.ts";
import { nextTurn } from "../../../foundation/json/large-json.ts";
import { largeBytesMin } from "../../../foundation/own-thread.ts";
import type { Surface, WorkflowCaller } from "../surface.ts";
import { convertWorkflow } from "./convert-workflow.ts";
import { followJob } from "./follow-job.ts";
import { createJobAnswers, type JobAnswers } from "./job-answers.ts";
import { createJobBroadcasts } from "./job-broadcasts.ts";
import { presentJob, presentJobPage } from "./present-job.ts";
import { readCancelMany } from "./read-cancel-many.ts";
import { readJobQuery } from "./read-job-query.ts";
import { graphReading } from "./read-submission.ts";
import { requireFitting } from "./require-fitting.ts";
import { isKnownKey } from "./require-within-limit.ts";
import type { StreamQuota } from "./stream-quota.ts";
import { type SubmitJobDeps, submitJob } from "./submit-job.ts";

export interface JobRouteDeps extends SubmitJobDeps {
  readonly surface: Surface;
  readonly jobs: Pick<
    Jobs,
    | ("submit" | "get" | "list" | "workflow" | "preview" | "cancel" | "cancelMany" | "watch")
    | ("pngInfo" | "isCleared" | "clearHistory")
  >;
  readonly limits: Pick<Limits, "limitOf">;
  // Shared by all surfaces of the process.
  readonly streamQuota: StreamQuota;
  readonly clock: Clock;
  // Which worker each of the jobs waits for. Null if none.
  readonly awaited: FindAwaited;
}

type Request = Incoming<WorkflowCaller>;
type JobRoute = Route<WorkflowCaller>;

export function jobRoutes(deps: JobRouteDeps): readonly JobRoute[] {
  return [
    ...writingRoutes(deps),
    ...readingRoutes(deps),
    ...(deps.surface.executedGraph ? [getExecutedWorkflowRoute(deps)] : []),
  ];
}

function writingRoutes(deps: JobRouteDeps): JobRoute[] {
  return [
    submitJobRoute(deps),
    cancelJobRoute(deps),
    cancelOneJobRoute(deps),
    cancelManyJobsRoute(deps),
    convertWorkflowRoute(deps),
  ];
}

export function submitJobRoute(deps: JobRouteDeps): JobRoute {
  return {
    operation: operations.submitJob,
    bodyBytesMax: contractLimits.jobBodyBytesMax,
    handle: (it) => submit(deps, it),
  };
}

export function cancelJobRoute(deps: JobRouteDeps): JobRoute {
  const { jobs, surface } = deps;
  return route(operations.cancelJob, async (it) => {
    const { job } = await jobs.cancel(requestedJob(deps, it, "id"));
    return jsonAnswer(200, presentJob(surface, job, it), headersOf(surface, job));
  });
}

export function cancelOneJobRoute(deps: JobRouteDeps): JobRoute {
  return route(operations.cancelOneJob, async (it) =>
    fresh({ cancelled: (await deps.jobs.cancel(requestedJob(deps, it, "job_id"))).begun }),
  );
}

export function cancelManyJobsRoute({ jobs, surface }: JobRouteDeps): JobRoute {
  return route(operations.cancelManyJobs, async (it) => {
    const jobIds = readCancelMany(await it.json());
    const { workspaceId } = it.caller;
    return fresh({ cancelled: await jobs.cancelMany({ workspaceId, poolId: surface.poolId, jobIds }) });
  });
}

export function convertWorkflowRoute(deps: JobRouteDeps): JobRoute {
  return {
    operation: operations.convertWorkflow,
    bodyBytesMax: contractLimits.jobBodyBytesMax,
    async handle(it) {
      requireMediaType(it.headers, "application/json");
      const bytes = await it.bytes();
      const read = await deps.bodies.read(bytes, graphReading, it.caller.workspaceId);
      const rest = bytes.byteLength > largeBytesMin ? nextTurn : () => undefined;
      return { status: 200, headers: jsonHeaders, body: await convertWorkflow(deps.graphs, read, rest) };
    },
  };
}

function readingRoutes(deps: JobRouteDeps): JobRoute[] {
  const answers = createJobAnswers(deps);
  const broadcasts = createJobBroadcasts(deps);
  return [
    listJobsRoute(deps),
    getJobRoute(deps, answers),
    getJobWorkflowRoute(deps),
    getJobPreviewRoute(deps),
    followJobEventsRoute(deps, broadcasts),
  ];
}

export function listJobsRoute({ jobs, surface, awaited }: JobRouteDeps): JobRoute {
  return route(operations.listJobs, async (it) => {
    const asked = readJobQuery(it.query, it.queryText);
    const page = await jobs.list({ ...asked, workspaceId: it.caller.workspaceId, poolId: surface.poolId });
    return fresh(presentJobPage(surface, { ...page, awaited: await awaited(page.jobs), limit: asked.limit }, it));
  });
}

export function getJobRoute(deps: JobRouteDeps, answers: ReturnType<typeof createJobAnswers>): JobRoute {
  return route(operations.getJob, (it) => readJob(deps, answers, it));
}

export function getJobWorkflowRoute(deps: JobRouteDeps): JobRoute {
  return route(operations.getJobWorkflow, async (it) =>
    workflowAnswer(await deps.jobs.workflow(requestedJob(deps, it, "id"))),
  );
}

export function getJobPreviewRoute(deps: JobRouteDeps): JobRoute {
  return route(operations.getJobPreview, async (incoming) => {
    const preview = await deps.jobs.preview(requestedJob(deps, incoming, "id"));
    if (preview === null) throw new Fault("not_found", "This job has no preview right now.");
    const type = pictureTypes.has(preview.contentType) ? preview.contentType : "image/png";
    const headers = { "content-type": type, "cache-control": "no-store", "content-security-policy": "sandbox" };
    return { status: 200, headers, body: preview.bytes };
  });
}

export function followJobEventsRoute(deps: JobRouteDeps, broadcasts: ReturnType<typeof createJobBroadcasts>): JobRoute {
  return route(operations.followJobEvents, (it) =>
    followJob({ ...deps, broadcasts }, requestedJob(deps, it, "id"), it),
  );
}

// Spec, v2 endpoints: GET /workflow. Without an id, the caller's newest graph that was run.
export function getExecutedWorkflowRoute({ jobs, surface }: JobRouteDeps): JobRoute {
  return route(operations.getExecutedWorkflow, async ({ caller: { workspaceId }, query }) => {
    const [asked, ...more] = query.getAll("job_id");
    const of = { workspaceId, poolId: surface.poolId };
    if (asked !== undefined) {
      const jobId = more.length > 0 ? null : parseId<"job">(asked);
      return workflowAnswer(await jobs.workflow({ ...of, jobId }));
    }
    return workflowAnswer(await jobs.workflow({ ...of, jobId: await newestExecuted(jobs, of) }));
  });
}

// A canceled or expired job may or may not have run. After a hundred of those, only jobs that certainly ran are searched.
async function newestExecuted(
  jobs: JobRouteDeps["jobs"],
  of: Omit<RequestedJob, "jobId">,
): Promise<RequestedJob["jobId"]> {
  const ran = ["running", "canceling", "succeeded", "failed"] as const;
  const filter = { ...of, metadata: null, idempotencyKey: null, cursor: null };
  const latest = await jobs.list({ ...filter, states: [...ran, "canceled", "expired"], limit: 100 });
  const executed = latest.jobs.find(({ startedAt }) => startedAt !== null);
  if (executed || latest.nextCursor === null) return executed?.id ?? null;
  return (await jobs.list({ ...filter, states: ran, limit: 1 })).jobs[0]?.id ?? null;
}

async function submit(deps: JobRouteDeps, incoming: Request): Promise<BytesAnswer> {
  const { caller } = incoming;
  requireMediaType(incoming.headers, "application/json");
  const idempotencyKey = readIdempotencyKey(incoming.rawHeaders);
  const maxCredits = readMaxCredits(incoming.rawHeaders);
  const labels = { ...readLabels(incoming.rawHeaders), tags: null };
  const bytes = await incoming.bytes();
  await requireFitting(deps, caller, bytes);
  await requireOpen(deps, incoming, idempotencyKey);
  const { job, isReplay } = await submitJob(deps, { caller, bytes, idempotencyKey, maxCredits, labels });
  const [awaited] = await deps.awaited([job]);
  const body = presentJob(deps.surface, job, incoming, awaited);
  const replayed: HeaderValues = isReplay ? { "idempotent-replayed": "true" } : {};
  return jsonAnswer(201, body, { location: body.urls.self, ...headersOf(deps.surface, job), ...replayed });
}

// A key whose job exists is answered as always: the original submission was accepted while a worker was present.
async function requireOpen(deps: JobRouteDeps, { caller }: Request, idempotencyKey: string | null): Promise<void> {
  if (deps.surface.requireOpen === undefined) return;
  try {
    await deps.surface.requireOpen();
  } catch (fault) {
    if (!(await isKnownKey(deps, caller, idempotencyKey))) throw fault;
  }
}

async function readJob(deps: JobRouteDeps, answers: JobAnswers, incoming: Request): Promise<BytesAnswer> {
  const requested = requestedJob(deps, incoming, "id");
  const { jobId, workspaceId } = requested;
  const asked = jobId === null ? null : { jobId, workspaceId, host: incoming.headers.host };
  const known = asked && answers.find(asked);
  if (known) return known;
  const job = await deps.jobs.get(requested);
  const [awaited] = await deps.awaited([job]);
  const make = () => Buffer.from(JSON.stringify(presentJob(deps.surface, job, incoming, awaited)));
  // Workers come and go without changing the job, so these bytes are not cached.
  const body = awaited ? make() : answers.bytesOf(job, incoming.headers.host, make);
  // In an ended job, only pending deliveries still change.
  const isFinal = terminalStates.has(job.state) && (job.delivery?.pending ?? 0) === 0;
  const answer = { status: 200, headers: { ...jsonHeaders, ...headersOf(deps.surface, job) }, body };
  if (asked && isFinal) answers.keep(asked, answer, keptUntil(job));
  return answer;
}

// The cost of a job is known once it has ended.
function headersOf({ hasCredits }: Surface, { creditsUsed }: Job): HeaderValues {
  const cost = hasCredits && creditsUsed !== null ? { "x-service-credits-used": creditsText(creditsUsed) } : {};
  return { "cache-control": "no-store", ...cost };
}

// An expired job is answered for one more day; every other ended one until it expires.
function keptUntil({ state, expiresAt }: Job): Date {
  const extraHours = state === "expired" ? contractLimits.expiredJobKeptHours : 0;
  return new Date(expiresAt.getTime() + extraHours * 3_600_000);
}

// Types that a browser shows as an image and never as a page.
const pictureTypes = new Set(["image/png", "image/jpeg", "image/webp", "image/gif"]);

// The stored text is sent unchanged: parsing and writing it again would lose the digits of large integers.
function workflowAnswer({ graph, lockId }: ExecutedGraph): BytesAnswer {
  const lock = lockId === null ? "" : `,"lock_id":"${lockId}"`;
  const body = Buffer.concat([Buffer.from('{"workflow":'), graph, Buffer.from(`,"format":"api"${lock}}`)]);
  return { status: 200, headers: jsonHeaders, body };
}

// No shared cache may keep what only this caller may see, and it may be outdated a moment later.
const jsonHeaders = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" } as const;

function fresh(body: object | JobBody): BytesAnswer {
  return jsonAnswer(200, body, { "cache-control": "no-store" });
}

function requestedJob(deps: Pick<JobRouteDeps, "surface">, incoming: Request, name: string): RequestedJob {
  return {
    workspaceId: incoming.caller.workspaceId,
    poolId: deps.surface.poolId,
    jobId: parseId<"job">(incoming.params[name] ?? ""),
  };
}
