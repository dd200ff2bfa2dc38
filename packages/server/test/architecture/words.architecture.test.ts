// Words that were retired do not come back: neither as a part of a name nor in a comment. Strings are left alone, because
// they are told to people, stored, or sent.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { viewJavaScript } from "../../src/capabilities/registry/checks/javascript-source.ts";
import type { SourceView } from "../../src/capabilities/registry/checks/source-view.ts";
import { keptNames, retiredWords } from "./retired-words.ts";
import { allSources, planted, type Sources } from "./sources.ts";

test("names and comments hold no retired word", () => {
  const byHand = new Map([...allSources].filter(([path]) => !path.includes("/generated/")));
  assert.ok(byHand.size > 1_000, "the sources were found");
  assert.deepEqual(retiredIn(byHand), []);
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

  test("and nothing where there is none", () => {
    const plain = 'export const placeJobs = placed("somebody at the door", replace); // In place, by the books.';
    assert.deepEqual(retiredIn(planted(new Map(), ["packages/sandbox/src/planted.ts", plain])), []);
  });
});

function retiredIn(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    if (!mayHold.test(text)) return [];
    const view = viewJavaScript(text);
    return [...namesIn(path, view), ...commentsIn(path, text.split("\n"), view.text.split("\n"))];
  });
}

// Most files hold none of the words, not even in strings, and need no closer look.
const mayHold = /wish|place|standing|book|door|whoever|somebody|nobody|anybody/i;

function namesIn(path: string, { code }: SourceView): string[] {
  return [...code.matchAll(/[A-Za-z_$][\w$]*/g)].flatMap(({ 0: name, index }) => {
    if (!mayHold.test(name) || keptNames.some((kept) => kept.name === name && kept.file.test(path))) return [];
    const word = retiredWords.find(
      ({ inNames }) => inNames !== null && partsOf(name).some((part) => inNames.test(part)),
    );
    return word ? [`${path}:${code.slice(0, index).split("\n").length} the name ${name}: say ${word.instead}`] : [];
  });
}

// The words of a name in small letters. A leading "place" with something to place behind it is the verb.
function partsOf(name: string): string[] {
  const parts = (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((part) => part.toLowerCase());
  const isVerb = parts[0] === "place" && parts.length > 1 && parts[1] !== "of";
  return isVerb ? parts.slice(1) : parts;
}

// What differs between the two is a comment.
function commentsIn(path: string, lines: readonly string[], withoutComments: readonly string[]): string[] {
  return lines.flatMap((line, at) =>
    retiredWords.flatMap(({ inComments, instead }) => {
      const found = inComments?.exec(line);
      const isComment = found && withoutComments[at]?.slice(found.index).startsWith(found[0]) === false;
      return isComment ? [`${path}:${at + 1} a comment with ${found[0]}: say ${instead}`] : [];
    }),
  );
}
