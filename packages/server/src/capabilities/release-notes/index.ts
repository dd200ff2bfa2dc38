// Dated notes about models, partner tools, badges and node versions, made from the records themselves.

export { offersOf } from "./offers.ts";
export type { ReleaseNote } from "./release-note.ts";
export { createReleaseNotes, type ReleaseNotes } from "./release-notes.ts";
