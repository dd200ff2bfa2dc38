// Dated notes about models, partner tools, badges and node versions, made from the records themselves.
export type { Offered, ReleaseNote } from "./release-note.ts";
export { createReleaseNotes, type ReleaseNotes } from "./release-notes.ts";
