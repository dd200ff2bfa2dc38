// Price badges: what a node costs, as an expression that clients evaluate over the node's own widgets and inputs.
// Spec, Price badge map: values are always badge objects, null never appears, an absent key means no badge.
import { type Static, Type } from "typebox";
import { limits } from "./limits.ts";
import { entity, wordOf } from "./wire-values.ts";

export const BadgePlatform = wordOf(["cloud", "local"], {
  title: "BadgePlatform",
  description: "Where the client runs its workflows.",
});

export const BadgeWidget = entity("BadgeWidget", "A widget whose value the price depends on.", {
  name: Type.String({ minLength: 1, description: "The widget's name. A dotted name stays one flat key." }),
  type: Type.String({ minLength: 1, description: "The widget's io type, such as INT, FLOAT, BOOLEAN or COMBO." }),
});
export type BadgeWidget = Static<typeof BadgeWidget>;

export const BadgeDependencies = entity(
  "BadgeDependencies",
  "Everything the expression reads. All three lists are always present.",
  {
    widgets: Type.Array(BadgeWidget, { description: "Widgets whose values the price depends on." }),
    inputs: Type.Array(Type.String({ minLength: 1 }), {
      description: "Input slots for which the price depends on whether they are connected.",
    }),
    input_groups: Type.Array(Type.String({ minLength: 1 }), {
      description: "Growable input groups for which the price depends on the number of connected members.",
    }),
  },
);

export const Badge = entity("Badge", "The price badge of one node.", {
  engine: Type.Literal("jsonata", { description: "The language of expr." }),
  depends_on: BadgeDependencies,
  expr: Type.String({
    minLength: 1,
    maxLength: limits.badgeExpressionBytesMax,
    description: "A JSONata expression over widgets, inputs and inputGroups that gives a price.",
  }),
});
export type Badge = Static<typeof Badge>;

export const BadgeMap = Type.Record(Type.String(), Badge, {
  title: "BadgeMap",
  description:
    "Every node that has a badge for this version and platform, by node id. Nodes that are not listed have none.",
});
export type BadgeMap = Static<typeof BadgeMap>;

export const BadgeQuery = Type.Object({
  app_version: Type.String({
    minLength: 1,
    description: "The client's version as major.minor.patch; nightly or anything unreadable means the latest.",
  }),
  platform: BadgePlatform,
});

// An expression's result. Amounts are US dollars; clients show them as credits.
export const PriceFormat = entity("PriceFormat", "How a price is written.", {
  suffix: Type.Optional(Type.String({ description: "The text after the amount. Defaults to /Run." })),
  note: Type.Optional(Type.String({ description: "A remark after the price." })),
  approximate: Type.Optional(Type.Boolean({ description: "Marks the price as an estimate." })),
  separator: Type.Optional(Type.String({ description: "The separator between the amounts of a list." })),
});

const usd = Type.Number({ minimum: 0, description: "US dollars." });

export const FixedPrice = entity("FixedPrice", "One amount.", {
  type: Type.Literal("usd"),
  usd,
  format: Type.Optional(PriceFormat),
});

export const RangePrice = entity("RangePrice", "An amount between two bounds, inclusive.", {
  type: Type.Literal("range_usd"),
  min_usd: usd,
  max_usd: usd,
  format: Type.Optional(PriceFormat),
});

export const ListPrice = entity("ListPrice", "One of several amounts; they are alternatives, not a sum.", {
  type: Type.Literal("list_usd"),
  usd: Type.Array(usd, { minItems: 1 }),
  format: Type.Optional(PriceFormat),
});

export const TextPrice = entity("TextPrice", "A price given as text.", {
  type: Type.Literal("text"),
  text: Type.String({ minLength: 1, description: "Shown as is." }),
});

export const BadgePrice = Type.Union([FixedPrice, RangePrice, ListPrice, TextPrice], {
  title: "BadgePrice",
  description: "What a badge's expression returns.",
});
