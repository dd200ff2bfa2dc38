// X-Service-Max-Credits on a submission: a job that could cost more is refused before anything is stored, naming the most
// expensive nodes. A key whose job exists is answered as always.

import type { PricePart } from "../../../capabilities/graphs/index.ts";
import type { JobId, Jobs } from "../../../capabilities/jobs/index.ts";
import { aboveLimit, creditsText } from "../../../capabilities/prices/index.ts";
import { type KeyId, newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Labels } from "../../../foundation/json/labels.ts";
import type { Surface, WorkflowCaller } from "../surface.ts";

export interface KnownKeyDeps {
  readonly surface: Pick<Surface, "poolId">;
  readonly jobs: Pick<Jobs, "list">;
}

// Reserves the running time of a job under the id that it then gets. Throws if a budget has too little left for the whole job.
// False if it counts against no budget.
export type WithinBudgets = (job: {
  readonly workspaceId: WorkspaceId;
  readonly keyId: KeyId | null;
  readonly jobId: JobId;
  readonly labels: Labels;
  readonly hold: bigint;
  readonly runningTime: bigint;
}) => Promise<boolean>;

export interface LimitedSubmission {
  readonly caller: WorkflowCaller;
  readonly idempotencyKey: string | null;
  readonly maxCredits: bigint | null;
  readonly parts: readonly PricePart[];
}

const namedMax = 20;

export async function requireWithinLimit(deps: KnownKeyDeps, asked: LimitedSubmission): Promise<void> {
  const { caller, idempotencyKey, maxCredits: limit, parts } = asked;
  const highest = parts.reduce((sum, part) => sum + part.highest, 0n);
  const refusal = aboveLimit("job", { highest, limit }, { nodes: dearest(parts) });
  if (refusal !== null && !(await isKnownKey(deps, caller, idempotencyKey))) throw refusal;
}

// The id under which the job counts against budgets: the given one, a new one, or none if it counts against no budget.
export async function requireWithinBudgets(
  deps: KnownKeyDeps & { readonly withinBudgets?: WithinBudgets },
  job: Omit<LimitedSubmission, "maxCredits"> & { readonly jobId: JobId | undefined; readonly labels: Labels },
): Promise<JobId | undefined> {
  const { caller, parts, labels } = job;
  const hold = sumOf(parts);
  if (deps.withinBudgets === undefined || hold === 0n) return job.jobId;
  const jobId = job.jobId ?? newId<"job">();
  const runningTime = sumOf(parts.filter(({ node }) => node === undefined));
  const { workspaceId, keyId } = caller;
  try {
    const isCounted = await deps.withinBudgets({ workspaceId, keyId, jobId, labels, hold, runningTime });
    return isCounted ? jobId : job.jobId;
  } catch (refusal) {
    if (!(await isKnownKey(deps, caller, job.idempotencyKey))) throw refusal;
    return job.jobId;
  }
}

const sumOf = (parts: readonly PricePart[]) => parts.reduce((sum, { amount }) => sum + amount, 0n);

// Whether a job of this key exists.
export async function isKnownKey(
  { surface, jobs }: KnownKeyDeps,
  { workspaceId }: WorkflowCaller,
  idempotencyKey: string | null,
): Promise<boolean> {
  if (idempotencyKey === null) return false;
  const asked = { workspaceId, poolId: surface.poolId, states: null, metadata: null, idempotencyKey };
  return (await jobs.list({ ...asked, cursor: null, limit: 1 })).jobs.length > 0;
}

function dearest(parts: readonly PricePart[]) {
  return parts
    .filter(({ highest }) => highest > 0n)
    .sort((one, other) => (one.highest < other.highest ? 1 : -1))
    .slice(0, namedMax)
    .map(({ part, highest }) => ({ node_id: part, highest: creditsText(highest) }));
}
