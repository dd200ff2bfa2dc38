import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Fields, parsedBody } from "./read-fields.ts";

test("absent members get their default, valid ones their value, invalid ones are named", () => {
  const fields = new Fields({ count: 3, share: 0.5, on: true, word: "b", text: "x", inner: { deep: 200 } });
  assert.deepEqual(
    [
      fields.integer("count", 0, 5, 1),
      fields.number("share", 0, 1, 0),
      fields.flag("on", false),
      fields.word("word", ["a", "b"]),
    ],
    [3, 0.5, true, "b"],
  );
  assert.deepEqual(
    [fields.integer("none", 0, 5, 4), fields.word("nothing", ["a", "b"]), fields.text("no", 9)],
    [4, "a", null],
  );
  assert.equal(fields.problems.length, 0);
  fields.integer("share", 0, 5, 1);
  fields.flag("count", false);
  fields.text("text", 0);
  fields.inside("inner").number("deep", 0, 100, 50);
  fields.inside("word");
  assert.deepEqual(
    fields.problems.map(({ field }) => field),
    ["share", "count", "text", "inner.deep", "word"],
  );
});

test("members of the prototype are not members", () => {
  const fields = new Fields({});
  assert.equal(fields.has("toString") || fields.has("__proto__") || fields.has("constructor"), false);
});

test("any bytes are an object or nothing, and none throw", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        const parsed = parsedBody(bytes);
        if (parsed) assert.deepEqual(parsed.members, JSON.parse(Buffer.from(bytes).toString()));
      },
    ),
  );
  assert.equal(parsedBody(Buffer.from("[1]")), null);
  assert.equal(parsedBody(Buffer.from([0x7b, 0xff, 0x7d])), null);
});
