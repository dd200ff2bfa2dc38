// One example call for each operation on deployments, and deployments for the tests of them.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { bearer, textOf } from "./app-client.ts";
import type { ExampleCall, Scene } from "./example-call.ts";
import type { TestApp } from "./test-app.ts";

export interface DeploymentBody {
  readonly name: string;
  readonly environment: {
    readonly engine: "embedded" | "application";
    readonly engine_version: string | null;
    readonly node_classes: Readonly<Record<string, string>> | null;
    readonly lock_id?: string | null;
    readonly settings: object;
  };
  readonly workers_min?: number;
  readonly workers_max?: number;
  readonly jobs_per_worker?: number;
  readonly workspace_id?: string | null;
  readonly scale_webhook_url?: string | null;
}

export function aDeployment(more: Partial<DeploymentBody> = {}): DeploymentBody {
  return {
    name: `pictures ${randomUUID()}`,
    environment: { engine: "embedded", engine_version: null, node_classes: null, settings: { job_seconds_max: 60 } },
    ...more,
  };
}

export async function makeDeployment(
  app: Pick<TestApp, "call" | "adminToken">,
  more: Partial<DeploymentBody> = {},
): Promise<string> {
  const headers = bearer(app.adminToken);
  const answer = await app.call({ method: "POST", path: "/admin/deployments", headers, body: aDeployment(more) });
  assert.equal(answer.status, 201, answer.text);
  return textOf(answer.json(), "id");
}

const asAdmin = ({ app }: Scene) => ({ headers: bearer(app.adminToken) });
const onOne = (method: string, end = "", body?: object): ExampleCall => ({
  status: 200,
  make: async (scene) => ({
    method,
    path: `/admin/deployments/${await makeDeployment(scene.app)}${end}`,
    ...asAdmin(scene),
    ...(body === undefined ? {} : { body }),
  }),
});

export const deploymentExamples: Readonly<Record<string, ExampleCall>> = {
  listDeployments: {
    status: 200,
    async make(scene) {
      for (let made = 0; made < 3; made++) await makeDeployment(scene.app);
      return { path: "/admin/deployments?limit=2", ...asAdmin(scene) };
    },
  },
  createDeployment: {
    status: 201,
    make: (scene) => ({
      method: "POST",
      path: "/admin/deployments",
      ...asAdmin(scene),
      body: aDeployment({ workers_min: 0, workers_max: 4, jobs_per_worker: 2, workspace_id: scene.app.workspaceId }),
    }),
  },
  getDeployment: onOne("GET"),
  updateDeployment: onOne("PATCH", "", { workers_max: 3 }),
  stopDeployment: onOne("POST", "/stop"),
  startDeployment: onOne("POST", "/start"),
  deleteDeployment: {
    status: 204,
    async make(scene) {
      const path = `/admin/deployments/${await makeDeployment(scene.app)}`;
      await scene.app.call({ method: "POST", path: `${path}/stop`, ...asAdmin(scene) });
      return { method: "DELETE", path, ...asAdmin(scene) };
    },
  },
};
