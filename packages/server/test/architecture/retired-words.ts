// Words that have left the code because each of them meant several things, or because a reader has to guess who is meant.
// Each entry says what to write instead; `words.architecture.test.ts` keeps the words from coming back.

export interface RetiredWord {
  // One part of a name, in lower case. Null if names may use the word.
  readonly inNames: RegExp | null;
  // A word of a comment. Null if comments may use the word.
  readonly inComments: RegExp | null;
  readonly instead: string;
}

export const retiredWords: readonly RetiredWord[] = [
  {
    inNames: /^wish(es|ed)?$/,
    inComments: /\bwish(es|ed)?\b/i,
    instead: "request, input, options, submission: what it is that a caller asks for",
  },
  {
    // The verb stays: placeJobs, placeStored, placed.
    inNames: /^places?$/,
    inComments: null,
    instead: "location, position, path, address, locator: what kind of place it is",
  },
  { inNames: /^standings?$/, inComments: /(?<!-)\bstandings?\b/i, instead: "status, state, access" },
  {
    // Comments may speak of the books, which are the accounts.
    inNames: /^book(s|ed)?$/,
    inComments: /\bbook\b/i,
    instead: "catalog, registry, records; recorded, posted",
  },
  { inNames: /^doors?$/, inComments: /\bdoors?\b/i, instead: "client, entrance, API; over HTTP, at submission" },
  {
    inNames: null,
    // `nobody` in backticks is a user of the system.
    inComments: /(?<!`)\b(whoever|somebody|nobody|anybody)\b(?!`|\.)/i,
    instead: "the caller, the worker, another process: who it is; or a sentence about what happens",
  },
];

// Names that others see or chose: a schema in the document, a member of JSON, a kind of word in a text, an icon of a
// library.
export const keptNames: readonly { readonly file: RegExp; readonly name: string }[] = [
  { file: /./, name: "WorkerStanding" },
  { file: /./, name: "DeploymentEnvironmentWish" },
  { file: /cli\/src\/.*badges-command\.ts$/, name: "place" },
  { file: /sandbox\/src\/models\/text\.ts$/, name: "place" },
  { file: /^scripts\/bench\.ts$/, name: "place" },
  { file: /console\/src\/app\/page-list\.tsx$/, name: "BookOpen" },
];
