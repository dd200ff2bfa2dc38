import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type SingleParameter, singleParameter } from "./query.ts";

const table: readonly [query: string, expected: SingleParameter][] = [
  ["", { kind: "absent" }],
  ["b=1", { kind: "absent" }],
  ["A=1", { kind: "absent" }],
  ["a", { kind: "empty" }],
  ["a=", { kind: "empty" }],
  ["a=1", { kind: "value", value: "1" }],
  ["b=2&a=1&c=3", { kind: "value", value: "1" }],
  ["%61=1", { kind: "value", value: "1" }],
  ["a=1&a=1", { kind: "repeated" }],
  ["a=1&%61=2", { kind: "repeated" }],
  ["a=&a=", { kind: "repeated" }],
  ["a=1=2", { kind: "value", value: "1=2" }],
  ["a=1+2%202", { kind: "value", value: "1 2 2" }],
  ["a=%zz%", { kind: "value", value: "%zz%" }],
  ["a=%ff", { kind: "value", value: "\ufffd" }],
  ["a[]=1", { kind: "absent" }],
];
for (const [query, expected] of table)
  test(`?${query} is ${expected.kind}`, () => {
    assert.deepEqual(singleParameter(query, "a"), expected);
    assert.deepEqual(singleParameter(new URLSearchParams(query), "a"), expected);
  });

test("no text throws", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (query) => void singleParameter(query, "a")));
});
