// The operators' operations on providers, releases and workspaces' rights to models. Behind an admin token.
import { Type } from "typebox";
import { headerName } from "../headers.ts";
import type { Operation } from "../operation.ts";
import {
  AdminProviderList,
  AdminProviderRecord,
  ModelRelease,
  ProviderDefinitionBody,
  SetModelRelease,
  WorkspaceModels,
} from "../provider-operations.ts";
import { Uuid } from "../wire-values.ts";
import { answer, emptyAnswer, genericFault, jsonBody } from "./answers.ts";
import { tags } from "./tags.ts";

const always = { 401: genericFault[401], 429: genericFault[429], 500: genericFault[500], 503: genericFault[503] };
const name = (description: string) => Type.String({ minLength: 1, description });
const providerParams = Type.Object({ provider: name("The provider's name.") });
const expecting = {
  [headerName.ifMatch]: Type.Optional(Type.String({ pattern: '^(\\*|"[^",]*"( *, *"[^",]*")*)$' })),
};
const record = (description: string) => answer(AdminProviderRecord, description, [headerName.etag]);

export const providerAdministrationOperations = {
  listProviders: {
    id: "listProviders",
    method: "GET",
    path: "/admin/providers",
    tag: tags.administration,
    summary: "List the providers and what is served of them",
    access: "admin",
    answers: { 200: answer(AdminProviderList, "All of them, from files and from operators."), ...always },
  },
  getProvider: {
    id: "getProvider",
    method: "GET",
    path: "/admin/providers/{provider}",
    tag: tags.administration,
    summary: "Read one provider with its definition",
    access: "admin",
    params: providerParams,
    answers: { 200: record("The provider; with an ETag if an operator wrote it."), 404: genericFault[404], ...always },
  },
  putProvider: {
    id: "putProvider",
    method: "PUT",
    path: "/admin/providers/{provider}",
    tag: tags.administration,
    summary: "Write a provider's definition",
    description:
      "It is served at once by the process that answers and within 2 seconds by all. Calls in flight end by the definition they began with. It stands before a file of the same provider. With If-Match only the named version is replaced; If-None-Match: * only adds.",
    access: "admin",
    params: providerParams,
    headers: Type.Object({
      ...expecting,
      [headerName.ifNoneMatch]: Type.Optional(Type.Literal("*")),
    }),
    body: jsonBody(ProviderDefinitionBody),
    answers: {
      200: record("It was replaced."),
      201: record("It was added."),
      400: genericFault[400],
      404: genericFault[404],
      412: genericFault[412],
      413: genericFault[413],
      ...always,
    },
  },
  deleteProvider: {
    id: "deleteProvider",
    method: "DELETE",
    path: "/admin/providers/{provider}",
    tag: tags.administration,
    summary: "Remove a provider's stored definition",
    description: "A file of the same provider counts again. Calls in flight end by the definition they began with.",
    access: "admin",
    params: providerParams,
    headers: Type.Object(expecting),
    answers: {
      204: emptyAnswer("It is no longer served."),
      400: genericFault[400],
      404: genericFault[404],
      412: genericFault[412],
      ...always,
    },
  },
  setModelRelease: {
    id: "setModelRelease",
    method: "PUT",
    path: "/admin/models/{provider}/{model}/release",
    tag: tags.administration,
    summary: "Release a model or take it back",
    description: "An unreleased model is absent everywhere. The word stays when the definition is written again.",
    access: "admin",
    params: Type.Object({ provider: name("The provider's name."), model: name("The model's own name.") }),
    body: jsonBody(SetModelRelease),
    answers: {
      200: answer(ModelRelease, "The model as it is now."),
      400: genericFault[400],
      404: genericFault[404],
      413: genericFault[413],
      ...always,
    },
  },
  getWorkspaceModels: {
    id: "getWorkspaceModels",
    method: "GET",
    path: "/admin/workspaces/{workspaceId}/models",
    tag: tags.administration,
    summary: "Read what a workspace may run",
    access: "admin",
    params: Type.Object({ workspaceId: Uuid }),
    answers: { 200: answer(WorkspaceModels, "What it may run."), 404: genericFault[404], ...always },
  },
  setWorkspaceModels: {
    id: "setWorkspaceModels",
    method: "PUT",
    path: "/admin/workspaces/{workspaceId}/models",
    tag: tags.administration,
    summary: "Change what a workspace may run",
    description: "It applies at once in the process that answers and within 5 seconds everywhere.",
    access: "admin",
    params: Type.Object({ workspaceId: Uuid }),
    body: jsonBody(WorkspaceModels),
    answers: {
      200: answer(WorkspaceModels, "What it may run now."),
      400: genericFault[400],
      404: genericFault[404],
      413: genericFault[413],
      ...always,
    },
  },
} as const satisfies Record<string, Operation>;
