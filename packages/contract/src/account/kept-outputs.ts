// A model's output at a provider's address, stored as an asset of the workspace before that address expires.
import { type Static, Type } from "typebox";
import { entity, Uuid } from "../wire-values.ts";

export const KeepModelOutput = entity("KeepModelOutput", "Something a model made, by the address it answered with.", {
  request_id: Type.Unsafe<string>({
    ...Uuid,
    description:
      "The X-Service-Request-Id of the answer that held the address, or the id of the queued request. Only an answer under an Idempotency-Key, and one of the queue, is on record.",
  }),
  url: Type.String({
    minLength: 1,
    maxLength: 8192,
    pattern: "^https?://",
    description:
      "As that answer held it among its results, character by character. It is fetched from the provider's own hosts, or as a public https address.",
  }),
  name: Type.String({
    pattern: "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,119}$",
    description: "The file's name in the gallery.",
  }),
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 128, pattern: "^[ -~]+$" }), {
      maxItems: 16,
      description: "Tags of the asset.",
    }),
  ),
});
export type KeepModelOutput = Static<typeof KeepModelOutput>;

export const KeptModelOutput = entity("KeptModelOutput", "What was kept, and as which asset.", {
  asset_id: Uuid,
  created_new: Type.Boolean({ description: "False when the workspace had these bytes already." }),
});
export type KeptModelOutput = Static<typeof KeptModelOutput>;
