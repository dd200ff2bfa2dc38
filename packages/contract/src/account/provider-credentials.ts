// A workspace's own credentials at providers, which can be written but never read. Calls made with them are not charged for the
// provider's part.
import { type Static, Type } from "typebox";
import { entity, Timestamp } from "../wire-values.ts";

export const ProviderCredential = entity(
  "ProviderCredential",
  "That a workspace has a credential of its own at a provider.",
  {
    provider: Type.String({ description: "The first segment of the provider's model ids." }),
    hosts: Type.Array(Type.String(), { description: "Where it is sent, and nowhere else." }),
    is_used: Type.Boolean({
      description: "Whether calls go under it now: the provider takes a workspace's own, and is at these hosts.",
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
);
export type ProviderCredential = Static<typeof ProviderCredential>;

export const ProviderCredentialList = entity(
  "ProviderCredentialList",
  "The workspace's credentials, without their text.",
  {
    data: Type.Array(ProviderCredential),
    providers: Type.Array(Type.String(), { description: "Providers that take a workspace's own credential here." }),
  },
);
export type ProviderCredentialList = Static<typeof ProviderCredentialList>;

export const PutProviderCredential = entity("PutProviderCredential", "A credential to store.", {
  credential: Type.String({
    minLength: 8,
    maxLength: 4096,
    pattern: "^[!-~]+$",
    description: "The key as the provider gave it; id:secret where it gave a pair. It is never shown again.",
  }),
});
export type PutProviderCredential = Static<typeof PutProviderCredential>;
