// A workspace's own credentials at providers, which can be written but never read. Calls made with them are not charged for the
// provider's part.
import { type Static, Type } from "typebox";
import { entity, Timestamp } from "../wire-values.ts";

export const ProviderCredential = entity("ProviderCredential", "A workspace's own credential for a provider.", {
  provider: Type.String({ description: "The first part of the provider's model ids." }),
  hosts: Type.Array(Type.String(), { description: "The only hosts it is sent to." }),
  is_used: Type.Boolean({
    description: "Whether calls use it now: the provider accepts workspace credentials and is still at these hosts.",
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type ProviderCredential = Static<typeof ProviderCredential>;

export const ProviderCredentialList = entity(
  "ProviderCredentialList",
  "The workspace's credentials. Secrets are not included.",
  {
    data: Type.Array(ProviderCredential),
    providers: Type.Array(Type.String(), { description: "Providers that accept a workspace's own credential here." }),
  },
);

export const PutProviderCredential = entity("PutProviderCredential", "A credential to store.", {
  credential: Type.String({
    minLength: 8,
    maxLength: 4096,
    pattern: "^[!-~]+$",
    description: "The key from the provider, or id:secret for a pair. It is never shown again.",
  }),
});
