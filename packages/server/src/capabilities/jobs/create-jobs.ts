// Assembles the capability: what it needs from outside and what it offers.
import type { Bus } from "../../foundation/bus/bus.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Cursors } from "../../foundation/cursor.ts";
import type { ChangeAudit } from "../../foundation/database/acting.ts";
import { type Database, groupCommit } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import type { Metrics } from "../../foundation/metrics.ts";
import type { Tracer } from "../../foundation/tracing/index.ts";
import type { Assets } from "../assets/index.ts";
import type { Limits } from "../limits/index.ts";
import type { Sealer } from "../secrets/index.ts";
import type { WorkerPortDeps } from "./attempts/create-worker-port.ts";
import { createWorkerPort } from "./attempts/create-worker-port.ts";
import { removeOver, runUpkeep, sweepOnce, type UpkeepDeps } from "./attempts/upkeep.work.ts";
import { changeJobs, type JobNotifier } from "./changes/change-jobs.ts";
import { createJobHints, type JobHints } from "./changes/job-hints.ts";
import { runningCounts } from "./changes/running-counts.ts";
import { findGraphs } from "./dispatch/claim-store.ts";
import { createKnownNeeds } from "./dispatch/known-needs.ts";
import { createLaneFronts, type LaneFronts, positionBound } from "./dispatch/lane-fronts.ts";
import { createJobQueue } from "./dispatch/pause-queue.ts";
import { countLanes, readFronts } from "./dispatch/ready-store.ts";
import type { Job, JobId } from "./job.ts";
import { createJobCharges, withCharges } from "./job-charges.ts";
import { registerJobMetrics } from "./job-metrics.ts";
import { createJobRuns } from "./job-runs.ts";
import { cancelStep } from "./job-steps.ts";
import {
  findChangedJobs,
  findGraph,
  findJobs,
  findPngInfo,
  findPreview,
  findUnchangedJobs,
  findWatchedJobs,
  type JobLocator,
} from "./job-store.ts";
import type { Jobs, RequestedJob } from "./jobs.ts";
import { countRunning, listHeldJobs } from "./lease-store.ts";
import { listJobs } from "./list-jobs.ts";
import { clearFromHistory, findJobByKey, findNamedJob, isCleared, listJobsBy } from "./list-store.ts";
import { LiveState } from "./live/live-state.ts";
import { writeLive } from "./live/live-store.ts";
import { WatchHub } from "./live/watch-hub.ts";
import { removeOutput } from "./outputs/remove-output.ts";
import { OutputSender, type OutputSenderDeps, runSender } from "./outputs/send-outputs.ts";
import { createQueueDepth, type LaneName } from "./queue-depth.ts";
import { createReadJobs, type ReadJobs } from "./read-jobs.ts";
import { createSubmitJobs } from "./submitting/submit-jobs.ts";

export interface JobsDeps {
  // Ideally with its own connections, opened with `jobPlannerSettings`.
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly bus: Bus;
  readonly assets: Pick<
    Assets,
    "receive" | "fromHash" | "hold" | "holdMany" | "isHeld" | "releaseMany" | "releaseOne" | "remove"
  >;
  readonly limits: Pick<Limits, "limitOf">;
  readonly sealer: Sealer;
  readonly cursors: Cursors;
  // Records who paused or resumed a queue. If absent, nothing is recorded.
  readonly audit?: ChangeAudit;
  // Sends outputs to the targets of submissions. If absent, outputs wait for a process that can send them.
  readonly outputs?: Pick<OutputSenderDeps, "assets" | "client" | "sign" | "userAgent">;
  // Called after a cancel began. Nothing waits for it.
  readonly cancelBegan?: (jobs: { readonly workspaceId: WorkspaceId; readonly jobIds: readonly JobId[] }) => void;
  // Sends webhooks of jobs. If absent, none are sent.
  readonly notifier?: JobNotifier;
  readonly metrics?: Pick<Metrics, "gauge" | "counter" | "registry">;
  readonly settings?: Partial<JobSettings>;
  // Null or absent: no traces.
  readonly tracer?: Tracer | null;
}

export interface JobSettings {
  readonly leaseSeconds: number;
  readonly sweepSeconds: number;
  readonly attemptsMax: number;
  // From creation to expires_at.
  readonly keepSeconds: number;
  // Micro-credits per second of running, taken from the part "run" of the hold.
  readonly runPricePerSecond: bigint;
  // Between 0 and 1: the share of all running jobs that one workspace gets while others wait.
  readonly workspaceShare: number;
}

const defaultJobSettings: JobSettings = {
  leaseSeconds: 45,
  sweepSeconds: 5,
  attemptsMax: 3,
  keepSeconds: 30 * 86_400,
  runPricePerSecond: 0n,
  workspaceShare: 0.5,
};

// The capability as a process uses it. Tests can run single rounds.
export interface RunningJobs extends Jobs {
  sweep(): Promise<void>;
  // One round of deliveries, including everything it starts.
  sendOutputs(signal: AbortSignal): Promise<void>;
}

const silentNotifier: JobNotifier = { enqueue: async () => [], wake: () => undefined };

export function createJobs(given: JobsDeps): RunningJobs {
  const settings = { ...defaultJobSettings, ...given.settings };
  const { database, clock, log } = given;
  const hints = createJobHints(given.bus);
  const { fronts, depth, running } = laneCounters(given);
  const { reads, hub, needs } = readersOf(given, hints, fronts);
  const meter = given.metrics && registerJobMetrics(given.metrics, { database, clock, watched: () => hub.size });
  const live = new LiveState({ clock, log, hints, write: (news) => writeLive(database, news) });
  const deps: WorkerPortDeps & UpkeepDeps & Pick<JobsDeps, "assets"> = {
    ...given,
    ...settings,
    notifier: given.notifier ?? silentNotifier,
    hints,
    live,
    running,
    onLeftQueue: (job) => fronts.left(job, { jobId: job.id, rank: -job.priority }),
    onNodes: (nodes) => meter?.nodesEnded(nodes),
    onClaimed: (waitedMs) => meter?.claimed(waitedMs),
    onSwept: (jobs) => meter?.swept(jobs),
  };
  const submitting = createSubmitJobs({
    ...deps,
    tracer: given.tracer ?? null,
    rules: settings,
    depth,
    find: ({ jobId, submission: { workspaceId, poolId } }) => reads.get({ jobId, workspaceId, poolId }),
    withPosition: (job) => {
      fronts.joined(job, { jobId: job.id, rank: -job.priority });
      return reads.withPosition(job);
    },
    async forget(jobId) {
      await removeOver(deps, [jobId]);
    },
  });
  const workers = createWorkerPort(deps);
  const sender =
    given.outputs &&
    new OutputSender({ ...given, ...given.outputs, onAttempt: (outcome) => meter?.outputSent(outcome) });
  return {
    submit: (submission) => submitting.submit(needs.learn(submission)),
    needsOf: (asked) => needs.of(asked.map(({ id, needsId }) => ({ jobId: id, needsId: needsId ?? null }))),
    get: (requested) => getJob(reads, requested),
    list: (asked) => {
      const list = (filter: Parameters<typeof listJobsBy>[1]) => listJobsBy(database, filter);
      return listJobs({ cursors: given.cursors, list, withPosition: reads.withPosition }, asked);
    },
    onReady: (receive) => hints.onReady(({ poolId }) => receive(poolId)),
    charges: createJobCharges(database),
    runs: createJobRuns(database),
    async workflow(requested) {
      const graph = await findGraph(database, known(requested));
      if (graph === null) throw noSuchJob();
      return graph;
    },
    ...historyOf(database),
    preview: async (requested) => findPreview(database, (await getJob(reads, requested)).id),
    async cancel(requested) {
      const begun = await cancel(deps, { ...requested, jobIds: [known(requested).jobId] });
      return { job: await getJob(reads, requested), begun: begun.length > 0 };
    },
    cancelMany: (asked) => cancel(deps, asked),
    removeOutput: (removed) => removeOutput({ ...deps, forget: reads.forget }, removed),
    watch: (jobId, receive) => hub.watch(jobId, receive),
    queue: createJobQueue({ database, hints, ...(given.audit ? { audit: given.audit } : {}) }),
    workers,
    sweep: () => sweepOnce(deps),
    sendOutputs: (signal) => sendAll(sender ?? null, signal),
    async run(background, signal) {
      await Promise.all([runUpkeep(deps, background, signal), sender && runSender(sender, background, signal)]);
    },
    async close() {
      hub.close();
      live.close();
      await Promise.all([submitting.close(), workers.close(), reads.close()]);
      hints.close();
    },
  };
}

async function sendAll(sender: OutputSender | null, signal: AbortSignal): Promise<void> {
  await sender?.round(signal);
  await sender?.idle();
}

// What runs now, and reading and clearing what has run.
function historyOf(
  database: Database,
): Pick<Jobs, "findAnywhere" | "findByKey" | "pngInfo" | "isCleared" | "clearHistory" | "held"> {
  return {
    held: (poolId) => listHeldJobs(database, poolId, 1_000),
    findAnywhere: (wanted) => findNamedJob(database, wanted),
    findByKey: (wanted) => findJobByKey(database, wanted),
    pngInfo: (requested) => findPngInfo(database, known(requested)),
    isCleared: (wanted) => isCleared(database, wanted),
    clearHistory: (asked) => clearFromHistory(database, asked),
  };
}

// Read access to jobs for callers: a single read, or a watch.
function readersOf({ database, clock, log }: JobsDeps, hints: JobHints, fronts: LaneFronts) {
  const reads = createReadJobs({
    clock,
    fronts,
    find: async (locators) => {
      const found = await findJobs(database, locators);
      return new Map((await withCharges(database, [...found.values()])).map((one) => [one.job.id, one]));
    },
    findUnchanged: (known) => findUnchangedJobs(database, known),
  });
  const hub = new WatchHub({
    clock,
    log,
    hints,
    read: async (jobIds) => {
      const found = await findWatchedJobs(database, jobIds);
      for (const [id, one] of found) found.set(id, { ...one, job: await reads.withPosition(one.job) });
      return found;
    },
    findChanged: (watched) => findChangedJobs(database, watched),
    findPreview: (jobId) => findPreview(database, jobId),
    withPosition: (job) => reads.withPosition(job),
  });
  return { reads, hub, needs: createKnownNeeds((jobIds) => findGraphs(database, jobIds)) };
}

// Lookups of many lanes are batched, like the reads and submissions that need them.
function laneCounters({ database, clock, limits }: JobsDeps) {
  const reading = groupCommit({
    maxBatch: 64,
    inFlight: 1,
    run: (lanes: readonly LaneName[]) => readFronts(database, lanes, positionBound),
  });
  const counting = groupCommit({
    maxBatch: 64,
    inFlight: 1,
    run: (lanes: readonly { lane: LaneName; bound: number }[]) => countLanes(database, lanes),
  });
  return {
    fronts: createLaneFronts({ clock, read: reading }),
    depth: createQueueDepth({
      clock,
      limitOf: (workspaceId) => limits.limitOf(workspaceId, "jobs"),
      count: (lane, bound) => counting({ lane, bound }),
    }),
    running: runningCounts({ clock, count: (poolId) => countRunning(database, poolId) }),
  };
}

function noSuchJob(): Fault {
  return new Fault("not_found", "There is no such job.");
}

function known(requested: RequestedJob): JobLocator {
  const { jobId, workspaceId, poolId } = requested;
  if (jobId === null) throw noSuchJob();
  return { jobId, workspaceId, poolId };
}

async function getJob(reads: ReadJobs, requested: RequestedJob): Promise<Job> {
  const job = await reads.get(known(requested));
  if (job === null) throw noSuchJob();
  return job;
}

// Either all jobs are known or nothing is canceled. Decided under the locks.
async function cancel(
  deps: WorkerPortDeps & Pick<JobsDeps, "cancelBegan">,
  asked: Omit<RequestedJob, "jobId"> & { readonly jobIds: readonly JobId[] },
): Promise<JobId[]> {
  const jobIds = [...new Set(asked.jobIds)];
  const changed = await changeJobs(
    deps,
    jobIds.map((jobId) => ({ jobId, decide: cancelStep })),
    {
      check: async (tx) => {
        const shown = await findJobs(
          tx,
          jobIds.map((jobId) => ({ jobId, workspaceId: asked.workspaceId, poolId: asked.poolId })),
        );
        if (shown.size < jobIds.length) throw noSuchJob();
      },
    },
  );
  const begun = jobIds.filter((jobId) => changed.has(jobId));
  if (begun.length > 0) deps.cancelBegan?.({ workspaceId: asked.workspaceId, jobIds: begun });
  return begun;
}
