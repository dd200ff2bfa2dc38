// The operators' operations on providers, releases and workspaces' rights to models. They need an admin token.
import { Type } from "typebox";
import { headerName } from "../headers.ts";
import { operationTable } from "../operation.ts";
import {
  AdminProviderList,
  AdminProviderRecord,
  CheckProviderDefinition,
  DefinitionCheck,
  ModelRelease,
  ProviderCheck,
  ProviderDefinitionBody,
  ProviderDefinitionText,
  ProviderHealthList,
  PutServerCredential,
  ServerCredential,
  ServerCredentialList,
  SetModelRelease,
  SetModelRetirement,
  WorkspaceModels,
} from "../provider-operations.ts";
import { Uuid } from "../wire-values.ts";
import { answer, emptyAnswer, genericFaults, jsonBody, ofAdministration } from "./answers.ts";

const name = (description: string) => Type.String({ minLength: 1, description });
const providerParams = Type.Object({ provider: name("The provider's name.") });
const expecting = { [headerName.ifMatch]: Type.Optional(Type.String({ pattern: '^(\\*|"[^",]*"( *, *"[^",]*")*)$' })) };
const record = (description: string) => answer(AdminProviderRecord, description, [headerName.etag]);

export const providerAdministrationOperations = operationTable(ofAdministration, {
  listProviders: {
    method: "GET",
    path: "/admin/providers",
    summary: "List the providers and their models",
    answers: { 200: answer(AdminProviderList, "All providers, from files and from operators.") },
  },
  getProvider: {
    method: "GET",
    path: "/admin/providers/{provider}",
    summary: "Read a provider and its definition",
    params: providerParams,
    answers: { 200: record("The provider. Has an ETag if an operator wrote it.") },
  },
  putProvider: {
    method: "PUT",
    path: "/admin/providers/{provider}",
    summary: "Write a provider's definition",
    description:
      "Takes effect immediately in the process that answers and within 2 seconds everywhere. Calls in flight finish under the definition they started with. It overrides a file for the same provider. With If-Match, only that version is replaced; with If-None-Match: *, a provider can only be added.",
    params: providerParams,
    headers: Type.Object({
      ...expecting,
      [headerName.ifNoneMatch]: Type.Optional(Type.String({ pattern: "^\\*$" })),
    }),
    body: jsonBody(ProviderDefinitionBody),
    answers: { 200: record("Replaced."), 201: record("Added."), ...genericFaults(412) },
  },
  deleteProvider: {
    method: "DELETE",
    path: "/admin/providers/{provider}",
    summary: "Remove a provider's stored definition",
    description:
      "A file for the same provider applies again. Calls in flight finish under the definition they started with.",
    params: providerParams,
    headers: Type.Object(expecting),
    answers: { 204: emptyAnswer("Removed."), ...genericFaults(400, 412) },
  },
  getProviderDefinition: {
    method: "GET",
    path: "/admin/provider-definitions/{provider}",
    summary: "Read a definition as text",
    description:
      "Of any provider that is stored, in a file, or ships with the server, with the fixtures if the server has them.",
    params: providerParams,
    answers: { 200: answer(ProviderDefinitionText, "The texts.") },
  },
  checkProviderDefinition: {
    method: "POST",
    path: "/admin/provider-definitions/check",
    summary: "Check a definition without storing it",
    description:
      "Each finding has its line. With fixtures, the definition is also tried against a stand-in on loopback that answers what they say; no provider is called. One such trial runs at a time in each process; others wait.",
    body: jsonBody(CheckProviderDefinition),
    answers: { 200: answer(DefinitionCheck, "What was found.") },
  },
  listProviderHealth: {
    method: "GET",
    path: "/admin/provider-health",
    summary: "See how providers fare",
    description: "From the calls of the process that answers. Each process keeps its own figures, since its start.",
    answers: { 200: answer(ProviderHealthList, "One entry for each provider and credential.") },
  },
  listServerCredentials: {
    method: "GET",
    path: "/admin/provider-credentials",
    summary: "List this server's provider credentials",
    description: "Includes built-in providers that still need a credential.",
    answers: { 200: answer(ServerCredentialList, "All credentials. Secrets are not included.") },
  },
  putServerCredential: {
    method: "PUT",
    path: "/admin/providers/{provider}/credential",
    summary: "Store this server's credential for a provider",
    description:
      "It is stored encrypted, bound to the provider's current hosts, and never shown. It is used if the environment has no credential. Takes effect immediately in the process that answers and within 2 seconds everywhere.",
    params: providerParams,
    body: jsonBody(PutServerCredential),
    answers: { 200: answer(ServerCredential, "Stored."), ...genericFaults(409) },
  },
  deleteServerCredential: {
    method: "DELETE",
    path: "/admin/providers/{provider}/credential",
    summary: "Remove this server's stored credential for a provider",
    description:
      "A credential in the environment is not affected. Keep the credential valid until no call is in flight.",
    params: providerParams,
    answers: { 204: emptyAnswer("Deleted."), ...genericFaults(409) },
  },
  checkProvider: {
    method: "POST",
    path: "/admin/providers/{provider}/check",
    summary: "Check that a provider responds and accepts the credential",
    description:
      "Uses the cheapest call in the provider's definition: it reads a task that does not exist, or sends a GET to the URL that calls are posted to. Starts nothing and costs nothing.",
    params: providerParams,
    answers: { 200: answer(ProviderCheck, "The result of the check.") },
  },
  setModelRelease: {
    method: "PUT",
    path: "/admin/models/{provider}/{model}/release",
    summary: "Release or withdraw a model",
    description: "An unreleased model appears nowhere. The decision outlives later changes to the definition.",
    params: Type.Object({ provider: name("The provider's name."), model: name("The model's own name.") }),
    body: jsonBody(SetModelRelease),
    answers: { 200: answer(ModelRelease, "The updated model.") },
  },
  setModelRetirement: {
    method: "PUT",
    path: "/admin/models/{provider}/{model}/retirement",
    summary: "Deprecate a model and set its sunset",
    description:
      "From now on its responses carry Deprecation and Sunset, and the release notes list it. After the sunset the model appears nowhere.",
    params: Type.Object({ provider: name("The provider's name."), model: name("The model's own name.") }),
    body: jsonBody(SetModelRetirement),
    answers: { 200: answer(ModelRelease, "The updated model.") },
  },
  getWorkspaceModels: {
    method: "GET",
    path: "/admin/workspaces/{workspaceId}/models",
    summary: "Read what a workspace may run",
    params: Type.Object({ workspaceId: Uuid }),
    answers: { 200: answer(WorkspaceModels, "What it may run.") },
  },
  setWorkspaceModels: {
    method: "PUT",
    path: "/admin/workspaces/{workspaceId}/models",
    summary: "Change what a workspace may run",
    description: "Takes effect immediately in the process that answers and within 5 seconds everywhere.",
    params: Type.Object({ workspaceId: Uuid }),
    body: jsonBody(WorkspaceModels),
    answers: { 200: answer(WorkspaceModels, "What it may run now.") },
  },
});
