// Credentials of this server that a provider or partner rejected, as operators see them.
import { type Static, Type } from "typebox";
import { entity, nullable, Timestamp } from "../wire-values.ts";

export const RefusedCredential = entity(
  "RefusedCredential",
  "A credential of this server that was not accepted elsewhere.",
  {
    refused_by: Type.String({ minLength: 1, description: "The provider or partner, as usage names it." }),
    setting: Type.String({ minLength: 1, description: "The variable that holds the credential." }),
    provider_status: Type.Integer({ minimum: 100, maximum: 599, description: "The status of the newest refusal." }),
    provider_words: nullable(Type.String(), "What it said, without the credential."),
    times: Type.Integer({ minimum: 1, description: "Refusals so far, at least." }),
    last_at: Timestamp,
  },
);
export type RefusedCredential = Static<typeof RefusedCredential>;

export const RefusedCredentialList = entity("RefusedCredentialList", "Refused credentials, the newest refusal first.", {
  data: Type.Array(RefusedCredential),
});
export type RefusedCredentialList = Static<typeof RefusedCredentialList>;
