// Looks up an id or the beginning of a name across everything a workspace has: what people paste into a search box.
import { type Static, Type } from "typebox";
import { entity, nullable, Timestamp, wordOf } from "../wire-values.ts";

export const foundKinds = [
  "job",
  "request",
  "asset",
  "model",
  "node",
  "key",
  "delivery",
  "publisher",
  "node_class",
] as const;
export const foundMax = 10;
export const findTextMax = 200;

export const FindQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: findTextMax,
    description:
      "An id (job, request, call, asset, delivery, key), an Idempotency-Key, blake3:… or at least eight of its digits, or the start of a key, a model name or a node name.",
  }),
});

export const FoundThing = entity("FoundThing", "A match.", {
  kind: wordOf(foundKinds, { description: "The kind of match." }),
  id: Type.String({ description: "The id to read it by." }),
  title: Type.String({ description: "The display name." }),
  subtitle: nullable(Type.String(), "More details."),
  at: nullable(Timestamp, "When it was created."),
});
export type FoundThing = Static<typeof FoundThing>;

export const FoundThings = entity("FoundThings", "The matches.", {
  data: Type.Array(FoundThing, { maxItems: foundMax, description: "Best match first." }),
});
