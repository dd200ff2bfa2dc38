// A workspace's own credentials at providers: written and never read. Its calls go under them and are not charged for the
// provider's part.
import { type Static, Type } from "typebox";
import { Timestamp } from "./wire-values.ts";

export const ProviderCredential = Type.Object(
  {
    provider: Type.String({ description: "The first segment of the provider's model ids." }),
    hosts: Type.Array(Type.String(), { description: "Where it is sent, and nowhere else." }),
    is_used: Type.Boolean({
      description: "Whether calls go under it now: the provider takes a workspace's own, and is at these hosts.",
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "ProviderCredential", description: "That a workspace has a credential of its own at a provider." },
);
export type ProviderCredential = Static<typeof ProviderCredential>;

export const ProviderCredentialList = Type.Object(
  { data: Type.Array(ProviderCredential) },
  { title: "ProviderCredentialList", description: "The workspace's credentials, without their text." },
);
export type ProviderCredentialList = Static<typeof ProviderCredentialList>;

export const PutProviderCredential = Type.Object(
  {
    credential: Type.String({
      minLength: 8,
      maxLength: 4096,
      pattern: "^[!-~]+$",
      description: "The key as the provider gave it; id:secret where it gave a pair. It is never shown again.",
    }),
  },
  { title: "PutProviderCredential", description: "A credential to store." },
);
export type PutProviderCredential = Static<typeof PutProviderCredential>;
