// What operators read and write about providers, releases and what a workspace may run. The server's loader checks the
// definition itself, as it does for files; the schemas here describe only what every definition has.
import { type Static, Type } from "typebox";
import { entity, nullable, Timestamp, Uuid, wordOf } from "./wire-values.ts";

const segment = "^[a-z0-9]+([._-][a-z0-9]+)*$";
const part = segment.slice(1, -1);
const entitlement = `^(\\*|${part}/(\\*|${part}))$`;
const modelId = Type.String({ description: "The model's canonical id, provider/model." });
const overrideOf = (description: string) => nullable(Type.Boolean(), description);

export const ProviderName = Type.String({ pattern: segment, maxLength: 64, description: "The provider's name." });

export const ModelRelease = entity("ModelRelease", "Whether a model is released and served.", {
  id: modelId,
  released: Type.Boolean({ description: "The effective value: the operator's setting, or else the definition's." }),
  release_override: overrideOf("The operator's setting; null if the definition decides."),
  served: Type.Boolean({
    description:
      "Whether it is listed and callable: released, not past its sunset, and with its credential configured.",
  }),
  deprecated_at: nullable(Timestamp, "When it was deprecated."),
  sunset_at: nullable(Timestamp, "When it is removed."),
  verified: nullable(
    Timestamp,
    "When `atelier models check --live` last succeeded with this definition; null if never.",
  ),
});
export type ModelRelease = Static<typeof ModelRelease>;

export const SetModelRelease = entity("SetModelRelease", "Whether to release a model.", {
  released: overrideOf("Whether the model is released; null lets its definition decide again."),
});

export const SetModelRetirement = entity("SetModelRetirement", "When a model is deprecated and when it is removed.", {
  deprecated_at: nullable(Timestamp, "When the model is deprecated; null lets its definition decide again."),
  sunset_at: Type.Optional(
    nullable(Timestamp, "When the model starts to return 404. At least 90 days after deprecated_at."),
  ),
});

const providerFields = {
  provider: ProviderName,
  source: wordOf(["admin", "file", "built_in"], {
    description: "Where the active definition comes from. admin overrides file, and file overrides built_in.",
  }),
  hidden_sources: Type.Array(Type.String(), {
    description: "Where overridden definitions of the same provider come from.",
  }),
  version: nullable(
    Type.Integer({ minimum: 1 }),
    "The version of the definition. With source admin it is the ETag. Null for the sandbox.",
  ),
  updated_at: nullable(Timestamp, "When an operator stored it; null for other sources."),
  readable: Type.Boolean({
    description: "false: stored by another release of the server and not served by this one.",
  }),
  credential_setting: nullable(
    Type.String(),
    "The name of the setting that holds the credential; null if none is needed. The value is never shown.",
  ),
  credential_configured: Type.Boolean({
    description: "Whether the process that answers has the credential for every host of the definition.",
  }),
  models: Type.Array(ModelRelease, { description: "Its models." }),
};

export const AdminProvider = entity("AdminProvider", "A provider, as shown to operators.", providerFields);
export type AdminProvider = Static<typeof AdminProvider>;

export const AdminProviderList = entity("AdminProviderList", "All providers.", {
  data: Type.Array(AdminProvider, { description: "Every provider, sorted by name." }),
});

export const AdminProviderRecord = entity("AdminProviderRecord", "A provider with its definition.", {
  ...providerFields,
  definition: Type.Unknown({ description: "The full definition; null if this server cannot read it." }),
});
export type AdminProviderRecord = Static<typeof AdminProviderRecord>;

export const ProviderDefinitionBody = entity(
  "ProviderDefinition",
  "A provider definition. Unknown members are refused.",
  {
    provider: ProviderName,
    base_url: Type.String({ pattern: "^https://[^/]", description: "The base URL: https on a public host." }),
    credential: Type.Object(
      { kind: wordOf(["none", "bearer", "header", "key_pair", "jwt_hs256"], { description: "The scheme." }) },
      { description: "How calls are authenticated. Names a setting; contains no secret." },
    ),
    models: Type.Array(
      Type.Object({ model: Type.String({ pattern: segment, maxLength: 128, description: "The model's own name." }) }),
      {
        minItems: 1,
        description: "How to call, poll, read and price each model. See docs/PROVIDER-DEFINITIONS.md.",
      },
    ),
  },
);

const textOf = (description: string) => Type.String({ maxLength: 1_000_000, description });

export const ProviderDefinitionText = entity(
  "ProviderDefinitionText",
  "A provider's definition as text, to start a new one from or to change.",
  {
    provider: ProviderName,
    source: wordOf(["admin", "file", "built_in"], { description: "Where it comes from." }),
    version: nullable(Type.Integer({ minimum: 1 }), "The stored version; null for other sources."),
    definition: textOf("The definition, as JSON."),
    fixtures: nullable(textOf("Its fixtures, as JSON."), "Null if the server has none: stored definitions have none."),
  },
);
export type ProviderDefinitionText = Static<typeof ProviderDefinitionText>;

export const CheckProviderDefinition = entity("CheckProviderDefinition", "The texts to check.", {
  definition: textOf("The definition, as its author wrote it. It need not be JSON yet."),
  fixtures: Type.Optional(
    nullable(textOf("What the provider answers. Absent or null: only the format is checked."), "The fixtures."),
  ),
  model: Type.Optional(
    nullable(
      Type.String({ pattern: segment, maxLength: 128, description: "A model's own name." }),
      "Try only this model. Null: all of them.",
    ),
  ),
});

export const DefinitionFinding = entity("DefinitionFinding", "What is wrong with a definition or its fixtures.", {
  in: wordOf(["definition", "fixtures"], { description: "The text it is in." }),
  path: Type.String({ description: "The JSON pointer of the value it is about." }),
  line: Type.Integer({ minimum: 1, description: "The line of that value." }),
  column: Type.Integer({ minimum: 1, description: "The character in that line." }),
  model: nullable(Type.String(), "The model it is about; null if it is about the whole."),
  case: nullable(Type.String(), "The case that showed it."),
  message: Type.String({ description: "What is wrong, in plain words." }),
});
export type DefinitionFinding = Static<typeof DefinitionFinding>;

export const DefinitionCheck = entity("DefinitionCheck", "What was found. Nothing was stored.", {
  provider: nullable(ProviderName, "The provider's name; null if the definition cannot be read."),
  models: Type.Array(Type.String(), { description: "Its models, by their own names." }),
  cases: Type.Integer({ minimum: 0, description: "How many cases were tried." }),
  findings: Type.Array(DefinitionFinding, { description: "Empty if nothing is wrong." }),
  prices: Type.Array(
    Type.Object({
      model: Type.String({ description: "The model's own name." }),
      usd: Type.String({ description: "Its price in USD, in words." }),
      example_usd: Type.String({ description: "What its example costs at most, in USD." }),
    }),
    { description: "How the prices were understood." },
  ),
});
export type DefinitionCheck = Static<typeof DefinitionCheck>;

export const ServerCredential = entity(
  "ServerCredential",
  "Whether this server has a credential for a provider, and its source. The value is never shown.",
  {
    provider: ProviderName,
    setting: Type.String({ minLength: 1, description: "The variable for it." }),
    source: wordOf(["environment", "stored", "made", "none"], {
      description:
        "environment: the variable is set, and overrides the rest. stored: an operator entered it. made: created by the server itself, for the sandbox.",
    }),
    models: Type.Integer({ minimum: 0, description: "How many models the provider has." }),
    updated_at: nullable(Timestamp, "When an operator entered it; null for other sources."),
  },
);
export type ServerCredential = Static<typeof ServerCredential>;

export const ServerCredentialList = entity(
  "ServerCredentialList",
  "This server's credentials. Secrets are not included.",
  {
    data: Type.Array(ServerCredential, { description: "Every provider that needs one, sorted by name." }),
  },
);

export const PutServerCredential = entity("PutServerCredential", "A credential of this server to store.", {
  value: Type.String({
    minLength: 8,
    maxLength: 4096,
    pattern: "^[!-~]+$",
    description: "The key from the provider, or id:secret for a pair. It is never shown again.",
  }),
});

export const ProviderCheck = entity("ProviderCheck", "Whether a provider responds and accepts the credential.", {
  status: wordOf(["ok", "refused", "failing", "not_checked"], {
    description:
      "refused: the provider does not accept the credential. not_checked: there is no credential, or nothing to call.",
  }),
  ms: nullable(Type.Integer({ minimum: 0 }), "How long it took; null if the provider was not called."),
  words: Type.String({ description: "What was found, in plain words." }),
});

export const WorkspaceModels = entity("WorkspaceModels", "What a workspace may run.", {
  router_enabled: Type.Boolean({
    description: "Whether the workspace may use the model router. If false, calls return 403 not_enabled.",
  }),
  entitlements: nullable(
    Type.Array(Type.String({ minLength: 1, maxLength: 193, pattern: entitlement }), {
      maxItems: 1000,
      description: "`*`, `provider/*` or model ids. Models that none of them allows return 403 forbidden.",
    }),
    "Which models it may run; null for the installation's default.",
  ),
});
export type WorkspaceModels = Static<typeof WorkspaceModels>;

export const ProviderHealth = entity(
  "ProviderHealth",
  "How a provider fares in this process's calls with one credential.",
  {
    provider: ProviderName,
    credential: wordOf(["server", "own"], {
      description: "Whose credential the calls used: the server's, or a workspace's own.",
    }),
    workspace_id: nullable(Uuid, "The workspace whose own credential it is; null for the server's."),
    circuit: wordOf(["closed", "open", "half_open"], {
      description:
        "open: it failed five times in a row, and routes ask it last. half_open: the next call of a route tries it.",
    }),
    tries_again_at: nullable(Timestamp, "When one call tries it again; null while the circuit is closed."),
    calls: Type.Integer({ minimum: 0, description: "Since this process started." }),
    success: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "The share that succeeded, weighted towards the newest.",
    }),
    latency_ms: nullable(Type.Integer({ minimum: 0 }), "Of those that succeeded, weighted towards the newest."),
    last_failure: nullable(
      Type.Object({
        at: Timestamp,
        status: nullable(Type.Integer({ minimum: 100, maximum: 599 }), "The provider's HTTP status, if it responded."),
        words: Type.String({ description: "What happened, without secrets and URLs." }),
      }),
      "The last refusal or failure; null if there was none.",
    ),
  },
);
export type ProviderHealth = Static<typeof ProviderHealth>;

export const ProviderHealthList = entity("ProviderHealthList", "The health of all providers that were called.", {
  data: Type.Array(ProviderHealth, { description: "Sorted by provider, the server's credential first." }),
});
