// A workspace brings its own key to a provider. Part of the account (decisions, section 7).
import { Type } from "typebox";
import { ProviderCredential, ProviderCredentialList, PutProviderCredential } from "../account/provider-credentials.ts";
import { operationTable } from "../operation.ts";
import { answer, emptyAnswer, genericFaults, jsonBody } from "./answers.ts";
import { tags } from "./tags.ts";

const provider = Type.Object({
  provider: Type.String({ minLength: 1, maxLength: 64, description: "The provider's name." }),
});
const read = genericFaults(401, 403, 429, 500, 503);

const common = { tag: tags.account, access: "key" } as const;

export const providerCredentialOperations = operationTable(common, {
  listProviderCredentials: {
    method: "GET",
    path: "/account/provider-credentials",
    summary: "List the workspace's own credentials at providers",
    answers: { 200: answer(ProviderCredentialList, "The credentials, without their text."), ...read },
  },
  putProviderCredential: {
    method: "PUT",
    path: "/account/provider-credentials/{provider}",
    summary: "Store the workspace's own credential at a provider",
    description:
      "For owners. Model calls of the workspace go under it within five seconds and are not charged for the provider's part. It is sealed, bound to the provider's hosts, and never shown.",
    params: provider,
    body: jsonBody(PutProviderCredential),
    answers: {
      200: answer(ProviderCredential, "Replaced."),
      201: answer(ProviderCredential, "Stored."),
      ...genericFaults(400, 404, 413),
      ...read,
    },
  },
  deleteProviderCredential: {
    method: "DELETE",
    path: "/account/provider-credentials/{provider}",
    summary: "Remove the workspace's own credential at a provider",
    description:
      "For owners. Calls go under the server's credential again and are charged. Keep it until no call is open.",
    params: provider,
    answers: { 204: emptyAnswer("Removed."), ...read, ...genericFaults(404) },
  },
});
