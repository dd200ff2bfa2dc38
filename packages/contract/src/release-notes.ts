// Dated notes about what this server offers (Spec, Versioning 6).
import { type Static, Type } from "typebox";
import { entity, nullable, Timestamp, wordOf } from "./wire-values.ts";

export const ReleaseNote = entity("ReleaseNote", "One dated change of what this server offers.", {
  at: Timestamp,
  kind: wordOf(["model", "partner_tool", "badge", "node_version"], { description: "What it is about." }),
  subject: Type.String({
    description: "A model's id, a partner's operation, a node's id, or a node's id and version.",
  }),
  change: wordOf(["added", "changed", "deprecated", "removed"], { description: "What happened to it." }),
  deprecated_at: nullable(Timestamp, "Since when it is deprecated."),
  sunset_at: nullable(Timestamp, "When it goes, or went."),
});
export type ReleaseNote = Static<typeof ReleaseNote>;

export const ProgramRelease = entity("ProgramRelease", "A release of the program itself.", {
  version: Type.String({ description: "Its number, or Unreleased." }),
  date: nullable(Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" }), "The day of the release."),
  text: Type.String({ description: "Its notes, in Markdown." }),
});
export type ProgramRelease = Static<typeof ProgramRelease>;

export const ReleaseNoteList = entity("ReleaseNoteList", "What this server offers, and what the program brought.", {
  server: Type.Array(ReleaseNote, { description: "Changes of this server, newest first." }),
  program: Type.Array(ProgramRelease, { description: "Releases of the program, newest first." }),
});
export type ReleaseNoteList = Static<typeof ReleaseNoteList>;
