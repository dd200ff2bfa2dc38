import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../fault.ts";
import { readExpectedVersion } from "./expected-version.ts";

test("a writer without an opinion expects nothing, one with an ETag exactly that version", () => {
  assert.deepEqual(readExpectedVersion({}), { kind: "any" });
  assert.deepEqual(readExpectedVersion({ "if-match": "*" }), { kind: "present" });
  assert.deepEqual(readExpectedVersion({ "if-none-match": "*" }), { kind: "absent" });
  assert.deepEqual(readExpectedVersion({ "if-match": '"3"' }), { kind: "version", versions: [3] });
  assert.deepEqual(readExpectedVersion({ "if-match": '"3", "4"' }), { kind: "version", versions: [3, 4] });
});

test("a tag that was never a version matches nothing, and an invalid tag is refused", () => {
  for (const tag of ['"abc"', '"-1"', '"1e3"', '""'])
    assert.deepEqual(readExpectedVersion({ "if-match": tag }), { kind: "version", versions: [0] }, tag);
  for (const headers of [
    { "if-match": "3" },
    { "if-match": 'W/"3"' },
    { "if-match": "" },
    { "if-none-match": '"3"' },
    { "if-match": "*", "if-none-match": "*" },
  ])
    assert.throws(() => readExpectedVersion(headers), Fault, JSON.stringify(headers));
});
