// The scaling signal. Every background process computes how many workers a deployment wants, and one of them reports it.
// The change of the number, its sequence and the notices to the autoscaler's webhook and to endpoints are one transaction.
import type { Background } from "../../foundation/background.ts";
import type { Database } from "../../foundation/database/index.ts";
import type { Webhooks } from "../webhooks/index.ts";
import type { Deployment, DeploymentStatus } from "./deployment.ts";
import { changeWanted, findDeployments } from "./deployment-store.ts";

export interface ScaleSignalDeps {
  readonly database: Database;
  readonly webhooks: Pick<Webhooks, "enqueue" | "wake">;
  readonly statusOf: (deployment: Deployment) => Promise<DeploymentStatus>;
  // How many workers each of them wants now, in one query.
  readonly wantedBy: (deployments: readonly Deployment[]) => Promise<ReadonlyMap<Deployment["id"], number>>;
}

const everyMs = 5_000;
export const scaleSignalName = "deployments: scaling signal";
const pageSize = 500;

// True if this call reported it.
export async function signalWanted(deps: ScaleSignalDeps, deployment: Deployment): Promise<boolean> {
  const status = await deps.statusOf(deployment);
  const { workersWanted } = status;
  if (workersWanted === deployment.workersWanted) return false;
  const { workspaceId, scaleWebhookUrl: url } = deployment;
  const told = await deps.database.transaction(async (tx) => {
    const sequence = await changeWanted(tx, deployment.id, workersWanted);
    if (sequence === null) return null;
    if (workspaceId === null) return [];
    const body = Buffer.from(JSON.stringify(signalOf(deployment, status, sequence)));
    const facts = { deploymentId: deployment.id };
    return deps.webhooks.enqueue(tx, [
      { workspaceId, subjectId: deployment.id, sequence, url, type: "deployment.scale", facts, body },
    ]);
  });
  if (told !== null) deps.webhooks.wake(told);
  return told !== null;
}

// What an autoscaler needs, with the names of the admin read.
function signalOf(deployment: Deployment, status: DeploymentStatus, sequence: number) {
  return {
    id: deployment.id,
    name: deployment.name,
    state: status.state,
    workers_wanted: status.workersWanted,
    workers_min: deployment.workersMin,
    workers_max: deployment.workersMax,
    workers_ready: status.workers.filter(({ problems }) => problems.length === 0).length,
    unfinished_jobs: status.unfinishedJobs,
    sequence,
  };
}

// One round over all of them: two queries per page of deployments, and more only for those whose number changes.
export async function signalAllWanted(deps: ScaleSignalDeps): Promise<void> {
  for (let after: Deployment["id"] | null = null; ; ) {
    const page: Deployment[] = await findDeployments(deps.database, { after, count: pageSize });
    const wanted = page.length > 0 ? await deps.wantedBy(page) : new Map<Deployment["id"], number>();
    for (const deployment of page)
      if (wanted.get(deployment.id) !== deployment.workersWanted) await signalWanted(deps, deployment);
    after = page.at(-1)?.id ?? null;
    if (page.length < pageSize) return;
  }
}

export function runScaleSignal(deps: ScaleSignalDeps, background: Background, signal: AbortSignal): Promise<void> {
  const round = () => signalAllWanted(deps);
  return background.run({ name: scaleSignalName, role: "background", everyMs, round }, signal);
}
