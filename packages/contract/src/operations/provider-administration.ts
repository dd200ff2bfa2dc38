// The operators' operations on providers, releases and workspaces' rights to models. They need an admin token.
import { Type } from "typebox";
import { headerName } from "../headers.ts";
import { operationTable } from "../operation.ts";
import {
  AdminProviderList,
  AdminProviderRecord,
  ModelRelease,
  ProviderCheck,
  ProviderDefinitionBody,
  PutServerCredential,
  ServerCredential,
  ServerCredentialList,
  SetModelRelease,
  SetModelRetirement,
  WorkspaceModels,
} from "../provider-operations.ts";
import { Uuid } from "../wire-values.ts";
import { answer, emptyAnswer, genericFaults, jsonBody } from "./answers.ts";
import { tags } from "./tags.ts";

const always = genericFaults(401, 403, 429, 500, 503);
const name = (description: string) => Type.String({ minLength: 1, description });
const providerParams = Type.Object({ provider: name("The provider's name.") });
const expecting = { [headerName.ifMatch]: Type.Optional(Type.String({ pattern: '^(\\*|"[^",]*"( *, *"[^",]*")*)$' })) };
const record = (description: string) => answer(AdminProviderRecord, description, [headerName.etag]);

const common = { tag: tags.administration, access: "admin" } as const;

export const providerAdministrationOperations = operationTable(common, {
  listProviders: {
    method: "GET",
    path: "/admin/providers",
    summary: "List the providers and what is served of them",
    answers: { 200: answer(AdminProviderList, "All of them, from files and from operators."), ...always },
  },
  getProvider: {
    method: "GET",
    path: "/admin/providers/{provider}",
    summary: "Read one provider with its definition",
    params: providerParams,
    answers: { 200: record("The provider; with an ETag if an operator wrote it."), ...genericFaults(404), ...always },
  },
  putProvider: {
    method: "PUT",
    path: "/admin/providers/{provider}",
    summary: "Write a provider's definition",
    description:
      "It is served at once by the process that answers and within 2 seconds by all. Calls in flight end by the definition they began with. It stands before a file of the same provider. With If-Match only the named version is replaced; If-None-Match: * only adds.",
    params: providerParams,
    headers: Type.Object({
      ...expecting,
      [headerName.ifNoneMatch]: Type.Optional(Type.String({ pattern: "^\\*$" })),
    }),
    body: jsonBody(ProviderDefinitionBody),
    answers: {
      200: record("It was replaced."),
      201: record("It was added."),
      ...genericFaults(400, 404, 412, 413),
      ...always,
    },
  },
  deleteProvider: {
    method: "DELETE",
    path: "/admin/providers/{provider}",
    summary: "Remove a provider's stored definition",
    description: "A file of the same provider counts again. Calls in flight end by the definition they began with.",
    params: providerParams,
    headers: Type.Object(expecting),
    answers: { 204: emptyAnswer("It is no longer served."), ...genericFaults(400, 404, 412), ...always },
  },
  listServerCredentials: {
    method: "GET",
    path: "/admin/provider-credentials",
    summary: "See at which providers this server has a credential",
    description: "Providers that come with the server and wait for a credential are listed too.",
    answers: { 200: answer(ServerCredentialList, "All of them, without their text."), ...always },
  },
  putServerCredential: {
    method: "PUT",
    path: "/admin/providers/{provider}/credential",
    summary: "Enter this server's credential at a provider",
    description:
      "It is sealed, bound to the provider's hosts as they are now, never shown, and used where the environment has none: at once by the process that answers and within 2 seconds by all.",
    params: providerParams,
    body: jsonBody(PutServerCredential),
    answers: { 200: answer(ServerCredential, "It is stored."), ...genericFaults(400, 404, 409, 413), ...always },
  },
  deleteServerCredential: {
    method: "DELETE",
    path: "/admin/providers/{provider}/credential",
    summary: "Remove this server's stored credential at a provider",
    description: "That of the environment stays. Keep it until no call is open.",
    params: providerParams,
    answers: { 204: emptyAnswer("It is gone."), ...genericFaults(404, 409), ...always },
  },
  checkProvider: {
    method: "POST",
    path: "/admin/providers/{provider}/check",
    summary: "Try whether a provider answers and takes the credential",
    description:
      "By the cheapest call that its definition names: a read of a task that does not exist, else a GET where calls are posted to. It begins nothing and costs nothing.",
    params: providerParams,
    answers: { 200: answer(ProviderCheck, "What was found."), ...genericFaults(404), ...always },
  },
  setModelRelease: {
    method: "PUT",
    path: "/admin/models/{provider}/{model}/release",
    summary: "Release a model or take it back",
    description: "An unreleased model is absent everywhere. The word stays when the definition is written again.",
    params: Type.Object({ provider: name("The provider's name."), model: name("The model's own name.") }),
    body: jsonBody(SetModelRelease),
    answers: { 200: answer(ModelRelease, "The model as it is now."), ...genericFaults(400, 404, 413), ...always },
  },
  setModelRetirement: {
    method: "PUT",
    path: "/admin/models/{provider}/{model}/retirement",
    summary: "Deprecate a model and say when it goes",
    description:
      "Its answers carry Deprecation and Sunset from now on, the release notes name it, and after the sunset it is absent everywhere.",
    params: Type.Object({ provider: name("The provider's name."), model: name("The model's own name.") }),
    body: jsonBody(SetModelRetirement),
    answers: { 200: answer(ModelRelease, "The model as it is now."), ...genericFaults(400, 404, 413), ...always },
  },
  getWorkspaceModels: {
    method: "GET",
    path: "/admin/workspaces/{workspaceId}/models",
    summary: "Read what a workspace may run",
    params: Type.Object({ workspaceId: Uuid }),
    answers: { 200: answer(WorkspaceModels, "What it may run."), ...genericFaults(404), ...always },
  },
  setWorkspaceModels: {
    method: "PUT",
    path: "/admin/workspaces/{workspaceId}/models",
    summary: "Change what a workspace may run",
    description: "It applies at once in the process that answers and within 5 seconds everywhere.",
    params: Type.Object({ workspaceId: Uuid }),
    body: jsonBody(WorkspaceModels),
    answers: { 200: answer(WorkspaceModels, "What it may run now."), ...genericFaults(400, 404, 413), ...always },
  },
});
