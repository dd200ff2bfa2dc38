// Dated notes about what this server offers (Spec, Versioning 6).
import { type Static, Type } from "typebox";
import { entity, nullable, Timestamp, wordOf } from "./wire-values.ts";

export const ReleaseNote = entity("ReleaseNote", "One dated change to what this server offers.", {
  at: Timestamp,
  kind: wordOf(["model", "partner_tool", "badge", "node_version"], { description: "What it is about." }),
  subject: Type.String({
    description: "A model's id, a partner's operation, a node's id, or a node's id and version.",
  }),
  change: wordOf(["added", "changed", "deprecated", "removed"], { description: "What happened to it." }),
  deprecated_at: nullable(Timestamp, "Since when it is deprecated."),
  sunset_at: nullable(Timestamp, "When it is or was removed."),
});
export type ReleaseNote = Static<typeof ReleaseNote>;

export const ProgramRelease = entity("ProgramRelease", "A release of the software.", {
  version: Type.String({ description: "The version number, or Unreleased." }),
  date: nullable(Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" }), "The day of the release."),
  text: Type.String({ description: "Its notes, in Markdown." }),
});
export type ProgramRelease = Static<typeof ProgramRelease>;

export const ReleaseNoteList = entity(
  "ReleaseNoteList",
  "Changes to what this server offers, and releases of the software.",
  {
    server: Type.Array(ReleaseNote, { description: "Changes to this server, newest first." }),
    program: Type.Array(ProgramRelease, { description: "Releases of the software, newest first." }),
  },
);
export type ReleaseNoteList = Static<typeof ReleaseNoteList>;
