// What operators do to deployments. A change and its audit entry are one transaction, under the deployment's row lock.
import { createHash } from "node:crypto";
import type { Clock } from "../../foundation/clock.ts";
import type { Acting } from "../../foundation/database/acting.ts";
import type { Database, Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { newId } from "../../foundation/ids.ts";
import type { Audit, NewAuditEntry } from "../audit/index.ts";
import type { Jobs } from "../jobs/index.ts";
import { findUnfinishedJobs } from "../jobs/shared-sql.ts";
import type { Webhooks } from "../webhooks/index.ts";
import { type Deployment, type DeploymentId, type DeploymentInput, poolOf } from "./deployment.ts";
import { insertDeployment, lockDeployment, removeDeployment, replaceDeployment } from "./deployment-store.ts";

export interface ChangeDeploymentsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "append">;
  readonly webhooks: Pick<Webhooks, "checkScaleUrl">;
  readonly jobs: Pick<Jobs, "cancelMany">;
  // Called after the commit.
  changed(id: DeploymentId): Promise<void>;
}

export interface DeploymentChanges {
  create(input: DeploymentInput, by: Acting): Promise<Deployment>;
  update(id: DeploymentId, change: Partial<DeploymentInput>, by: Acting): Promise<Deployment>;
  stop(id: DeploymentId, by: Acting): Promise<Deployment>;
  start(id: DeploymentId, by: Acting): Promise<Deployment>;
  remove(id: DeploymentId, by: Acting): Promise<void>;
}

export function createDeploymentChanges(deps: ChangeDeploymentsDeps): DeploymentChanges {
  const { database, clock, audit } = deps;

  async function change(
    id: DeploymentId,
    verb: string,
    by: Acting,
    decide: (before: Deployment) => DeploymentInput & { readonly stoppedAt: Date | null },
  ): Promise<Deployment> {
    const after = await database.transaction(async (tx) => {
      const before = await requireLocked(tx, id);
      const input = decide(before);
      requireSound(deps, input);
      const stored = await replaceDeployment(tx, id, { ...input, at: clock.now() });
      await audit.append(tx, entry(by, verb, before, stored));
      return stored;
    });
    await deps.changed(id);
    return after;
  }

  return {
    async create(input, by) {
      requireSound(deps, input);
      const at = clock.now();
      return database.transaction(async (tx) => {
        const stored = await insertDeployment(tx, { ...input, id: newId<"deployment">(at.getTime()), at });
        await audit.append(tx, entry(by, "create", null, stored));
        return stored;
      });
    },
    update: (id, input, by) => change(id, "update", by, (before) => ({ ...before, ...input })),
    stop: (id, by) => change(id, "stop", by, (before) => ({ ...before, stoppedAt: before.stoppedAt ?? clock.now() })),
    start: (id, by) => change(id, "start", by, (before) => ({ ...before, stoppedAt: null })),
    async remove(id, by) {
      await database.transaction(async (tx) => requireStopped(await requireLocked(tx, id)));
      await cancelAll(deps, id);
      await database.transaction(async (tx) => {
        const before = await requireLocked(tx, id);
        requireStopped(before);
        await removeDeployment(tx, id);
        await audit.append(tx, entry(by, "delete", before, null));
      });
      await deps.changed(id);
      // Jobs accepted by a process that had not yet heard of the stop.
      await cancelAll(deps, id);
    },
  };
}

const cancelBatch = 100;

// A job that has ended is no longer in these tables, and a job already asked to end is not found again.
async function cancelAll({ database, jobs }: ChangeDeploymentsDeps, id: DeploymentId): Promise<void> {
  const poolId = poolOf(id);
  for (;;) {
    const found = await findUnfinishedJobs(database, poolId, cancelBatch);
    if (found.length === 0) return;
    for (const [workspaceId, ofOne] of Map.groupBy(found, (job) => job.workspaceId))
      await jobs.cancelMany({ workspaceId, poolId, jobIds: ofOne.map(({ jobId }) => jobId) });
  }
}

async function requireLocked(tx: Queryable, id: DeploymentId): Promise<Deployment> {
  const found = await lockDeployment(tx, id);
  if (found === null) throw noSuchDeployment();
  return found;
}

export function noSuchDeployment(): Fault {
  return new Fault("not_found", "There is no such deployment.");
}

function requireStopped({ stoppedAt }: Deployment): void {
  if (stoppedAt === null)
    throw new Fault("conflict", "Stop the deployment first, so that its running jobs can finish.");
}

// Checks that involve two fields, or what this server may send to.
function requireSound({ webhooks }: Pick<ChangeDeploymentsDeps, "webhooks">, input: DeploymentInput): void {
  const problems: { path: string; message: string }[] = [];
  if (input.workersMin > input.workersMax)
    problems.push({ path: "/workers_min", message: "must not be larger than workers_max" });
  if ((input.environment.lockId ?? null) !== null && input.environment.engine === "embedded")
    problems.push({ path: "/environment/lock_id", message: "needs the engine application" });
  if (input.scaleWebhookUrl !== null) {
    const problem = webhooks.checkScaleUrl(input.scaleWebhookUrl);
    if (problem !== null) problems.push({ path: "/scale_webhook_url", message: problem });
    if (input.workspaceId === null)
      problems.push({
        path: "/workspace_id",
        message: "is required with scale_webhook_url: the workspace's secret signs its requests",
      });
  }
  if (problems.length === 0) return;
  const named = problems.map(({ path, message }) => `${path.slice(1)} ${message}`).join("; ");
  throw new Fault("invalid_request", `The request is not valid: ${named}.`, { details: problems });
}

function entry(by: Acting, verb: string, before: Deployment | null, after: Deployment | null): NewAuditEntry {
  const workspaceId = after?.workspaceId ?? before?.workspaceId ?? null;
  return {
    ...by,
    action: `deployment.${verb}`,
    subject: { kind: "deployment", id: after?.id ?? before?.id ?? "" },
    workspaceId,
    before: before && gist(before),
    after: after && gist(after),
    shown: ["engine_version", "lock_id", "environment_digest", "scale_webhook_host"],
  };
}

// An environment may name thousands of classes, so the audit has its digest. A webhook's path may contain a secret.
function gist(deployment: Deployment) {
  const { environment } = deployment;
  return {
    name: deployment.name,
    state: deployment.stoppedAt === null ? "started" : "stopped",
    engine: environment.engine,
    engine_version: environment.engineVersion,
    lock_id: environment.lockId ?? null,
    node_classes: environment.nodeClasses === null ? null : Object.keys(environment.nodeClasses).length,
    environment_digest: createHash("sha256")
      .update(JSON.stringify(sorted(environment)))
      .digest("hex"),
    workers_min: deployment.workersMin,
    workers_max: deployment.workersMax,
    jobs_per_worker: deployment.jobsPerWorker,
    workspace_id: deployment.workspaceId,
    scale_webhook_host: deployment.scaleWebhookUrl === null ? null : new URL(deployment.scaleWebhookUrl).host,
  };
}

function sorted({ engine, engineVersion, nodeClasses, lockId = null, settings }: Deployment["environment"]): unknown[] {
  const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);
  return [
    engine,
    engineVersion,
    nodeClasses && Object.entries(nodeClasses).sort(byName),
    Object.entries(settings).sort(byName),
    ...(lockId === null ? [] : [lockId]),
  ];
}
