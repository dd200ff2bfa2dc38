// Every change of a job's state goes through here. The jobs are locked, the rules decide, and all consequences (queue,
// lease, held assets, credits, the webhook's event, the erased secret) are written in the same transaction. Afterwards
// waiters get a hint; it may get lost, because they also poll.
import type { Database, Queryable } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { Tags } from "../../../foundation/json/labels.ts";
import type { Assets } from "../../assets/index.ts";
import type { ReservationEnd } from "../../calls/index.ts";
import { endReservations } from "../../calls/shared-sql.ts";
import { type Job, type JobId, terminalStates } from "../job.ts";
import type { JobStep, LockedJob } from "../job-steps.ts";
import { findJobs } from "../job-store.ts";
import { type JobWrite, lockJobs, lockLeases, writeSteps } from "./change-store.ts";
import type { JobHints } from "./job-hints.ts";
import type { RunningCounts } from "./running-counts.ts";

export const inputHolder = "job-input";
export const outputHolder = "job-output";

// A change of state to send to a webhook.
export interface JobNotice {
  // The job as a read shows it after the change.
  readonly job: Job;
  // 1 for the first change after creation, then without gaps.
  readonly sequence: number;
  // Null: only for endpoints of its workspace.
  readonly webhookUrl: string | null;
  readonly tags: Tags | null;
}

type NoticeAddress = { readonly workspaceId: WorkspaceId; readonly url: string };

export interface JobNotifier {
  // Returns where the notices go.
  enqueue(tx: Queryable, notices: readonly JobNotice[]): Promise<readonly NoticeAddress[]>;
  // Called after the commit. Only a hint.
  wake(addresses: readonly NoticeAddress[]): void;
}

export interface ChangeDeps {
  readonly database: Database;
  readonly assets: Pick<Assets, "releaseMany">;
  readonly notifier: JobNotifier;
  readonly hints: JobHints;
  readonly leaseSeconds: number;
  // Micro-credits per second of running. 0 means runs are free.
  readonly runPricePerSecond: bigint;
  onLeftQueue(job: LockedJob): void;
  readonly running: Pick<RunningCounts, "changed">;
}

export interface JobEvent {
  readonly jobId: JobId;
  // Null if nothing changes.
  decide(job: LockedJob): JobStep | null;
}

export interface ChangeOptions {
  readonly skipLocked?: boolean;
  readonly isClaim?: boolean;
  // Inspects the locked jobs before anything is decided. Throwing aborts the whole change.
  readonly check?: (tx: Queryable, jobs: ReadonlyMap<JobId, LockedJob>) => Promise<void>;
  // Extra reads in the same transaction, sent right behind the writes, so that no round trip waits for another. Not for jobs
  // that end: writing those takes several statements.
  readonly also?: (tx: Queryable, changed: readonly JobWrite[]) => Promise<void>;
}

// Each job at most once. Returns the changed jobs. A job is missing if it is unknown, locked elsewhere, or nothing changed.
export async function changeJobs(
  deps: ChangeDeps,
  events: readonly JobEvent[],
  options: ChangeOptions = {},
): Promise<ReadonlyMap<JobId, JobWrite>> {
  if (events.length === 0) return new Map();
  let told: readonly NoticeAddress[] = [];
  const changed = await deps.database.transaction(async (tx) => {
    const locked = await lockJobs(
      tx,
      events.map(({ jobId }) => jobId),
      { skipLocked: options.skipLocked ?? false, isClaim: options.isClaim ?? false },
    );
    await options.check?.(tx, locked);
    const writes = decideAll(events, locked);
    if (writes.length > 0) [told] = await Promise.all([write(deps, tx, writes), options.also?.(tx, writes)]);
    return writes;
  });
  if (told.length > 0) deps.notifier.wake(told);
  deps.hints.changed(changed.map(({ job }) => job.id));
  for (const { job, step } of changed) {
    if (job.state === "queued") deps.onLeftQueue(job);
    const [ran, runs] = [job.workerId !== null, step.workerId !== null];
    if (ran !== runs) deps.running.changed(job, runs ? 1 : -1);
  }
  // A job that waits for its time needs no hint: a look finds it then.
  deps.hints.ready(changed.flatMap(({ job, step }) => (step.readyAfterSeconds === 0 ? [job] : [])));
  return new Map(changed.map((one) => [one.job.id, one]));
}

function decideAll(events: readonly JobEvent[], locked: ReadonlyMap<JobId, LockedJob>): JobWrite[] {
  const done = new Set<JobId>();
  return events.flatMap(({ jobId, decide }) => {
    const job = locked.get(jobId);
    if (!job || done.has(jobId)) return [];
    const step = decide(job);
    if (step === null) return [];
    done.add(jobId);
    return [{ job, step }];
  });
}

async function write(deps: ChangeDeps, tx: Queryable, writes: readonly JobWrite[]): Promise<readonly NoticeAddress[]> {
  const ended = writes.filter(({ step }) => terminalStates.has(step.state));
  const leased = ended.filter(({ job }) => job.workerId !== null).map(({ job }) => job.id);
  const locking = leased.length > 0 ? lockLeases(tx, leased) : undefined;
  await Promise.all([locking, writeSteps(tx, writes, deps.leaseSeconds)]);
  const holders = ended.filter(({ job }) => job.holdsAssets).map(({ job }) => job.id);
  if (holders.length > 0) await deps.assets.releaseMany(tx, inputHolder, holders);
  const notices = await noticesOf(tx, writes);
  const told = notices.length > 0 ? await deps.notifier.enqueue(tx, notices) : [];
  // Wallets last, because everything a workspace does shares them.
  const paying = ended.filter(({ job }) => job.holdsCredits);
  if (paying.length > 0) {
    await endReservations(
      tx,
      paying.map((one) => reservationEnd(deps, one)),
    );
  }
  return told;
}

async function noticesOf(tx: Queryable, writes: readonly JobWrite[]): Promise<JobNotice[]> {
  const wanted = writes.filter(
    ({ job, step }) => job.webhookUrl !== null || job.endpointTypes?.includes(`job.${step.state}`),
  );
  if (wanted.length === 0) return [];
  const jobs = await findJobs(
    tx,
    wanted.map(({ job }) => ({ jobId: job.id, workspaceId: job.workspaceId, poolId: job.poolId })),
  );
  return wanted.flatMap(({ job }) => {
    const now = jobs.get(job.id);
    const { webhookUrl, labels } = job;
    return now ? [{ job: now.job, sequence: job.sequence + 1, webhookUrl, tags: labels?.tags ?? null }] : [];
  });
}

function reservationEnd(deps: ChangeDeps, { job, step }: JobWrite): ReservationEnd {
  const milliseconds = Math.max(0, Math.round(step.chargedSeconds * 1000));
  return {
    holderId: job.id,
    workspaceId: job.workspaceId,
    part: null,
    charge: (BigInt(milliseconds) * deps.runPricePerSecond) / 1000n,
    usage: { apiKeyId: job.apiKeyId, subject: "job", outcome: step.state, totalMs: milliseconds },
  };
}
