// Credentials of this server that a provider or partner rejected, as operators see them.
import { type Static, Type } from "typebox";
import { entity, nullable, Timestamp } from "../wire-values.ts";

export const RefusedCredential = entity(
  "RefusedCredential",
  "A credential of this server that a provider or partner refused.",
  {
    refused_by: Type.String({ minLength: 1, description: "The provider or partner, as named in usage." }),
    setting: Type.String({ minLength: 1, description: "The variable that holds the credential." }),
    provider_status: Type.Integer({ minimum: 100, maximum: 599, description: "The status of the newest refusal." }),
    provider_words: nullable(Type.String(), "Its message, without the credential."),
    times: Type.Integer({ minimum: 1, description: "Refusals so far (a lower bound)." }),
    last_at: Timestamp,
  },
);
export type RefusedCredential = Static<typeof RefusedCredential>;

export const RefusedCredentialList = entity("RefusedCredentialList", "Refused credentials, newest refusal first.", {
  data: Type.Array(RefusedCredential),
});
