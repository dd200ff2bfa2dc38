// The model router's entities. Catalog and invocation share the same segment schemas, so a listed id is always callable.
import { type Static, Type } from "typebox";
import { limits } from "./limits.ts";
import { pageOf } from "./pagination.ts";
import { entity, nullable, Timestamp, wordOf } from "./wire-values.ts";

const segment = "[a-z0-9]+([._-][a-z0-9]+)*";

export const ProviderSegment = Type.String({
  title: "ProviderSegment",
  description: "Who serves the model; the first half of its id.",
  pattern: `^${segment}$`,
  maxLength: limits.providerSegmentLengthMax,
});
export type ProviderSegment = Static<typeof ProviderSegment>;

export const ModelSegment = Type.String({
  title: "ModelSegment",
  description: "The model's name at its provider; the second half of its id.",
  pattern: `^${segment}$`,
  maxLength: limits.modelSegmentLengthMax,
});
export type ModelSegment = Static<typeof ModelSegment>;

export const ModelId = Type.String({
  title: "ModelId",
  description: "Provider and model joined by one slash.",
  pattern: `^${segment}/${segment}$`,
  maxLength: limits.modelIdLengthMax,
});
export type ModelId = Static<typeof ModelId>;

export const BillingFacts = entity("BillingFacts", "Facts about billing, never prices.", {
  charges_on_policy_rejection: wordOf(["yes", "no", "unknown"], {
    description: "Whether a call that the model refuses on policy grounds still costs. Read unknown as possibly.",
  }),
});
export type BillingFacts = Static<typeof BillingFacts>;

const entryFields = {
  id: ModelId,
  provider: ProviderSegment,
  model: ModelSegment,
  billing: BillingFacts,
};

export const CatalogEntry = entity("CatalogEntry", "A released model as the catalog lists it.", entryFields);
export type CatalogEntry = Static<typeof CatalogEntry>;

export const CatalogPage = pageOf(CatalogEntry, "CatalogPage", "One page of the catalog, in bytewise order of ids.");
export type CatalogPage = Static<typeof CatalogPage>;

export const modelKinds = ["image", "video", "audio", "text", "other"] as const;

// What helps a person choose a model. The catalog itself never shows a price (Spec, Catalog entry).
const describedFields = {
  title: Type.Optional(Type.String({ description: "Its name for people." })),
  description: Type.Optional(Type.String({ description: "What it makes, from what." })),
  kind: Type.Optional(wordOf(modelKinds, { description: "What it makes; absent where its definition does not say." })),
  deprecated_at: Type.Optional(
    Type.String({ format: "date-time", description: "Since when callers should move on; also in Deprecation." }),
  ),
  sunset_at: Type.Optional(
    Type.String({ format: "date-time", description: "From when on it answers 404; also in Sunset." }),
  ),
  verified: nullable(
    Timestamp,
    "When the operator's live check of this very definition last succeeded; null: never. A definition that was only written from documentation has none.",
  ),
};

export const ModelDetail = entity("ModelDetail", "One model, with what only its own address tells.", {
  ...entryFields,
  input_schema_url: Type.Optional(
    Type.String({
      format: "uri",
      maxLength: 2_048,
      description: "Where the input schema document is; absent when none was authored.",
    }),
  ),
  ...describedFields,
});
export type ModelDetail = Static<typeof ModelDetail>;

// Spec, Model input, model output: open objects the partner owns. The server forwards bytes and never re-serialises.
export const ModelInput = Type.Record(Type.String(), Type.Unknown(), {
  title: "ModelInput",
  description: "The partner's native input, forwarded byte for byte. Its shape is in the model's openapi.json.",
});
export type ModelInput = Static<typeof ModelInput>;

export const ModelOutput = Type.Record(Type.String(), Type.Unknown(), {
  title: "ModelOutput",
  description: "The partner's native output, byte for byte.",
});
export type ModelOutput = Static<typeof ModelOutput>;

export const InputSchemaDocument = entity(
  "InputSchemaDocument",
  "A self-contained OpenAPI document of one model: the very document its input is validated against.",
  {
    openapi: Type.String({ pattern: "^3\\.1\\.[0-9]+$" }),
    info: Type.Object({ title: ModelId, version: Type.String() }),
    paths: Type.Record(Type.String(), Type.Unknown()),
    components: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
);
export type InputSchemaDocument = Static<typeof InputSchemaDocument>;

export const AccountModel = entity("AccountModel", "A model as people choose it: what it makes and what it costs.", {
  ...entryFields,
  ...describedFields,
  price: Type.String({ description: "What a call costs in credits, in words; 0 is free." }),
});
export type AccountModel = Static<typeof AccountModel>;

export const AccountModelList = entity("AccountModelList", "Every model that the workspace can call.", {
  data: Type.Array(AccountModel, { description: "In bytewise order of ids." }),
});
export type AccountModelList = Static<typeof AccountModelList>;
