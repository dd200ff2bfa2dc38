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
      "An id (job, request, call, asset, delivery, key), blake3:… or at least eight of its digits, the beginning of a key, of a model's or a node's name.",
  }),
});

export const FoundThing = entity("FoundThing", "Something that goes by what was asked for.", {
  kind: wordOf(foundKinds, { description: "What it is." }),
  id: Type.String({ description: "What it is read by." }),
  title: Type.String({ description: "For people." }),
  subtitle: nullable(Type.String(), "More, for people."),
  at: nullable(Timestamp, "When it came about."),
});
export type FoundThing = Static<typeof FoundThing>;

export const FoundThings = entity("FoundThings", "What goes by it.", {
  data: Type.Array(FoundThing, { maxItems: foundMax, description: "The nearest first." }),
});
export type FoundThings = Static<typeof FoundThings>;
