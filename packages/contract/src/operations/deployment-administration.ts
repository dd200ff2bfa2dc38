// The operators' operations on dedicated deployments. They need an admin token, and every change is in the audit.
import { Type } from "typebox";
import { operationTable } from "../operation.ts";
import { CreateDeployment, Deployment, DeploymentPage, UpdateDeployment } from "../operators/deployments.ts";
import { PageQuery } from "../pagination.ts";
import { Uuid } from "../wire-values.ts";
import { answer, emptyAnswer, genericFaults, jsonBody, ofAdministration } from "./answers.ts";

const params = Type.Object({ deploymentId: Uuid });
const one = (description: string) => answer(Deployment, description);

export const deploymentAdministrationOperations = operationTable(ofAdministration, {
  listDeployments: {
    method: "GET",
    path: "/admin/deployments",
    summary: "List the deployments",
    query: PageQuery,
    answers: { 200: answer(DeploymentPage, "One page, oldest first.") },
  },
  createDeployment: {
    method: "POST",
    path: "/admin/deployments",
    summary: "Create a deployment",
    description: "The deployment is provisioning until a worker with a matching environment reports in.",
    body: jsonBody(CreateDeployment),
    answers: { 201: one("Created.") },
  },
  getDeployment: {
    method: "GET",
    path: "/admin/deployments/{deploymentId}",
    summary: "Read one deployment, its workers and why it is not ready",
    params,
    answers: { 200: one("The deployment.") },
  },
  updateDeployment: {
    method: "PATCH",
    path: "/admin/deployments/{deploymentId}",
    summary: "Change a deployment",
    description: "Running jobs finish under the old settings. Takes effect everywhere within 2 seconds.",
    params,
    body: jsonBody(UpdateDeployment),
    answers: { 200: one("Updated.") },
  },
  stopDeployment: {
    method: "POST",
    path: "/admin/deployments/{deploymentId}/stop",
    summary: "Stop a deployment",
    description:
      "New submissions get 422 deployment_stopped, and workers_wanted drops to 0. Accepted jobs are kept: workers that are still running finish theirs, and the rest wait until the deployment starts again or they expire. Reads keep working.",
    params,
    answers: { 200: one("Stopped.") },
  },
  startDeployment: {
    method: "POST",
    path: "/admin/deployments/{deploymentId}/start",
    summary: "Start a stopped deployment",
    params,
    answers: { 200: one("The deployment is ready or provisioning.") },
  },
  deleteDeployment: {
    method: "DELETE",
    path: "/admin/deployments/{deploymentId}",
    summary: "Remove a stopped deployment",
    description: "Unfinished jobs are canceled, and its jobs can no longer be read. Assets stay in their workspace.",
    params,
    answers: { 204: emptyAnswer("Deleted."), ...genericFaults(409) },
  },
});
