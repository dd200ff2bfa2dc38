// Limits of calls: of one key, and of one model over all workspaces.
import { type Static, Type } from "typebox";
import { ModelId } from "../models.ts";
import { entity, nullable, Uuid } from "../wire-values.ts";

const most = (description: string) => nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 }), description);

const limit = {
  calls_per_minute: most("Calls that may begin in a minute; null for any number."),
  concurrency: most("Calls that may be open at once, queued ones included; null for any number."),
};

export const SetCallLimits = entity(
  "SetCallLimits",
  "How many calls may be made. Two nulls remove the limits.",
  limit,
  {
    additionalProperties: false,
  },
);
export type SetCallLimits = Static<typeof SetCallLimits>;

export const KeyLimits = entity("KeyLimits", "How many calls one key may make, with all tokens made from it.", {
  key_id: Uuid,
  ...limit,
  in_flight: Type.Integer({ minimum: 0, description: "Calls that are open now. 0 without a concurrency." }),
});
export type KeyLimits = Static<typeof KeyLimits>;

export const ModelLimits = entity("ModelLimits", "How many calls one model takes, over all workspaces.", {
  model: ModelId,
  ...limit,
});
export type ModelLimits = Static<typeof ModelLimits>;

export const ModelLimitsList = entity("ModelLimitsList", "The models with limits.", {
  data: Type.Array(ModelLimits, { description: "By model. At most 500." }),
});
export type ModelLimitsList = Static<typeof ModelLimitsList>;
