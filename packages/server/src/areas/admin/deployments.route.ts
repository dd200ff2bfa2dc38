// Operators create, change, stop and remove dedicated deployments, and see why one is not ready.
import { CreateDeployment, type DeploymentEnvironmentWish, operations, UpdateDeployment } from "@atelier/contract";
import {
  type Deployment,
  type DeploymentId,
  type DeploymentInput,
  type Deployments,
  poolOf,
} from "../../capabilities/deployments/index.ts";
import { type AdminCaller, actingAsAdmin } from "../../capabilities/tokens/index.ts";
import type { Cursors } from "../../foundation/cursor.ts";
import { type BytesAnswer, type Incoming, type Route, route } from "../../foundation/http/area.ts";
import { pageById, QueryReader } from "../../foundation/http/page-query.ts";
import { parseId, requireId, type WorkspaceId } from "../../foundation/ids.ts";
import { badField } from "../../foundation/json/bad-field.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { freshAnswer } from "./fresh-answer.ts";
import { presentDeployment, toEnvironment } from "./present-deployment.ts";

export interface DeploymentRouteDeps {
  readonly deployments: Pick<
    Deployments,
    "create" | "list" | "get" | "status" | "update" | "stop" | "start" | "remove" | "scaling"
  >;
  // A deployment's URLs.
  readonly urlsOf: (id: DeploymentId) => { readonly mount: string; readonly host: string | null };
  readonly hasWorkspace: (id: WorkspaceId) => Promise<boolean>;
  readonly hasLock: (lockId: string) => Promise<boolean>;
  readonly cursors: Cursors;
}

type Request = Incoming<AdminCaller>;

const purpose = "admin deployments";

export function listDeploymentsRoute(deps: DeploymentRouteDeps): Route<AdminCaller> {
  return route(operations.listDeployments, async ({ query }) => {
    const { deployments, cursors } = deps;
    const page = await pageById(
      { reader: new QueryReader(query), cursors, purpose },
      (after: DeploymentId | null, count) => deployments.list({ after, count }),
      (deployment) => present(deps, deployment),
    );
    return freshAnswer(200, page);
  });
}

export function createDeploymentRoute(deps: DeploymentRouteDeps): Route<AdminCaller> {
  return route(operations.createDeployment, async (incoming) => {
    const asked = requireValid(CreateDeployment, await incoming.json());
    const environment = await environmentOf(deps, asked.environment);
    const request = { ...absent, ...(await readInput(deps, asked)), name: asked.name, environment };
    return answerOne(deps, 201, await deps.deployments.create(request, by(incoming)));
  });
}

export function getDeploymentRoute(deps: DeploymentRouteDeps): Route<AdminCaller> {
  return route(operations.getDeployment, async (incoming) =>
    answerOne(deps, 200, await deps.deployments.get(readId(incoming))),
  );
}

export function updateDeploymentRoute(deps: DeploymentRouteDeps): Route<AdminCaller> {
  return route(operations.updateDeployment, async (incoming) => {
    const change = await readInput(deps, requireValid(UpdateDeployment, await incoming.json()));
    return answerOne(deps, 200, await deps.deployments.update(readId(incoming), change, by(incoming)));
  });
}

export function stopDeploymentRoute(deps: DeploymentRouteDeps): Route<AdminCaller> {
  return route(operations.stopDeployment, async (incoming) =>
    answerOne(deps, 200, await deps.deployments.stop(readId(incoming), by(incoming))),
  );
}

export function startDeploymentRoute(deps: DeploymentRouteDeps): Route<AdminCaller> {
  return route(operations.startDeployment, async (incoming) =>
    answerOne(deps, 200, await deps.deployments.start(readId(incoming), by(incoming))),
  );
}

export function deleteDeploymentRoute({ deployments }: DeploymentRouteDeps): Route<AdminCaller> {
  return route(operations.deleteDeployment, async (incoming) => {
    await deployments.remove(readId(incoming), by(incoming));
    return { status: 204 };
  });
}

const by = (incoming: Request) => actingAsAdmin(incoming.caller, incoming.requestId);

async function answerOne(deps: DeploymentRouteDeps, status: number, deployment: Deployment): Promise<BytesAnswer> {
  return freshAnswer(status, await present(deps, deployment));
}

const absent = { workersMin: 0, workersMax: 1, jobsPerWorker: 1, workspaceId: null, scaleWebhookUrl: null };

// Contains only what was sent: an absent member changes nothing.
async function readInput(deps: DeploymentRouteDeps, asked: UpdateDeployment): Promise<Partial<DeploymentInput>> {
  return {
    ...(asked.name === undefined ? {} : { name: asked.name }),
    ...(asked.environment === undefined ? {} : { environment: await environmentOf(deps, asked.environment) }),
    ...(asked.workers_min === undefined ? {} : { workersMin: asked.workers_min }),
    ...(asked.workers_max === undefined ? {} : { workersMax: asked.workers_max }),
    ...(asked.jobs_per_worker === undefined ? {} : { jobsPerWorker: asked.jobs_per_worker }),
    ...(asked.workspace_id === undefined ? {} : { workspaceId: await workspaceOf(deps, asked.workspace_id) }),
    ...(asked.scale_webhook_url === undefined ? {} : { scaleWebhookUrl: asked.scale_webhook_url }),
  };
}

async function environmentOf(deps: DeploymentRouteDeps, asked: DeploymentEnvironmentWish) {
  const environment = toEnvironment(asked);
  const { lockId } = environment;
  if (lockId && !(await deps.hasLock(lockId))) throw badField("environment.lock_id", noSuchLock);
  return environment;
}

const noSuchLock = "is not the id of a lock that this server keeps; `atelier env push` keeps one";

async function workspaceOf(deps: DeploymentRouteDeps, text: string | null): Promise<WorkspaceId | null> {
  if (text === null) return null;
  const id = parseId<"workspace">(text);
  if (id === null || !(await deps.hasWorkspace(id))) throw badField("workspace_id", "is not the id of a workspace");
  return id;
}

const readId = ({ params }: Pick<Request, "params">): DeploymentId =>
  requireId(params["deploymentId"], "There is no such deployment.");

async function present({ deployments, urlsOf }: DeploymentRouteDeps, deployment: Deployment) {
  const [status, scalers] = await Promise.all([
    deployments.status(deployment),
    deployments.scaling.scalers(poolOf(deployment.id)),
  ]);
  return presentDeployment(deployment, status, { urls: urlsOf(deployment.id), scalers });
}
