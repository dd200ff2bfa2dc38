import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { judgeMetadata } from "./job-metadata.ts";

const problem = (given: unknown) => {
  const verdict = judgeMetadata(given);
  return verdict.ok ? null : verdict.problem;
};

test("a text and a map of texts are taken as they are, whatever the keys are called", () => {
  for (const text of ["{}", '{"__proto__":"x","constructor":"y","toString":"z"}', '{"a[b]":"","]":"[","1":"é"}']) {
    const verdict = judgeMetadata(JSON.parse(text));
    assert.ok(verdict.ok);
    assert.deepEqual(JSON.parse(JSON.stringify(verdict.metadata)), JSON.parse(text));
    assert.equal(Object.keys(verdict.metadata).length, Object.keys(JSON.parse(text)).length);
  }
  assert.equal(problem(""), null);
  assert.equal(Object.getPrototypeOf({}), Object.prototype);
});

test("1024 bytes in all, of a map its keys and values together, and 64 keys", () => {
  assert.equal(problem("é".repeat(512)), null);
  assert.match(problem(`${"é".repeat(512)}x`) ?? "", /longer than 1024 bytes/);
  assert.equal(problem({ ké: "é".repeat(510), k: "" }), null);
  assert.match(problem({ ké: "é".repeat(510), kk: "" }) ?? "", /longer than 1024 bytes, keys and values together/);
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, ""]));
  assert.equal(problem(many(64)), null);
  assert.match(problem(many(65)) ?? "", /more than 64 keys/);
});

test("what could not be given back as it came is refused", () => {
  for (const given of [7, null, true, [], ["a"], { a: 1 }, { a: null }, { a: ["b"] }, { a: {} }, { "": "x" }])
    assert.notEqual(problem(given), null, JSON.stringify(given));
  for (const given of ["a\0", "\ud800", { "\0": "x" }, { a: "\0" }, { "\udc00": "x" }, { a: "x\ud800y" }])
    assert.notEqual(problem(given), null, JSON.stringify(given));
});

test("whatever is given is judged: taken unchanged, or refused with a reason", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 2 }), (given) => {
      const verdict = judgeMetadata(given);
      if (verdict.ok) assert.deepEqual(verdict.metadata, given);
      else assert.ok(verdict.problem.length > 5);
    }),
  );
});
