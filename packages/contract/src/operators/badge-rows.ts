// The operator's side of price badges: the stored row (which versions and platforms a badge is for) and the dry run, which
// checks a badge and shows its prices before anything is stored. Decisions, section 2.
import { type Static, Type } from "typebox";
import { pageOf } from "../pagination.ts";
import { Badge, BadgePlatform, BadgePrice } from "../price-badges.ts";
import { entity, mapOf, nullable, OpenObject, Timestamp, Uuid, wordOf } from "../wire-values.ts";

export const BadgeVersion = Type.String({
  title: "BadgeVersion",
  description: "A client version, exactly major.minor.patch.",
  pattern: "^(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})$",
  maxLength: 64,
});

const rowFields = {
  node_id: Type.String({ minLength: 1, maxLength: 256, description: "The node the badge belongs to." }),
  platforms: Type.Array(BadgePlatform, {
    minItems: 1,
    maxItems: 2,
    uniqueItems: true,
    description: "The platforms the badge is shown on.",
  }),
  from_version: BadgeVersion,
  badge: Badge,
};

const name = Type.String({ minLength: 1, maxLength: 200 });

// A badge as callers write it. Answers may gain members one day, but unknown members in a request are refused.
export const BadgeInput = entity(
  "BadgeInput",
  "The price badge of one node, to be checked.",
  {
    engine: Badge.properties.engine,
    depends_on: Type.Object(
      {
        widgets: Type.Array(Type.Object({ name, type: name }, { additionalProperties: false })),
        inputs: Type.Array(name),
        input_groups: Type.Array(name),
      },
      {
        additionalProperties: false,
        description: "Everything the expression reads. All three lists are always present.",
      },
    ),
    expr: Badge.properties.expr,
  },
  { additionalProperties: false },
);

export const BadgeRowInput = entity(
  "BadgeRowInput",
  "A badge to store. Badges for the same node and platform must not overlap in their versions.",
  {
    ...rowFields,
    node_id: Type.String({
      minLength: 1,
      maxLength: 256,
      pattern: "^[^\\s\\x00-\\x1f\\x7f](.*[^\\s\\x00-\\x1f\\x7f])?$",
      description: "The node the badge belongs to, without surrounding spaces.",
    }),
    badge: BadgeInput,
    until_version: Type.Optional(
      nullable(BadgeVersion, "The first version the badge no longer applies to; null or absent if open-ended."),
    ),
  },
);

export const BadgeRow = entity("BadgeRow", "A stored badge with the versions and platforms it applies to.", {
  id: Uuid,
  ...rowFields,
  until_version: nullable(BadgeVersion, "The first version the badge no longer applies to; null if open-ended."),
  ended: Type.Boolean({ description: "true: no longer shown, regardless of version." }),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type BadgeRow = Static<typeof BadgeRow>;

export const BadgeRowPage = pageOf(
  BadgeRow,
  "BadgeRowPage",
  "One page of stored badges, sorted by node id and version.",
);
export type BadgeRowPage = Static<typeof BadgeRowPage>;

export const EndBadgeRow = entity(
  "EndBadgeRow",
  "With until_version the badge ends at that version; without it, immediately and for all versions.",
  {
    until_version: Type.Optional(BadgeVersion),
  },
);

export const BadgeFinding = entity("BadgeFinding", "One finding of the write-time check on a badge.", {
  severity: wordOf(["error", "warning"], { description: "An error prevents the badge from being stored." }),
  code: Type.String({
    minLength: 1,
    description: "A stable code. Syntax errors use the codes of the expression library.",
  }),
  message: Type.String({ description: "What is wrong and how to fix it." }),
  position: Type.Optional(Type.Integer({ minimum: 0, description: "Its position in expr, in characters." })),
  token: Type.Optional(Type.String({ description: "The part of expr it refers to." })),
  path: Type.Optional(Type.String({ description: "The field it refers to, as a JSON pointer." })),
});
export type BadgeFinding = Static<typeof BadgeFinding>;

export const BadgeProbe = entity("BadgeProbe", "A node state to evaluate the expression in.", {
  widgets: Type.Optional(OpenObject),
  inputs: Type.Optional(mapOf(Type.Object({ connected: Type.Boolean() }))),
  inputGroups: Type.Optional(mapOf(Type.Integer({ minimum: 0 }))),
});

export const BadgeSample = entity("BadgeSample", "The badge, evaluated in one node state.", {
  probe: BadgeProbe,
  price: nullable(BadgePrice, "The price, or null if there is none."),
  label: nullable(Type.String(), "The badge text a client would show."),
  error: Type.Optional(
    Type.Object({
      code: Type.String({ description: "Why there is no price, as a code." }),
      message: Type.String({ description: "The same as text." }),
    }),
  ),
});
export type BadgeSample = Static<typeof BadgeSample>;

export const TryBadge = entity("TryBadge", "A badge to check without storing it.", {
  node_id: Type.Optional(Type.String({ minLength: 1, description: "Check the badge against this node's descriptor." })),
  badge: Type.Unknown({
    description: "The badge to check. Accepts any shape; problems come back as findings.",
  }),
  platforms: Type.Optional(Type.Array(BadgePlatform)),
  from_version: Type.Optional(BadgeVersion),
  until_version: Type.Optional(nullable(BadgeVersion)),
  probes: Type.Optional(
    Type.Array(BadgeProbe, { maxItems: 100, description: "States to evaluate in addition to the server's own." }),
  ),
});

export const TriedBadge = entity(
  "TriedBadge",
  "The findings of the write-time check, and the prices the badge gives.",
  {
    accepted: Type.Boolean({ description: "true if the badge would be stored: no finding is an error." }),
    findings: Type.Array(BadgeFinding),
    samples: Type.Array(BadgeSample, { description: "Empty if the expression did not compile." }),
  },
);
export type TriedBadge = Static<typeof TriedBadge>;
