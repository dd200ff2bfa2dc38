// Words of the document itself, which the build puts there: they are read when no script runs.
export const document = {
  // The language of this catalogue, as the document's `lang`.
  language: "en",
  noScript: "The console needs JavaScript. The API reference at /docs works without it.",
  notLoaded: "The console could not be loaded. Reload the page to try again.",
} as const;
