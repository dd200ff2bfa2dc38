// The backups that a server makes of itself, as operators see them.
import { type Static, Type } from "typebox";
import { entity, nullable, Timestamp, Uuid, wordOf } from "../wire-values.ts";

const count = (description: string) => nullable(Type.Integer({ minimum: 0 }), description);

export const Backup = entity("Backup", "One scheduled backup.", {
  id: Uuid,
  name: Type.String({ minLength: 1, description: "Its name at its location, for `atelier restore`." }),
  location: Type.String({ description: "The folder or bucket that has it, without credentials." }),
  status: wordOf(["running", "verified", "unverified", "failed"], {
    description:
      "verified: it was restored into a scratch database and every invariant holds. unverified: it can be restored, " +
      "but an invariant does not hold in it. failed: there is no such backup.",
  }),
  started_at: Timestamp,
  ended_at: nullable(Timestamp, "Null while it runs."),
  verified_at: nullable(Timestamp),
  removed_at: nullable(Timestamp, "When it was removed, because enough newer ones exist. Null while it is there."),
  bytes: count("The size of its tables and files."),
  rows: count("How many rows it has."),
  blobs: count("How many files it has."),
  schema_version: count("The version of the database that it was made of."),
  problem: nullable(Type.String(), "Why it failed, or what is wrong."),
});
export type Backup = Static<typeof Backup>;

export const BackupList = entity("BackupList", "The history of scheduled backups, and what comes next.", {
  schedule: nullable(
    Type.Object({
      every_seconds: Type.Integer({ minimum: 60 }),
      keep: Type.Integer({ minimum: 1 }),
      location: Type.String({ description: "Without credentials." }),
    }),
    "The server's settings; null if they have no schedule. The command `atelier backup --every` may make backups all the same.",
  ),
  last_good: nullable(Backup, "The newest verified backup that is still there."),
  next_at: nullable(Timestamp, "When the next one is due. Null without a schedule and while one runs."),
  is_late: Type.Boolean({
    description: "Whether the last good one, or else the first attempt, is older than two intervals and an hour.",
  }),
  data: Type.Array(Backup, { description: "The newest 100 attempts, newest first." }),
});
export type BackupList = Static<typeof BackupList>;
