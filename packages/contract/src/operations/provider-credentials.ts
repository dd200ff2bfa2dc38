// A workspace brings its own key to a provider. Part of the account (decisions, section 7).
import { Type } from "typebox";
import type { Operation } from "../operation.ts";
import { ProviderCredential, ProviderCredentialList, PutProviderCredential } from "../provider-credentials.ts";
import { answer, emptyAnswer, genericFault, jsonBody } from "./answers.ts";
import { tags } from "./tags.ts";

const tag = tags.account;
const provider = Type.Object({
  provider: Type.String({ minLength: 1, maxLength: 64, description: "The provider's name." }),
});
const read = {
  401: genericFault[401],
  403: genericFault[403],
  429: genericFault[429],
  500: genericFault[500],
  503: genericFault[503],
};

export const providerCredentialOperations = {
  listProviderCredentials: {
    id: "listProviderCredentials",
    method: "GET",
    path: "/account/provider-credentials",
    tag,
    summary: "List the workspace's own credentials at providers",
    access: "key",
    answers: { 200: answer(ProviderCredentialList, "The credentials, without their text."), ...read },
  },
  putProviderCredential: {
    id: "putProviderCredential",
    method: "PUT",
    path: "/account/provider-credentials/{provider}",
    tag,
    summary: "Store the workspace's own credential at a provider",
    description:
      "For owners. Model calls of the workspace go under it within five seconds and are not charged for the provider's part. It is sealed, bound to the provider's hosts, and never shown.",
    access: "key",
    params: provider,
    body: jsonBody(PutProviderCredential),
    answers: {
      200: answer(ProviderCredential, "Replaced."),
      201: answer(ProviderCredential, "Stored."),
      400: genericFault[400],
      ...read,
      404: genericFault[404],
      413: genericFault[413],
    },
  },
  deleteProviderCredential: {
    id: "deleteProviderCredential",
    method: "DELETE",
    path: "/account/provider-credentials/{provider}",
    tag,
    summary: "Remove the workspace's own credential at a provider",
    description:
      "For owners. Calls go under the server's credential again and are charged. Keep it until no call is open.",
    access: "key",
    params: provider,
    answers: { 204: emptyAnswer("Removed."), ...read, 404: genericFault[404] },
  },
} as const satisfies Record<string, Operation>;
