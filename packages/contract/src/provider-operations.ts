// What operators read and write about providers, releases and what a workspace may run. The server's loader checks the
// definition itself, as it does for files; the schemas here describe only what every definition has.
import { type Static, Type } from "typebox";
import { entity, nullable, Timestamp, wordOf } from "./wire-values.ts";

const segment = "^[a-z0-9]+([._-][a-z0-9]+)*$";
const part = segment.slice(1, -1);
const entitlement = `^(\\*|${part}/(\\*|${part}))$`;
const modelId = Type.String({ description: "The model's canonical id, provider/model." });
const overrideOf = (description: string) => nullable(Type.Boolean(), description);

export const ProviderName = Type.String({ pattern: segment, maxLength: 64, description: "The provider's name." });

export const ModelRelease = entity("ModelRelease", "Whether a model is released and served.", {
  id: modelId,
  released: Type.Boolean({ description: "What counts: the operator's word, else the definition's." }),
  release_override: overrideOf("What an operator said; null: the definition's own word counts."),
  served: Type.Boolean({
    description: "Whether it is listed and runs: released, not past its sunset, and the credential is configured.",
  }),
  deprecated_at: nullable(Timestamp, "Since when callers are asked to move on."),
  sunset_at: nullable(Timestamp, "From when on it is gone."),
  verified: nullable(Timestamp, "When `atelier models check --live` last succeeded with this definition; null: never."),
});
export type ModelRelease = Static<typeof ModelRelease>;

export const SetModelRelease = entity("SetModelRelease", "A wish to release a model or to take it back.", {
  released: overrideOf("Whether the model is released; null gives its definition the word again."),
});
export type SetModelRelease = Static<typeof SetModelRelease>;

export const SetModelRetirement = entity("SetModelRetirement", "When a model is deprecated and when it goes.", {
  deprecated_at: nullable(
    Timestamp,
    "Since when callers are asked to move on; null gives its definition the word again.",
  ),
  sunset_at: Type.Optional(
    nullable(Timestamp, "From when on the model answers 404. At least 90 days after deprecated_at."),
  ),
});
export type SetModelRetirement = Static<typeof SetModelRetirement>;

const providerFields = {
  provider: ProviderName,
  source: wordOf(["admin", "file", "built_in"], {
    description: "Where the definition that counts comes from. Admin stands before file, file before built_in.",
  }),
  hidden_sources: Type.Array(Type.String(), {
    description: "Where further definitions of the same provider come from; they do not count.",
  }),
  version: nullable(
    Type.Integer({ minimum: 1 }),
    "The version of the definition; with source admin it is the ETag. Null for the sandbox.",
  ),
  updated_at: nullable(Timestamp, "When an operator wrote it; null for other sources."),
  readable: Type.Boolean({
    description: "False: stored by another release of the server, not served by this one.",
  }),
  credential_setting: nullable(
    Type.String(),
    "The name of the setting that holds the credential; null: it needs none. The value is never shown.",
  ),
  credential_configured: Type.Boolean({
    description: "Whether the process that answers has the credential, for every host of the definition.",
  }),
  models: Type.Array(ModelRelease, { description: "Its models." }),
};

export const AdminProvider = entity("AdminProvider", "A provider as operators see it.", providerFields);
export type AdminProvider = Static<typeof AdminProvider>;

export const AdminProviderList = entity("AdminProviderList", "All providers.", {
  data: Type.Array(AdminProvider, { description: "Every provider, in order of names." }),
});
export type AdminProviderList = Static<typeof AdminProviderList>;

export const AdminProviderRecord = entity("AdminProviderRecord", "A provider with its definition.", {
  ...providerFields,
  definition: Type.Unknown({ description: "The whole definition; null when not readable." }),
});
export type AdminProviderRecord = Static<typeof AdminProviderRecord>;

export const ProviderDefinitionBody = entity(
  "ProviderDefinition",
  "A provider as data. Members that the server does not know are refused.",
  {
    provider: ProviderName,
    base_url: Type.String({ pattern: "^https://[^/]", description: "Where it is; a public host over https." }),
    credential: Type.Object(
      { kind: wordOf(["none", "bearer", "header", "key_pair", "jwt_hs256"], { description: "In which form." }) },
      { description: "How we prove who we are; names a setting and holds no secret." },
    ),
    models: Type.Array(
      Type.Object({ model: Type.String({ pattern: segment, maxLength: 128, description: "The model's own name." }) }),
      {
        minItems: 1,
        description: "How each model is sent, followed, read and paid for; see docs/PROVIDER-DEFINITIONS.md.",
      },
    ),
  },
);
export type ProviderDefinitionBody = Static<typeof ProviderDefinitionBody>;

export const ServerCredential = entity(
  "ServerCredential",
  "Whether this server has a credential at a provider, and where from. The value is never shown.",
  {
    provider: ProviderName,
    setting: Type.String({ minLength: 1, description: "The variable that would hold it." }),
    source: wordOf(["environment", "stored", "made", "none"], {
      description:
        "environment: the variable is set, which comes first; stored: an operator entered it; made: by the server itself, for the sandbox.",
    }),
    models: Type.Integer({ minimum: 0, description: "How many models the provider has." }),
    updated_at: nullable(Timestamp, "When an operator entered it; null for other sources."),
  },
);
export type ServerCredential = Static<typeof ServerCredential>;

export const ServerCredentialList = entity("ServerCredentialList", "This server's credentials, without their text.", {
  data: Type.Array(ServerCredential, { description: "Every provider that needs one, in order of names." }),
});
export type ServerCredentialList = Static<typeof ServerCredentialList>;

export const PutServerCredential = entity("PutServerCredential", "A credential of this server to store.", {
  value: Type.String({
    minLength: 8,
    maxLength: 4096,
    pattern: "^[!-~]+$",
    description: "The key as the provider gave it; id:secret where it gave a pair. It is never shown again.",
  }),
});
export type PutServerCredential = Static<typeof PutServerCredential>;

export const ProviderCheck = entity("ProviderCheck", "Whether a provider answers and takes the credential.", {
  status: wordOf(["ok", "refused", "failing", "not_checked"], {
    description: "refused: it does not take the credential; not_checked: there is none here, or nothing to ask.",
  }),
  ms: nullable(Type.Integer({ minimum: 0 }), "How long it took; null: it was not asked."),
  words: Type.String({ description: "What was found, in our words." }),
});
export type ProviderCheck = Static<typeof ProviderCheck>;

export const WorkspaceModels = entity("WorkspaceModels", "What a workspace may run.", {
  router_enabled: Type.Boolean({
    description: "Whether the workspace may use the model router; false answers 403 not_enabled.",
  }),
  entitlements: nullable(
    Type.Array(Type.String({ minLength: 1, maxLength: 193, pattern: entitlement }), {
      maxItems: 1000,
      description: "`*`, `provider/*` or model ids. What none of them allows answers 403 forbidden.",
    }),
    "Which models it may run; null: the installation's default.",
  ),
});
export type WorkspaceModels = Static<typeof WorkspaceModels>;
