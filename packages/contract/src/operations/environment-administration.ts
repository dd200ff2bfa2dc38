// The operators' operations on environments. They need an admin token, and every change is in the audit.
import { Type } from "typebox";
import { operationTable } from "../operation.ts";
import {
  Environment,
  EnvironmentDifferences,
  EnvironmentPage,
  EnvironmentWithLock,
  SaveEnvironment,
} from "../operators/environments.ts";
import { PageQuery } from "../pagination.ts";
import { Uuid } from "../wire-values.ts";
import { answer, emptyAnswer, genericFaults, jsonBody } from "./answers.ts";
import { tags } from "./tags.ts";

const always = genericFaults(401, 403, 429, 500, 503);
const params = Type.Object({ environmentId: Uuid });
const common = { tag: tags.administration, access: "admin" } as const;

export const environmentAdministrationOperations = operationTable(common, {
  listEnvironments: {
    method: "GET",
    path: "/admin/environments",
    summary: "List the environments",
    query: PageQuery,
    answers: { 200: answer(EnvironmentPage, "One page, newest first."), ...genericFaults(400), ...always },
  },
  saveEnvironment: {
    method: "POST",
    path: "/admin/environments",
    summary: "Keep a lock under a name",
    description: "If the newest version under this name is the same lock, nothing is added.",
    body: jsonBody(SaveEnvironment),
    answers: {
      200: answer(Environment, "The newest version is the same already."),
      201: answer(Environment, "Kept as a new version."),
      ...genericFaults(400, 413),
      ...always,
    },
  },
  getEnvironment: {
    method: "GET",
    path: "/admin/environments/{environmentId}",
    summary: "Read an environment with its lock",
    params,
    answers: { 200: answer(EnvironmentWithLock, "The environment."), ...genericFaults(404), ...always },
  },
  compareEnvironments: {
    method: "GET",
    path: "/admin/environments/{environmentId}/differences",
    summary: "Say what differs between two environments",
    params,
    query: Type.Object({ to: Uuid }),
    answers: {
      200: answer(EnvironmentDifferences, "What changed from the environment in the path to the other one."),
      ...genericFaults(400, 404),
      ...always,
    },
  },
  deleteEnvironment: {
    method: "DELETE",
    path: "/admin/environments/{environmentId}",
    summary: "Remove an environment",
    params,
    answers: { 204: emptyAnswer("Removed."), ...genericFaults(404, 409), ...always },
  },
});
