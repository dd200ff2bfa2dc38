import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Fault } from "../../foundation/fault.ts";
import { contentDisposition } from "./content-disposition.ts";
import { fileNameOf, requireFilePath } from "./file-path.ts";

test("names and paths below a root are kept as they were given", () => {
  for (const path of [
    "a.png",
    "models/checkpoints/x.safetensors",
    "каталог/кот.png",
    "with space.txt",
    "..a",
    "a..b/c",
    "🐈",
  ]) {
    assert.equal(requireFilePath(path), path);
  }
});

test("a path that leads anywhere else is refused", () => {
  const astray = [
    "",
    "/",
    "/etc/passwd",
    "..",
    ".",
    "...",
    "a/..",
    "../a",
    "a/../../b",
    "a//b",
    "a/",
    "./a",
    "a/./b",
    "a\\b",
    "..\\a",
    "C:\\x",
    "C:x",
    "c:/x",
    "a\0b",
    "a\nb",
    "a\r\nb",
    "\u202egnp.exe",
    "a/\u2028",
    "\ud800",
    "a\ufffd",
    " a",
    "a /b",
    "x".repeat(256),
    "a/".repeat(600),
    "\x7f",
  ];
  for (const path of astray) assert.throws(() => requireFilePath(path), Fault, JSON.stringify(path));
});

test("no accepted path leaves its root", () => {
  const piece = fc.constantFrom("..", ".", "/", "\\", "a", "\0", "%2e", "C:", " ", "…", "\u202e");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const path = pieces.join("");
      try {
        requireFilePath(path);
      } catch {
        return;
      }
      assert.doesNotMatch(path, /(^|\/)\.*(\/|$)|\\|\0|^[a-zA-Z]:/);
    }),
    { numRuns: 5000 },
  );
});

test("Content-Disposition carries any name and never more than a name", () => {
  assert.equal(contentDisposition("inline", "a b.png"), 'inline; filename="a b.png"');
  assert.equal(
    contentDisposition("attachment", 'é"*.png'),
    "attachment; filename=\"__*.png\"; filename*=UTF-8''%C3%A9%22%2A.png",
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (name) => {
      const header = contentDisposition("attachment", name);
      assert.match(header, /^attachment; filename="[ !#$&-[\]-~]*"(; filename\*=UTF-8''[A-Za-z0-9!#$&+.^_`|~%-]*)?$/);
      const extended = /filename\*=UTF-8''(.*)$/.exec(header)?.[1];
      if (extended !== undefined) assert.equal(decodeURIComponent(extended), name.toWellFormed());
    }),
  );
});

test("a file's name is what follows the last slash", () => {
  assert.deepEqual([fileNameOf("a/b/c.png"), fileNameOf("c.png")], ["c.png", "c.png"]);
});
