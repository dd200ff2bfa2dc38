// Retired words do not come back, neither as part of a name nor in a comment. Strings are left alone, because they are
// shown to people, stored, or sent.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { keptNames, retiredWords } from "./retired-words.ts";
import { allSources, planted, type Sources } from "./sources.ts";
import { commentsIn, eachTree, namesIn, type Piece } from "./syntax.ts";

test("names and comments hold no retired word", () => {
  assert.ok(allSources.has("packages/console/src/main.tsx"), "pages too");
  assert.deepEqual(retiredIn(allSources), []);
});

describe("a planted fault is found", () => {
  const plants: readonly [string, string, RegExp][] = [
    ["a type", "export interface KeyWish {}", /:1 the name KeyWish: say request/],
    ["a variable", "\nconst place = 1;", /:2 the name place: say location/],
    ["a function that answers a place", "export const placeOf = () => 1;", /:1 the name placeOf: say location/],
    ["a member", "export interface Parts {\n  readonly book: string;\n}", /:2 the name book: say catalog/],
    ["a name inside a template", ["export const x = `$", "{door.url}`;"].join(""), /:1 the name door: say client/],
    ["a comment", "// Given to whoever asks.", /:1 a comment with whoever: say the caller/],
    ["a comment behind code", "const x = 1; // Nobody waits.", /:1 a comment with Nobody: say the caller/],
    ["a comment of several lines", "/*\n * Its standing.\n */", /:2 a comment with standing: say status/],
  ];
  for (const [name, text, expected] of plants) {
    test(name, () => {
      const path = "packages/sandbox/src/planted.ts";
      const [found = "nothing found", ...others] = retiredIn(planted(new Map(), [path, text]));
      assert.ok(found.startsWith(path), found);
      assert.match(found, expected);
      assert.deepEqual(others, []);
    });
  }

  test("a comment and a name of a page are found, and its text is left alone", () => {
    const path = "packages/console/src/planted.tsx";
    const text =
      "export const Door = () => (\n  <p>\n    Isn't it // nobody\n    {/* Not for whoever asks. */}\n  </p>\n);";
    assert.deepEqual(
      retiredIn(planted(new Map(), [path, text])).map((sentence) => sentence.split(": say")[0]),
      [`${path}:1 the name Door`, `${path}:4 a comment with whoever`],
    );
  });

  test("a clean file has no fault", () => {
    const plain = 'export const placeJobs = placed("somebody at the door", replace); // In place, by the books.';
    assert.deepEqual(retiredIn(planted(new Map(), ["packages/sandbox/src/planted.ts", plain])), []);
  });
});

function retiredIn(sources: Sources): string[] {
  return eachTree(new Map([...sources].filter(([, text]) => mayHold.test(text))), (path, file) => [
    ...retiredNames(path, namesIn(file)),
    ...retiredInComments(path, commentsIn(file)),
  ]);
}

// Most files contain none of the words, not even in strings, and need no closer look.
const mayHold = /wish|(?<!re)place|standing|book|door|whoever|somebody|nobody|anybody/i;

function retiredNames(path: string, names: readonly Piece[]): string[] {
  return names.flatMap(({ text: name, line }) => {
    if (!mayHold.test(name) || keptNames.some((kept) => kept.name === name && kept.file.test(path))) return [];
    const word = retiredWords.find(
      ({ inNames }) => inNames !== null && partsOf(name).some((part) => inNames.test(part)),
    );
    return word ? [`${path}:${line()} the name ${name}: say ${word.instead}`] : [];
  });
}

// The parts of a name in lower case. A leading "place" followed by an object is the verb.
function partsOf(name: string): string[] {
  const parts = (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((part) => part.toLowerCase());
  const isVerb = parts[0] === "place" && parts.length > 1 && parts[1] !== "of";
  return isVerb ? parts.slice(1) : parts;
}

function retiredInComments(path: string, comments: readonly Piece[]): string[] {
  return comments.flatMap(({ text, line }) =>
    retiredWords.flatMap(({ inComments, instead }) => {
      const found = inComments?.exec(text);
      return found ? [`${path}:${line()} a comment with ${found[0]}: say ${instead}`] : [];
    }),
  );
}
