// Submission: many callers, one transaction. A plain submission is part of one statement. Submissions that hold assets or
// credits share a separate transaction, so neither kind waits for the other's locks. Callers are answered after COMMIT.
import type { Clock } from "../../../foundation/clock.ts";
import {
  CommitUnknown,
  type Database,
  type GroupCommit,
  groupCommit,
  isUniqueViolation,
  type Queryable,
} from "../../../foundation/database/index.ts";
import { newId } from "../../../foundation/ids.ts";
import type { Tracer } from "../../../foundation/tracing/index.ts";
import type { AssetId, Assets } from "../../assets/index.ts";
import { type ItemResult, runBatch, unwrap } from "../../calls/index.ts";
import { reserveCredits } from "../../calls/shared-sql.ts";
import type { Sealer } from "../../secrets/index.ts";
import { inputHolder } from "../changes/change-jobs.ts";
import type { JobHints } from "../changes/job-hints.ts";
import { sealContext } from "../extra-data.ts";
import type { Job, JobId, Submission, Submitted } from "../job.ts";
import { targetContext } from "../outputs/output-target.ts";
import type { QueueDepth } from "../queue-depth.ts";
import {
  findSubmitted,
  insertJobs,
  type NewJob,
  type SubmitRules,
  type SubmitVerdict,
  withdrawJobs,
} from "./submit-store.ts";

export interface SubmitDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly assets: Pick<Assets, "holdMany" | "releaseMany">;
  readonly sealer: Sealer;
  readonly hints: JobHints;
  readonly depth: QueueDepth;
  readonly rules: SubmitRules;
  // Null or absent: no traces.
  readonly tracer?: Tracer | null;
  // The job of a key, as a read shows it. Null if it is gone by now.
  find(locator: { jobId: JobId; submission: Submission }): Promise<Job | null>;
  // The same job with its position in the queue.
  withPosition(job: Job): Promise<Job>;
  // Removes a job that is past its retention.
  forget(jobId: JobId): Promise<void>;
}

type Verdict =
  | SubmitVerdict
  | { readonly kind: "no_credit"; readonly available: bigint }
  | { readonly kind: "missing_assets"; readonly assetIds: readonly AssetId[] };

export interface SubmitJobs {
  submit(submission: Submission): Promise<Submitted>;
  close(): Promise<void>;
}

// Hundreds of ten-megabyte graphs must not end up in one batch. Batching is meant for small ones.
const batchMax = 64;
const retryAfterSeconds = 5;

export function createSubmitJobs(deps: SubmitDeps): SubmitJobs {
  const plain = batches(deps, (jobs) => insertJobs(deps.database, jobs, deps.rules));
  const involved = batches(deps, (jobs) => deps.database.transaction((tx) => insertInvolved(deps, tx, jobs)));

  async function submit(submission: Submission): Promise<Submitted> {
    const id = submission.id ?? newId<"job">(deps.clock.now().getTime());
    const envelope =
      submission.extraData === null
        ? null
        : deps.sealer.seal(sealContext(submission.workspaceId, id), JSON.stringify(submission.extraData));
    const target = submission.outputTarget ?? null;
    const targetEnvelope =
      target === null ? null : deps.sealer.seal(targetContext(submission.workspaceId, id), JSON.stringify(target));
    const batch =
      submission.assetIds.length > 0 || submission.holds.some(({ amount }) => amount > 0n) ? involved : plain;
    const traceparent = deps.tracer?.here() ?? null;
    const entry = await deps.depth.enter(submission);
    let isCreated = false;
    try {
      for (;;) {
        const isFull = entry === "full";
        const verdict = unwrap(await batch({ id, submission, envelope, targetEnvelope, traceparent, isFull }));
        if (verdict.kind === "again") continue;
        if (verdict.kind === "over") {
          await deps.forget(verdict.jobId);
          continue;
        }
        isCreated = verdict.kind === "created";
        const answer = await answerOf(deps, { id, submission }, verdict);
        if (answer !== null) return answer;
      }
    } finally {
      if (entry !== "full") entry.leave(isCreated);
    }
  }

  return {
    submit,
    async close() {
      await Promise.all([plain.close(), involved.close()]);
    },
  };
}

function batches(
  deps: SubmitDeps,
  insert: (jobs: readonly NewJob[]) => Promise<Verdict[]>,
): GroupCommit<NewJob, ItemResult<Verdict>> {
  return groupCommit({
    maxBatch: batchMax,
    inFlight: 2,
    run: async (jobs) => {
      const results = await runBatch(jobs, (some) => insertOnce(deps, some, insert));
      deps.hints.ready(
        jobs.flatMap(({ id, submission }, at) => (isCreation(results[at]) ? [{ id, ...submission }] : [])),
      );
      return results;
    },
  });
}

const isCreation = (result: ItemResult<Verdict> | undefined) => result?.ok === true && result.value.kind === "created";

// A lost COMMIT answer is settled by reading the ids. The lost statement may still go through after that; then its row
// blocks the next attempt, and the batch is halved until the late one is alone.
async function insertOnce(
  deps: SubmitDeps,
  jobs: readonly NewJob[],
  insert: (jobs: readonly NewJob[]) => Promise<Verdict[]>,
): Promise<Verdict[]> {
  try {
    return await insert(jobs);
  } catch (error) {
    const isLate = isUniqueViolation(error, "jobs_pkey");
    if (isLate ? jobs.length > 1 : !(error instanceof CommitUnknown)) throw error;
    const stored = await findSubmitted(
      deps.database,
      jobs.map(({ id }) => id),
    );
    return jobs.map(({ id }) => {
      const found = stored.get(id);
      return found ? { kind: "created", ...found } : { kind: "again" };
    });
  }
}

// Jobs first: their keys decide which of two twins continues. Jobs that then lack assets or credits are withdrawn with their
// keys before any reader can see them.
async function insertInvolved(deps: SubmitDeps, tx: Queryable, jobs: readonly NewJob[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = await insertJobs(tx, jobs, deps.rules);
  const created = () => jobs.flatMap((job, at) => (verdicts[at]?.kind === "created" ? [{ ...job, at }] : []));
  const refused: JobId[] = [];
  const holding = created().filter(({ submission }) => submission.assetIds.length > 0);
  if (holding.length > 0) {
    const held = await deps.assets.holdMany(
      tx,
      holding.map(({ id, submission }) => ({ ...submission, holder: { kind: inputHolder, id } })),
    );
    for (const { id, submission, at } of holding) {
      const missing = submission.assetIds.filter((assetId) => !held.get(id)?.has(assetId));
      if (missing.length === 0) continue;
      verdicts[at] = { kind: "missing_assets", assetIds: missing };
      refused.push(id);
    }
  }
  const paying = created().filter(({ submission }) => submission.holds.some(({ amount }) => amount > 0n));
  if (paying.length > 0) {
    const requests = paying.map(({ id, submission }) => ({
      holderId: id,
      workspaceId: submission.workspaceId,
      parts: submission.holds,
      ...(submission.labels ? { labels: submission.labels } : {}),
    }));
    for (const [index, available] of (await reserveCredits(tx, requests)).entries()) {
      const one = paying[index];
      if (available === null || !one) continue;
      verdicts[one.at] = { kind: "no_credit", available };
      refused.push(one.id);
    }
  }
  if (refused.length > 0) await takeBack(deps, tx, refused);
  return verdicts;
}

async function takeBack(deps: SubmitDeps, tx: Queryable, refused: readonly JobId[]): Promise<void> {
  await withdrawJobs(tx, refused);
  await deps.assets.releaseMany(tx, inputHolder, refused);
}

async function answerOf(
  deps: SubmitDeps,
  { id, submission }: { id: JobId; submission: Submission },
  verdict: Exclude<Verdict, { kind: "again" | "over" }>,
): Promise<Submitted | null> {
  switch (verdict.kind) {
    case "created":
      return { kind: "created", job: await newlyQueued(deps, id, submission, verdict) };
    case "replayed": {
      const job = await deps.find({ jobId: verdict.jobId, submission });
      return job && { kind: "replayed", job };
    }
    case "queue_full":
      return { kind: "queue_full", retryAfterSeconds };
    default:
      return verdict;
  }
}

const noDelivery = { delivered: 0, pending: 0, failed: 0, lastError: null };

// Built from the submission: a read would cost as much as the submission itself.
function newlyQueued(
  deps: SubmitDeps,
  id: JobId,
  submission: Submission,
  times: { readonly createdAt: Date; readonly expiresAt: Date },
): Promise<Job> {
  return deps.withPosition({
    id,
    workspaceId: submission.workspaceId,
    poolId: submission.poolId,
    state: "queued",
    version: 1,
    createdAt: times.createdAt,
    startedAt: null,
    completedAt: null,
    expiresAt: times.expiresAt,
    queuePosition: null,
    progress: null,
    outputs: [],
    error: null,
    outputsReused: false,
    creditsUsed: null,
    metadata: submission.metadata,
    priority: submission.priority,
    attempt: 0,
    ...(submission.needsId ? { needsId: submission.needsId } : {}),
    ...(submission.outputTarget ? { delivery: noDelivery } : {}),
  });
}
