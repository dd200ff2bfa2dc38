// The operators' operations on dedicated deployments. They need an admin token, and every change is in the audit.
import { Type } from "typebox";
import { operationTable } from "../operation.ts";
import { CreateDeployment, Deployment, DeploymentPage, UpdateDeployment } from "../operators/deployments.ts";
import { PageQuery } from "../pagination.ts";
import { Uuid } from "../wire-values.ts";
import { answer, emptyAnswer, genericFaults, jsonBody } from "./answers.ts";
import { tags } from "./tags.ts";

const always = genericFaults(401, 403, 429, 500, 503);
const params = Type.Object({ deploymentId: Uuid });
const one = (description: string) => answer(Deployment, description);

const common = { tag: tags.administration, access: "admin" } as const;

export const deploymentAdministrationOperations = operationTable(common, {
  listDeployments: {
    method: "GET",
    path: "/admin/deployments",
    summary: "List the deployments",
    query: PageQuery,
    answers: { 200: answer(DeploymentPage, "A page, the oldest first."), ...genericFaults(400), ...always },
  },
  createDeployment: {
    method: "POST",
    path: "/admin/deployments",
    summary: "Make a deployment",
    description: "It is provisioning until a worker whose environment matches has reported.",
    body: jsonBody(CreateDeployment),
    answers: { 201: one("It was made."), ...genericFaults(400, 413), ...always },
  },
  getDeployment: {
    method: "GET",
    path: "/admin/deployments/{deploymentId}",
    summary: "Read one deployment, its workers and why it is not ready",
    params,
    answers: { 200: one("The deployment."), ...genericFaults(404), ...always },
  },
  updateDeployment: {
    method: "PATCH",
    path: "/admin/deployments/{deploymentId}",
    summary: "Change a deployment",
    description: "Jobs that run end as they began. It applies within 2 seconds everywhere.",
    params,
    body: jsonBody(UpdateDeployment),
    answers: { 200: one("As it is now."), ...genericFaults(400, 404, 413), ...always },
  },
  stopDeployment: {
    method: "POST",
    path: "/admin/deployments/{deploymentId}/stop",
    summary: "Stop a deployment",
    description:
      "Submissions are 422 deployment_stopped from then on, and no worker is wanted. What was accepted stays: workers that are still there end it, the rest waits for the start or its expiry. Reads go on.",
    params,
    answers: { 200: one("It is stopped."), ...genericFaults(404), ...always },
  },
  startDeployment: {
    method: "POST",
    path: "/admin/deployments/{deploymentId}/start",
    summary: "Start a stopped deployment",
    params,
    answers: { 200: one("It is ready, or provisioning."), ...genericFaults(404), ...always },
  },
  deleteDeployment: {
    method: "DELETE",
    path: "/admin/deployments/{deploymentId}",
    summary: "Remove a stopped deployment",
    description:
      "What has not ended is canceled, and its jobs can no longer be read. Assets stay with their workspace.",
    params,
    answers: { 204: emptyAnswer("It is gone."), ...genericFaults(404, 409), ...always },
  },
});
