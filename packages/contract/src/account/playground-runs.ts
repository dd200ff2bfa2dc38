// What a person ran in the playground: a history that follows them to every machine.
import { type Static, Type } from "typebox";
import { Cursor, pageOf } from "../pagination.ts";
import { Credits, entity, nullable, Timestamp, Uuid } from "../wire-values.ts";

export const playgroundInputMax = 20_000;
export const playgroundAssetsMax = 16;

const facts = {
  model: Type.String({
    pattern: "^[^/\\s]{1,100}/[^/\\s]{1,100}$",
    description: "provider/model, or the id of a work.",
  }),
  input: Type.String({
    minLength: 2,
    maxLength: playgroundInputMax,
    description: "The input: a JSON object as text, so that large integers keep their digits.",
  }),
  request_id: nullable(Uuid, "The request id from the response."),
  credits: nullable(Credits, "What it cost; null if that is not known."),
  asset_ids: Type.Array(Uuid, { maxItems: playgroundAssetsMax, description: "The outputs that were saved as assets." }),
};

export const KeepPlaygroundRun = entity("KeepPlaygroundRun", "A run to remember.", facts);
export type KeepPlaygroundRun = Static<typeof KeepPlaygroundRun>;

export const PlaygroundRun = entity("PlaygroundRun", "A run in the playground.", { id: Uuid, at: Timestamp, ...facts });
export type PlaygroundRun = Static<typeof PlaygroundRun>;

export const PlaygroundRunPage = pageOf(PlaygroundRun, "PlaygroundRunPage", "One page of runs, newest first.");

export const PlaygroundRunQuery = Type.Object({
  model: Type.Optional(Type.String({ minLength: 1, maxLength: 201, description: "Only runs of this model." })),
  limit: Type.Optional(
    Type.Integer({
      description: "Runs per page: 20 by default, at most 100. Larger values are clamped; 0 or less means the default.",
    }),
  ),
  cursor: Type.Optional(Cursor),
});
