// How long a workspace keeps its files and its history.
import { type Static, Type } from "typebox";
import { entity, nullable, Timestamp } from "../wire-values.ts";

export const retentionDaysLimit = 3_650;

const keepDays = (what: string) =>
  nullable(
    Type.Integer({ minimum: 1, maximum: retentionDaysLimit }),
    `After how many days ${what}. Null: as long as the server keeps them.`,
  );

const days = {
  outputs_days: keepDays("files that jobs made are deleted, unless something still needs them"),
  uploads_days: keepDays(
    "files that were uploaded, or kept from answers of models, are deleted, unless something still needs them",
  ),
  history_days: keepDays(
    "ended jobs with their workflows, errors, playground runs, and the tags and end users of requests are deleted; the lines of the books stay",
  ),
};

export const SetRetention = entity("SetRetention", "How long a workspace keeps its files and its history.", days);
export type SetRetention = Static<typeof SetRetention>;

export const Retention = entity("Retention", "How long a workspace keeps its files and its history.", {
  ...days,
  days_min: Type.Integer({ minimum: 1, description: "The operator's bound: the fewest days that can be set." }),
  days_max: nullable(
    Type.Integer({ minimum: 1 }),
    "The operator's bound: nothing is kept longer. Null: no bound, and null can be set.",
  ),
  changed_at: nullable(Timestamp, "When it was last changed; null: never."),
  applies_at: nullable(Timestamp, "From when on the last change applies: a day after it was made."),
});
export type Retention = Static<typeof Retention>;

const aged = (what: string) =>
  Type.Object(
    {
      things: Type.Integer({ minimum: 0, description: "How many." }),
      bytes: Type.Integer({ minimum: 0, description: "How large their files are together." }),
    },
    { description: what },
  );

export const RetentionEstimate = entity("RetentionEstimate", "What would be deleted if these days applied now.", {
  outputs: aged("Files that jobs made."),
  uploads: aged("Files that were uploaded or kept."),
  history: aged("Jobs, errors, playground runs, and requests with tags or an end user."),
  applies_at: Timestamp,
});
export type RetentionEstimate = Static<typeof RetentionEstimate>;
