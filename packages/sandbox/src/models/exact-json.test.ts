import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalInteger, ExactNumber, membersOf, writeJson } from "./exact-json.ts";

test("members are found exactly as written, in any surroundings", () => {
  const text = ' { "a" : 18446744073709551615 , "b":{"seed":[1,{"seed":2}]}, "se\\u0065d" : 1.0e+2,"c":"}\\",{" } ';
  assert.deepEqual(
    [...membersOf(text)],
    [
      ["a", "18446744073709551615"],
      ["b", '{"seed":[1,{"seed":2}]}'],
      ["seed", "1.0e+2"],
      ["c", '"}\\",{"'],
    ],
  );
});

test("of members with one name the last counts, as with JSON.parse", () => {
  assert.equal(membersOf('{"seed":1,"seed":2}').get("seed"), "2");
});

test("every member of every object is found, and parses to its value", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 1, "\t"), (value, space) => {
      const members = membersOf(JSON.stringify(value, null, space));
      const plain = JSON.parse(JSON.stringify(value));
      assert.deepEqual(Object.fromEntries([...members].map(([name, text]) => [name, JSON.parse(text)])), { ...plain });
    }),
  );
});

test("writing equals JSON.stringify, except for exact numbers, which keep their digits", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => assert.equal(writeJson(value), JSON.stringify(value))));
  fc.assert(
    fc.property(fc.bigInt(), (seed) => {
      assert.equal(writeJson({ a: [new ExactNumber(String(seed))], gone: undefined }), `{"a":[${seed}]}`);
    }),
  );
});

test("an integer has one spelling, however it was written", () => {
  const cases: [string, string | null][] = [
    ["1", "1"],
    ["1.0", "1"],
    ["10e-1", "1"],
    ["1e2", "100"],
    ["-0", "0"],
    ["-0.0", "0"],
    ["-7", "-7"],
    ["1.5", null],
    ["15e-1", null],
    ["1.5e1", "15"],
    ["18446744073709551615", "18446744073709551615"],
    ["1e999", "1e999"],
    ['"1"', null],
    ["null", null],
    ["", null],
  ];
  for (const [token, expected] of cases) assert.equal(canonicalInteger(token), expected, token);
  fc.assert(fc.property(fc.bigInt(), (value) => assert.equal(canonicalInteger(String(value)), String(value))));
});
