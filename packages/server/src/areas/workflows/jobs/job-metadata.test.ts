import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { judgeMetadata } from "./job-metadata.ts";

const problem = (given: unknown) => {
  const verdict = judgeMetadata(given);
  return verdict.ok ? null : verdict.problem;
};

test("a text and a map of texts are taken as they are, whatever the keys are called", () => {
  for (const text of ["{}", '{"__proto__":"x","constructor":"y","toString":"z"}', '{"a.b-C_9":"","1":"é"}']) {
    const verdict = judgeMetadata(JSON.parse(text));
    assert.ok(verdict.ok);
    assert.deepEqual(JSON.parse(JSON.stringify(verdict.metadata)), JSON.parse(text));
    assert.equal(Object.keys(verdict.metadata).length, Object.keys(JSON.parse(text)).length);
  }
  assert.equal(problem(""), null);
  assert.equal(Object.getPrototypeOf({}), Object.prototype);
});

test("a text has at most 1024 bytes", () => {
  assert.equal(problem("é".repeat(512)), null);
  assert.match(problem(`${"é".repeat(512)}x`) ?? "", /longer than 1024 bytes/);
});

test("every label that the public service takes is taken, and none that it refuses", () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`.padStart(40, "k"), "é".repeat(128)]));
  assert.equal(problem(many(16)), null);
  assert.match(problem(many(17)) ?? "", /17 pairs; at most 16/);
  assert.equal(problem({ "Az09_-.": "x" }), null);
  for (const key of ["", "k".repeat(41), "a b", "ké", "a[b]"]) assert.match(problem({ [key]: "x" }) ?? "", /the key/);
  assert.match(problem({ shot: `${"é".repeat(128)}x` }) ?? "", /more than 256 bytes, for the key shot/);
});

test("a value that could not be returned unchanged is refused", () => {
  for (const given of [7, null, true, [], ["a"], { a: 1 }, { a: null }, { a: ["b"] }, { a: {} }, { "": "x" }])
    assert.notEqual(problem(given), null, JSON.stringify(given));
  for (const given of ["a\0", "\ud800", { "\0": "x" }, { a: "\0" }, { "\udc00": "x" }, { a: "x\ud800y" }])
    assert.notEqual(problem(given), null, JSON.stringify(given));
});

test("any value is accepted unchanged, or refused with a reason", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 2 }), (given) => {
      const verdict = judgeMetadata(given);
      if (verdict.ok) assert.deepEqual(verdict.metadata, given);
      else assert.ok(verdict.problem.length > 5);
    }),
  );
});
