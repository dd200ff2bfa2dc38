// X-Service-Max-Credits on a submission: a job that could cost more is refused before anything is stored, naming the most
// expensive nodes. A key whose job exists is answered as always.

import type { PricePart } from "../../../capabilities/graphs/index.ts";
import type { Jobs } from "../../../capabilities/jobs/index.ts";
import { aboveLimit, creditsText } from "../../../capabilities/prices/index.ts";
import type { Surface, WorkflowCaller } from "../surface.ts";

export interface KnownKeyDeps {
  readonly surface: Pick<Surface, "poolId">;
  readonly jobs: Pick<Jobs, "list">;
}

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
