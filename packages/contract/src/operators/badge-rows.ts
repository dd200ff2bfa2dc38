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
export type BadgeVersion = Static<typeof BadgeVersion>;

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
  "The price badge of one node, to be proven.",
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
        description: "Everything the expression looks at; all three lists are always present.",
      },
    ),
    expr: Badge.properties.expr,
  },
  { additionalProperties: false },
);
export type BadgeInput = Static<typeof BadgeInput>;

export const BadgeRowInput = entity(
  "BadgeRowInput",
  "A badge to store. Rows of one node and platform may not overlap in their versions.",
  {
    ...rowFields,
    node_id: Type.String({
      minLength: 1,
      maxLength: 256,
      pattern: "^[^\\s\\x00-\\x1f\\x7f](.*[^\\s\\x00-\\x1f\\x7f])?$",
      description: "The node the badge belongs to: without blanks around it.",
    }),
    badge: BadgeInput,
    until_version: Type.Optional(
      nullable(BadgeVersion, "The first version the badge is no longer for; null or absent leaves the end open."),
    ),
  },
);
export type BadgeRowInput = Static<typeof BadgeRowInput>;

export const BadgeRow = entity("BadgeRow", "A stored badge with the versions and platforms it is for.", {
  id: Uuid,
  ...rowFields,
  until_version: nullable(BadgeVersion, "The first version the badge is no longer for; null: open."),
  ended: Type.Boolean({ description: "True: shown to nobody any more, whatever the version." }),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type BadgeRow = Static<typeof BadgeRow>;

export const BadgeRowPage = pageOf(BadgeRow, "BadgeRowPage", "One page of stored badges, by node id and version.");
export type BadgeRowPage = Static<typeof BadgeRowPage>;

export const EndBadgeRow = entity(
  "EndBadgeRow",
  "With until_version the badge ends at that version; without it, at once and for every version.",
  {
    until_version: Type.Optional(BadgeVersion),
  },
);
export type EndBadgeRow = Static<typeof EndBadgeRow>;

export const BadgeFinding = entity("BadgeFinding", "One thing the write-time check has to say about a badge.", {
  severity: wordOf(["error", "warning"], { description: "An error keeps the badge from being stored." }),
  code: Type.String({
    minLength: 1,
    description: "A stable code; syntax errors carry the expression library's own.",
  }),
  message: Type.String({ description: "What is wrong and how to mend it, for people." }),
  position: Type.Optional(Type.Integer({ minimum: 0, description: "The character of expr it was found at." })),
  token: Type.Optional(Type.String({ description: "The piece of expr it was found at." })),
  path: Type.Optional(Type.String({ description: "The member of the row it is about, as a JSON pointer." })),
});
export type BadgeFinding = Static<typeof BadgeFinding>;

export const BadgeProbe = entity("BadgeProbe", "A state of the node that the expression is evaluated in.", {
  widgets: Type.Optional(OpenObject),
  inputs: Type.Optional(mapOf(Type.Object({ connected: Type.Boolean() }))),
  inputGroups: Type.Optional(mapOf(Type.Integer({ minimum: 0 }))),
});
export type BadgeProbe = Static<typeof BadgeProbe>;

export const BadgeSample = entity("BadgeSample", "The badge evaluated in one state of the node.", {
  probe: BadgeProbe,
  price: nullable(BadgePrice, "The price, or null when there was none."),
  label: nullable(Type.String(), "The badge as a client would show it."),
  error: Type.Optional(
    Type.Object({
      code: Type.String({ description: "Why there was no price." }),
      message: Type.String({ description: "The same for people." }),
    }),
  ),
});
export type BadgeSample = Static<typeof BadgeSample>;

export const TryBadge = entity("TryBadge", "A badge to prove without storing it.", {
  node_id: Type.Optional(
    Type.String({ minLength: 1, description: "Checks the badge against this node's descriptor." }),
  ),
  badge: Type.Unknown({
    description: "The badge to try, in any shape: what is wrong with it comes back as findings.",
  }),
  platforms: Type.Optional(Type.Array(BadgePlatform)),
  from_version: Type.Optional(BadgeVersion),
  until_version: Type.Optional(nullable(BadgeVersion)),
  probes: Type.Optional(
    Type.Array(BadgeProbe, { maxItems: 100, description: "States to evaluate besides the ones we choose." }),
  ),
});
export type TryBadge = Static<typeof TryBadge>;

export const TriedBadge = entity("TriedBadge", "What the write-time check found, and the prices the badge gives.", {
  accepted: Type.Boolean({ description: "True when the badge would be stored: no finding is an error." }),
  findings: Type.Array(BadgeFinding),
  samples: Type.Array(BadgeSample, { description: "Empty when the expression did not compile." }),
});
export type TriedBadge = Static<typeof TriedBadge>;
