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
import { answer, emptyAnswer, genericFaults, jsonBody, ofAdministration } from "./answers.ts";

const params = Type.Object({ environmentId: Uuid });
export const environmentAdministrationOperations = operationTable(ofAdministration, {
  listEnvironments: {
    method: "GET",
    path: "/admin/environments",
    summary: "List the environments",
    query: PageQuery,
    answers: { 200: answer(EnvironmentPage, "One page, newest first.") },
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
    },
  },
  getEnvironment: {
    method: "GET",
    path: "/admin/environments/{environmentId}",
    summary: "Read an environment with its lock",
    params,
    answers: { 200: answer(EnvironmentWithLock, "The environment.") },
  },
  compareEnvironments: {
    method: "GET",
    path: "/admin/environments/{environmentId}/differences",
    summary: "Say what differs between two environments",
    params,
    query: Type.Object({ to: Uuid }),
    answers: { 200: answer(EnvironmentDifferences, "What changed from the environment in the path to the other one.") },
  },
  deleteEnvironment: {
    method: "DELETE",
    path: "/admin/environments/{environmentId}",
    summary: "Remove an environment",
    params,
    answers: { 204: emptyAnswer("Removed."), ...genericFaults(409) },
  },
});
