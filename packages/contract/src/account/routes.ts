// Routes: names in the catalog that stand for several models. Workspaces write their own; operators write those of the server.
import { type Static, Type } from "typebox";
import { ModelId, ModelSegment } from "../models.ts";
import { entity, mapOf, nullable, Timestamp, wordOf } from "../wire-values.ts";

const member = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });
const closed = { additionalProperties: false };

export const RouteInputs = entity(
  "RouteInputs",
  "How the route's inputs become those of a target. The route takes the inputs of its first target; anything not named here keeps its name and value.",
  {
    rename: Type.Optional(
      mapOf(member("The target's name for it."), { description: "The route's name of an input → the target's." }),
    ),
    constants: Type.Optional(
      mapOf(Type.Unknown(), { description: "Inputs that this target always gets, by its own names." }),
    ),
    drop: Type.Optional(
      Type.Array(member("An input of the route."), {
        maxItems: 100,
        description: "Inputs that this target does not get. X-Service-Dropped-Params names those that a call had.",
      }),
    ),
    choices: Type.Optional(
      mapOf(mapOf(Type.Unknown()), {
        description:
          "For each input: the route's value → the target's. A call with another value does not go to this target.",
      }),
    ),
  },
  closed,
);
export type RouteInputs = Static<typeof RouteInputs>;

export const RouteTarget = entity(
  "RouteTarget",
  "A model that a route may call.",
  {
    model: ModelId,
    credential: Type.Optional(
      wordOf(["own", "server"], {
        description:
          "own: only with the workspace's own credential. server: only with the server's. Absent: the workspace's own if it has one.",
      }),
    ),
    weight: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: "Its share under the rule weight. 1 if absent." }),
    ),
    inputs: Type.Optional(RouteInputs),
  },
  closed,
);
export type RouteTarget = Static<typeof RouteTarget>;

export const routeRules = ["order", "price", "latency", "success", "weight"] as const;

export const PutRoute = entity(
  "PutRoute",
  "A route to store.",
  {
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "The display name." })),
    description: Type.Optional(Type.String({ maxLength: 4000 })),
    rule: Type.Optional(
      wordOf(routeRules, {
        description:
          "Which target is asked first. order: as listed, the default. price: the cheapest for this input. latency and success: by this server's own recent calls. weight: in turn, by weight. Targets whose provider keeps failing come last.",
      }),
    ),
    strict: Type.Optional(
      Type.Boolean({ description: "Whether a target is skipped if it would drop an input of the call." }),
    ),
    targets: Type.Array(RouteTarget, {
      minItems: 1,
      maxItems: 8,
      description: "The first decides what the route takes and makes.",
    }),
  },
  closed,
);
export type PutRoute = Static<typeof PutRoute>;

export const ModelRoute = entity("ModelRoute", "A route.", {
  id: ModelId,
  name: ModelSegment,
  scope: wordOf(["workspace", "server"], { description: "Who wrote it. A workspace's own comes before the server's." }),
  title: nullable(Type.String()),
  description: nullable(Type.String()),
  rule: wordOf(routeRules),
  strict: Type.Boolean(),
  targets: Type.Array(RouteTarget),
  version: Type.Integer({ minimum: 1, description: "Also the ETag." }),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type ModelRoute = Static<typeof ModelRoute>;

export const ModelRouteList = entity("ModelRouteList", "Routes, sorted by name.", { data: Type.Array(ModelRoute) });
