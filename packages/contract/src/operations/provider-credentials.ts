// A workspace brings its own key to a provider. Part of the account (decisions, section 7).
import { Type } from "typebox";
import { ProviderCredential, ProviderCredentialList, PutProviderCredential } from "../account/provider-credentials.ts";
import { operationTable } from "../operation.ts";
import { answer, emptyAnswer, jsonBody, ofAccount } from "./answers.ts";

const provider = Type.Object({
  provider: Type.String({ minLength: 1, maxLength: 64, description: "The provider's name." }),
});

export const providerCredentialOperations = operationTable(ofAccount, {
  listProviderCredentials: {
    method: "GET",
    path: "/account/provider-credentials",
    summary: "List the workspace's own provider credentials",
    answers: { 200: answer(ProviderCredentialList, "The credentials. Secrets are not included.") },
  },
  putProviderCredential: {
    method: "PUT",
    path: "/account/provider-credentials/{provider}",
    role: "owner",
    summary: "Store the workspace's own credential for a provider",
    description:
      "Owners only. Within five seconds the workspace's model calls use it and are no longer charged for the provider's part. It is stored encrypted, bound to the provider's hosts, and never shown.",
    params: provider,
    body: jsonBody(PutProviderCredential),
    answers: { 200: answer(ProviderCredential, "Replaced."), 201: answer(ProviderCredential, "Stored.") },
  },
  deleteProviderCredential: {
    method: "DELETE",
    path: "/account/provider-credentials/{provider}",
    role: "owner",
    summary: "Remove the workspace's own credential for a provider",
    description:
      "Owners only. Calls use the server's credential again and are charged. Keep the credential valid until no call is in flight.",
    params: provider,
    answers: { 204: emptyAnswer("Removed.") },
  },
});
