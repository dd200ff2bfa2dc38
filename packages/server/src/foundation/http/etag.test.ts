import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { matchesIfNoneMatch, strongEtag } from "./etag.ts";

test("equal bytes have equal tags, other bytes have others, and text counts as UTF-8", () => {
  assert.equal(strongEtag("é"), strongEtag(Buffer.from("é", "utf8")));
  assert.notEqual(strongEtag("a"), strongEtag("b"));
  assert.match(strongEtag(""), /^"[A-Za-z0-9_-]{27}"$/);
});

const tag = '"abc"';
const table: readonly [header: string | undefined, matches: boolean][] = [
  [undefined, false],
  ["", false],
  ['"abc"', true],
  ['W/"abc"', true],
  ["*", true],
  [" * ", true],
  ['"x", "abc"', true],
  ['"x","abc"', true],
  ['"x" , W/"abc" ,', true],
  [',, "abc"', true],
  ['"a,b", "abc"', true],
  ['"x, \\"abc", "y"', false],
  ['"abc', false],
  ["abc", false],
  ['w/"abc"', false],
  ['"ABC"', false],
  ['"abcd"', false],
  ['W/ "abc"', false],
  ['"x", *', false],
  ['nonsense, "abc"', false],
];
for (const [header, matches] of table)
  test(`If-None-Match ${JSON.stringify(header)} ${matches ? "matches" : "does not match"}`, () => {
    assert.equal(matchesIfNoneMatch(header, tag), matches);
  });

test("a tag with a comma inside is one tag", () => {
  assert.equal(matchesIfNoneMatch('"a,b"', '"a,b"'), true);
  assert.equal(matchesIfNoneMatch('"a,b"', '"b"'), false);
});

test("a list matches exactly when it holds the tag, wherever and however weakly", () => {
  const opaque = fc.stringMatching(/^[!#-~]{0,12}$/).map((text) => `"${text}"`);
  fc.assert(
    fc.property(fc.array(fc.tuple(opaque, fc.boolean()), { minLength: 1 }), opaque, (list, wanted) => {
      const header = list.map(([text, weak]) => (weak ? `W/${text}` : text)).join(", ");
      assert.equal(
        matchesIfNoneMatch(header, wanted),
        list.some(([text]) => text === wanted),
      );
    }),
  );
});

test("hostile headers of a mebibyte are decided in one pass", () => {
  for (const part of [",", '"', '"",', "W/", 'W/"', " ", '"a" ', "*"])
    assert.equal(matchesIfNoneMatch(part.repeat((1 << 20) / part.length), tag), false);
});
