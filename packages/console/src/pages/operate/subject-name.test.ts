import assert from "node:assert/strict";
import { test } from "node:test";
import { subjectName } from "./subject-name.ts";

test("what an entry is about has the name that it had after the change, else the one before, else none", () => {
  assert.equal(subjectName({ before: { name: "old" }, after: { name: "new" } }), "new");
  assert.equal(subjectName({ before: { name: "CI" }, after: null }), "CI");
  assert.equal(subjectName({ before: null, after: { name: 7 } }), "");
  assert.equal(subjectName({ before: null, after: { name: "x".repeat(200) } }).length, 60);
});
