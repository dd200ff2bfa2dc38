// A model's output at a provider's address, stored as an asset of the workspace before that address expires.
import { Type } from "typebox";
import { entity, Uuid } from "../wire-values.ts";

export const KeepModelOutput = entity("KeepModelOutput", "A model output, by the URL in the model's response.", {
  request_id: Type.Unsafe<string>({
    ...Uuid,
    description:
      "The X-Service-Request-Id of the response that contained the URL, or the id of the queued request. Only responses to calls with an Idempotency-Key and to queued calls are recorded.",
  }),
  idempotency_key: Type.Optional(
    Type.String({
      pattern: "^[!-~]{1,255}$",
      description:
        "The key the call was sent with. It finds the call even if the response was a replay a moment ago, whose request id is recorded a little later.",
    }),
  ),
  url: Type.String({
    minLength: 1,
    maxLength: 8192,
    pattern: "^https?://",
    description:
      "Exactly as it appears in that response. It is downloaded from the provider's own hosts or from a public https URL.",
  }),
  name: Type.String({
    pattern: "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,119}$",
    description: "The file name in the gallery.",
  }),
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 128, pattern: "^[ -~]+$" }), {
      maxItems: 16,
      description: "The asset's tags.",
    }),
  ),
});

export const KeptModelOutput = entity("KeptModelOutput", "The saved file and its asset.", {
  asset_id: Uuid,
  created_new: Type.Boolean({ description: "false if the workspace already had this file." }),
});
