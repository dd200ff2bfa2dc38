import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../fault.ts";
import { noLabels, readLabels } from "./labels.ts";

const headers = (tags?: string, endUser?: string) => [
  ...(tags === undefined ? [] : ["x-service-tags", tags]),
  ...(endUser === undefined ? [] : ["X-Service-End-User", endUser]),
];

test("tags and the end user are read from their headers, and a request without them has none", () => {
  assert.equal(readLabels(["accept", "*/*"]), noLabels);
  assert.deepEqual(readLabels(headers('{"project":"spring","__proto__":"x"}', "user-7")), {
    tags: Object.fromEntries([
      ["project", "spring"],
      ["__proto__", "x"],
    ]),
    endUser: "user-7",
  });
  assert.deepEqual(readLabels(headers('{"city":"K\\u00f6ln"}')).tags, { city: "Köln" });
  assert.equal(readLabels(headers("{}")).tags, null);
});

test("a token's end user counts without a header and cannot be replaced by another", () => {
  assert.deepEqual(readLabels([], "user-7"), { tags: null, endUser: "user-7" });
  assert.equal(readLabels(headers(undefined, "user-7"), "user-7").endUser, "user-7");
  assert.throws(() => readLabels(headers(undefined, "user-8"), "user-7"), { code: "forbidden" });
});

test("anything that cannot be a tag is refused with what is wrong", () => {
  const pairs = (count: number) => JSON.stringify(Object.fromEntries([...Array(count)].map((_, n) => [`k${n}`, "v"])));
  for (const [tags, problem] of [
    ["project=spring", /JSON object/],
    ["[]", /map of strings/],
    ['{"a":1}', /not a string/],
    ['{"a b":"x"}', /the key "a b"/],
    [`{"a":"${"x".repeat(257)}"}`, /more than 256 bytes/],
    ['{"a":"\\u0000"}', /U\+0000/],
    ['{"a":"\\ud800"}', /surrogate/],
    ['{"a":"ö"}', /ASCII/],
    [pairs(17), /at most 16/],
  ] as const) {
    const refused = (error: unknown) =>
      error instanceof Fault && error.code === "invalid_request" && problem.test(error.message);
    assert.throws(() => readLabels(headers(tags)), refused, tags);
  }
  assert.equal(Object.keys(readLabels(headers(pairs(16))).tags ?? {}).length, 16);
  for (const endUser of ["", "a b", "x".repeat(129)])
    assert.throws(() => readLabels(headers(undefined, endUser)), { code: "invalid_request" });
  assert.throws(() => readLabels([...headers("{}"), ...headers("{}")]), /sent twice/);
});
