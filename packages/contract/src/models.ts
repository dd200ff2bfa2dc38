// The model router's entities. Catalog and invocation share the same segment schemas, so a listed id is always callable.
import { type Static, Type } from "typebox";
import { limits } from "./limits.ts";
import { pageOf } from "./pagination.ts";
import { entity, nullable, OpenObject, Timestamp, wordOf } from "./wire-values.ts";

const segment = "[a-z0-9]+([._-][a-z0-9]+)*";

export const ProviderSegment = Type.String({
  title: "ProviderSegment",
  description: "The provider: the first half of the model's id.",
  pattern: `^${segment}$`,
  maxLength: limits.providerSegmentLengthMax,
});

export const ModelSegment = Type.String({
  title: "ModelSegment",
  description: "The model's name at the provider: the second half of its id.",
  pattern: `^${segment}$`,
  maxLength: limits.modelSegmentLengthMax,
});

export const ModelId = Type.String({
  title: "ModelId",
  description: "Provider and model, joined by a slash.",
  pattern: `^${segment}/${segment}$`,
  maxLength: limits.modelIdLengthMax,
});

export const BillingFacts = entity("BillingFacts", "Facts about billing, never prices.", {
  charges_on_policy_rejection: wordOf(["yes", "no", "unknown"], {
    description: "Whether a call that the model refuses on policy grounds is still charged. Treat unknown as possibly.",
  }),
});

const entryFields = {
  id: ModelId,
  provider: ProviderSegment,
  model: ModelSegment,
  billing: BillingFacts,
};

export const CatalogEntry = entity("CatalogEntry", "A released model in the catalog.", entryFields);
export type CatalogEntry = Static<typeof CatalogEntry>;

export const CatalogPage = pageOf(CatalogEntry, "CatalogPage", "One page of the catalog, sorted by id, bytewise.");
export type CatalogPage = Static<typeof CatalogPage>;

export const modelKinds = ["image", "video", "audio", "text", "other"] as const;

// What helps a person choose a model. The catalog itself never shows a price (Spec, Catalog entry).
const describedFields = {
  title: Type.Optional(Type.String({ description: "The display name." })),
  description: Type.Optional(Type.String({ description: "What it makes, and from what." })),
  kind: Type.Optional(wordOf(modelKinds, { description: "What it makes. Absent if its definition does not say." })),
  deprecated_at: Type.Optional(
    Type.String({ format: "date-time", description: "When it was deprecated; also in the Deprecation header." }),
  ),
  sunset_at: Type.Optional(
    Type.String({ format: "date-time", description: "When it starts to return 404; also in the Sunset header." }),
  ),
  verified: nullable(
    Timestamp,
    "When the operator's live check last succeeded with exactly this definition; null if never. A definition written only from documentation has none.",
  ),
};

export const ModelDetail = entity("ModelDetail", "One model, with fields that lists do not include.", {
  ...entryFields,
  input_schema_url: Type.Optional(
    Type.String({
      format: "uri",
      maxLength: 2_048,
      description: "The URL of the input schema. Absent if there is none.",
    }),
  ),
  ...describedFields,
  examples: Type.Optional(
    Type.Array(
      Type.Object({
        title: nullable(Type.String(), "Null if it has none."),
        inputs: OpenObject,
        urls: Type.Array(Type.String({ format: "uri" }), { description: "What it made, as signed URLs that expire." }),
      }),
      { description: "Examples of a work, which ran when it was published. Absent for other models." },
    ),
  ),
});
export type ModelDetail = Static<typeof ModelDetail>;

// Spec, Model input, model output: open objects the partner owns. The server forwards bytes and never re-serialises.
export const ModelInput = Type.Record(Type.String(), Type.Unknown(), {
  title: "ModelInput",
  description: "The partner's native input, forwarded byte for byte. The model's openapi.json describes it.",
});

export const ModelOutput = Type.Record(Type.String(), Type.Unknown(), {
  title: "ModelOutput",
  description: "The partner's native output, byte for byte.",
});

export const InputSchemaDocument = entity(
  "InputSchemaDocument",
  "A self-contained OpenAPI document of one model. Its input is validated against exactly this document.",
  {
    openapi: Type.String({ pattern: "^3\\.1\\.[0-9]+$" }),
    info: Type.Object({ title: ModelId, version: Type.String() }),
    paths: Type.Record(Type.String(), Type.Unknown()),
    components: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
);

const price = Type.String({ description: "The price of a call in credits, as text. 0 means free." });

export const AccountModel = entity(
  "AccountModel",
  "A model, for people choosing one: what it makes and what it costs.",
  {
    ...entryFields,
    ...describedFields,
    price,
    prompt_input: nullable(
      Type.String(),
      "The input that takes a prompt, if a call needs nothing else; null if it needs more, or something else.",
    ),
  },
);
export type AccountModel = Static<typeof AccountModel>;

export const LockedModel = entity(
  "LockedModel",
  "A model that this server knows but cannot call, because its provider has no credential.",
  {
    ...entryFields,
    title: describedFields.title,
    description: describedFields.description,
    kind: describedFields.kind,
    price,
    own_credential: Type.Boolean({ description: "Whether a workspace can add a credential of its own." }),
  },
);
export type LockedModel = Static<typeof LockedModel>;

export const AccountModelList = entity(
  "AccountModelList",
  "Every model of a provider that the workspace can call. Works are listed separately.",
  {
    data: Type.Array(AccountModel, { description: "Sorted by id, bytewise." }),
    locked: Type.Array(LockedModel, {
      description: "Models that need a credential first, sorted by id, bytewise.",
    }),
  },
);
