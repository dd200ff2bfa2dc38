// The operators' operations on dedicated deployments. Behind an admin token; every change is in the audit.
import { Type } from "typebox";
import { CreateDeployment, Deployment, DeploymentPage, UpdateDeployment } from "../deployments.ts";
import type { Operation } from "../operation.ts";
import { PageQuery } from "../pagination.ts";
import { Uuid } from "../wire-values.ts";
import { answer, emptyAnswer, genericFault, jsonBody } from "./answers.ts";
import { tags } from "./tags.ts";

const always = { 401: genericFault[401], 429: genericFault[429], 500: genericFault[500], 503: genericFault[503] };
const params = Type.Object({ deploymentId: Uuid });
const one = (description: string) => answer(Deployment, description);

export const deploymentAdministrationOperations = {
  listDeployments: {
    id: "listDeployments",
    method: "GET",
    path: "/admin/deployments",
    tag: tags.administration,
    summary: "List the deployments",
    access: "admin",
    query: PageQuery,
    answers: { 200: answer(DeploymentPage, "A page, the oldest first."), 400: genericFault[400], ...always },
  },
  createDeployment: {
    id: "createDeployment",
    method: "POST",
    path: "/admin/deployments",
    tag: tags.administration,
    summary: "Make a deployment",
    description: "It is provisioning until a worker whose environment matches has reported.",
    access: "admin",
    body: jsonBody(CreateDeployment),
    answers: { 201: one("It was made."), 400: genericFault[400], 413: genericFault[413], ...always },
  },
  getDeployment: {
    id: "getDeployment",
    method: "GET",
    path: "/admin/deployments/{deploymentId}",
    tag: tags.administration,
    summary: "Read one deployment, its workers and why it is not ready",
    access: "admin",
    params,
    answers: { 200: one("The deployment."), 404: genericFault[404], ...always },
  },
  updateDeployment: {
    id: "updateDeployment",
    method: "PATCH",
    path: "/admin/deployments/{deploymentId}",
    tag: tags.administration,
    summary: "Change a deployment",
    description: "Jobs that run end as they began. It applies within 2 seconds everywhere.",
    access: "admin",
    params,
    body: jsonBody(UpdateDeployment),
    answers: {
      200: one("As it is now."),
      400: genericFault[400],
      404: genericFault[404],
      413: genericFault[413],
      ...always,
    },
  },
  stopDeployment: {
    id: "stopDeployment",
    method: "POST",
    path: "/admin/deployments/{deploymentId}/stop",
    tag: tags.administration,
    summary: "Stop a deployment",
    description:
      "Submissions are 422 deployment_stopped from then on, and no worker is wanted. What was accepted stays: workers that are still there end it, the rest waits for the start or its expiry. Reads go on.",
    access: "admin",
    params,
    answers: { 200: one("It is stopped."), 404: genericFault[404], ...always },
  },
  startDeployment: {
    id: "startDeployment",
    method: "POST",
    path: "/admin/deployments/{deploymentId}/start",
    tag: tags.administration,
    summary: "Start a stopped deployment",
    access: "admin",
    params,
    answers: { 200: one("It is ready, or provisioning."), 404: genericFault[404], ...always },
  },
  deleteDeployment: {
    id: "deleteDeployment",
    method: "DELETE",
    path: "/admin/deployments/{deploymentId}",
    tag: tags.administration,
    summary: "Remove a stopped deployment",
    description:
      "What has not ended is canceled, and its jobs can no longer be read. Assets stay with their workspace.",
    access: "admin",
    params,
    answers: {
      204: emptyAnswer("It is gone."),
      404: genericFault[404],
      409: genericFault[409],
      ...always,
    },
  },
} as const satisfies Record<string, Operation>;
