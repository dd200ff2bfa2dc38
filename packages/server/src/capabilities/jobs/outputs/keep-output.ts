// Stores an output: its bytes become an asset of the job, then the asset is attached to the attempt, fenced. If the worker
// has lost its lease, the asset stays unattached and expires. An attached asset lives as long as the job and cannot be
// deleted before.
import type { Clock } from "../../../foundation/clock.ts";
import type { Database } from "../../../foundation/database/index.ts";
import { Fault, isAway } from "../../../foundation/fault.ts";
import { patience, retry } from "../../../foundation/retry.ts";
import type { Asset, Assets } from "../../assets/index.ts";
import { outputHolder } from "../changes/change-jobs.ts";
import { lockJobs } from "../changes/change-store.ts";
import type { JobHints } from "../changes/job-hints.ts";
import type { JobOutput } from "../job.ts";
import { isHeldBy } from "../job-steps.ts";
import { findLeased } from "../lease-store.ts";
import type { JobLease, KnownOutput, OutputInput } from "../worker-port.ts";
import { findOutput, insertOutput } from "./output-store.ts";

export interface OutputDeps {
  readonly database: Database;
  readonly assets: Pick<Assets, "receive" | "hold" | "fromHash">;
  readonly clock: Clock;
  readonly hints: JobHints;
}

const keepSecondsMin = 60;
// How long a lease may be trusted without a heartbeat.
const attachMs = 30_000;

// Null if the lease is lost.
export async function keepOutput(deps: OutputDeps, lease: JobLease, output: OutputInput): Promise<JobOutput | null> {
  const job = await findLeased(deps.database, lease);
  if (!job) return null;
  const expectedHash = output.expectedHash ?? null;
  const { asset } = await deps.assets.receive({
    workspaceId: job.workspaceId,
    source: output.source,
    expectedHash,
    describe: () => ({
      contentType: output.contentType,
      filePath: output.name,
      tags: [],
      keepSeconds: keepSecondsOf(deps, job),
      expectedHash,
    }),
    jobId: lease.jobId,
  });
  return attachAndAnnounce(deps, lease, output, asset);
}

// Decisions, section 6: this shortcut only accepts bytes that the job's own workspace can see.
export async function keepKnownOutput(
  deps: OutputDeps,
  lease: JobLease,
  output: KnownOutput,
): Promise<JobOutput | null> {
  const job = await findLeased(deps.database, lease);
  if (!job) return null;
  const { asset } = await deps.assets.fromHash({
    workspaceId: job.workspaceId,
    hash: output.hash,
    filePath: output.name,
    tags: [],
    keepSeconds: keepSecondsOf(deps, job),
    jobId: lease.jobId,
  });
  return attachAndAnnounce(deps, lease, output, asset);
}

function keepSecondsOf(deps: OutputDeps, job: { readonly expiresAt: Date }): number {
  return Math.max(keepSecondsMin, Math.ceil((job.expiresAt.getTime() - deps.clock.now().getTime()) / 1000));
}

async function attachAndAnnounce(
  deps: OutputDeps,
  lease: JobLease,
  request: Omit<OutputInput, "source">,
  asset: Asset,
): Promise<JobOutput | null> {
  // We cannot ask for the bytes twice, but attaching is idempotent, so we retry it for a while.
  const output = await retry(() => attach(deps, lease, request, asset), {
    ...patience,
    totalMsMax: attachMs,
    isRetryable: isAway,
    clock: deps.clock,
  });
  if (output) deps.hints.changed([lease.jobId]);
  return output;
}

function attach(
  deps: OutputDeps,
  lease: JobLease,
  request: Omit<OutputInput, "source">,
  asset: Asset,
): Promise<JobOutput | null> {
  const locator = { jobId: lease.jobId, attempt: lease.attempt, nodeId: request.nodeId, index: request.index };
  return deps.database.transaction(async (tx) => {
    // Sent in pairs: the second statement does not wait for the first one's answer, but still runs after it.
    const [locked, known] = await Promise.all([
      lockJobs(tx, [lease.jobId], { skipLocked: false }),
      findOutput(tx, locator),
    ]);
    const job = locked.get(lease.jobId);
    if (!job || !isHeldBy(job, lease)) return null;
    if (known) return known;
    const holder = { kind: outputHolder, id: lease.jobId };
    const [held, output] = await Promise.all([
      deps.assets.hold(tx, { workspaceId: job.workspaceId, assetIds: [asset.id], holder }),
      insertOutput(tx, locator, {
        assetId: asset.id,
        nodeId: request.nodeId,
        name: request.name,
        kind: asset.kind,
        contentType: asset.contentType,
        sizeBytes: asset.size,
        hash: asset.hash,
        folder: request.folder ?? "output",
      }),
    ]);
    if (held.length === 0) throw new Fault("conflict", "The output was deleted before the job could keep it.");
    return output;
  });
}
