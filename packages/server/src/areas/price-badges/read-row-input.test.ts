import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readRowInput } from "./read-row-input.ts";

const whole = {
  node_id: "ANode",
  platforms: ["local", "cloud"],
  from_version: "1.0.0",
  until_version: "2.0.0",
  badge: {},
};

test("a whole row is read, its platforms in one order", () => {
  const read = readRowInput(whole);
  assert.ok(read.ok);
  assert.deepEqual(read.input.platforms, ["cloud", "local"]);
  assert.deepEqual(read.input.fromVersion, [1, 0, 0]);
  assert.deepEqual(read.input.untilVersion, [2, 0, 0]);
});

test("no end, and null as the end, leave the range open; other members are ignored", () => {
  for (const body of [
    { ...whole, until_version: null },
    { ...whole, until_version: undefined, more: 1 },
  ]) {
    const read = readRowInput(body);
    assert.ok(read.ok && read.input.untilVersion === null);
  }
});

describe("each mistake is reported with its member", () => {
  const wrong: readonly [string, unknown, string][] = [
    ["an empty id", { ...whole, node_id: "" }, "/node_id"],
    ["a long id", { ...whole, node_id: "x".repeat(257) }, "/node_id"],
    ["an id that is no text", { ...whole, node_id: 5 }, "/node_id"],
    ["__proto__", { ...whole, node_id: "__proto__" }, "/node_id"],
    ["constructor", { ...whole, node_id: "constructor" }, "/node_id"],
    ["a control character", { ...whole, node_id: "A\u0000B" }, "/node_id"],
    ["half a character", { ...whole, node_id: "A\ud800" }, "/node_id"],
    ["spaces around", { ...whole, node_id: " A" }, "/node_id"],
    ["no platform", { ...whole, platforms: [] }, "/platforms"],
    ["an unknown platform", { ...whole, platforms: ["moon"] }, "/platforms"],
    ["a platform twice", { ...whole, platforms: ["cloud", "cloud"] }, "/platforms"],
    ["a word for platforms", { ...whole, platforms: "cloud" }, "/platforms"],
    ["a version with two numbers", { ...whole, from_version: "1.0" }, "/from_version"],
    ["a version with a leading zero", { ...whole, from_version: "01.0.0" }, "/from_version"],
    ["nightly", { ...whole, until_version: "nightly" }, "/until_version"],
    ["an end at the beginning", { ...whole, until_version: "1.0.0" }, "/until_version"],
    ["an end before the beginning", { ...whole, until_version: "0.9.9" }, "/until_version"],
    ["probes that are no list", { ...whole, probes: {} }, "/probes"],
    ["a probe with a count that is none", { ...whole, probes: [{ inputGroups: { a: -1 } }] }, "/probes"],
  ];
  for (const [what, body, path] of wrong) {
    test(what, () => {
      const read = readRowInput(body);
      assert.ok(!read.ok);
      assert.deepEqual(
        read.findings.map((finding) => finding.path),
        [path],
      );
    });
  }
  test("everything at once", () => {
    const read = readRowInput({});
    assert.ok(!read.ok && read.findings.length === 3);
  });
});

test("no body makes the reader throw", () => {
  fc.assert(fc.property(fc.anything(), (body) => void readRowInput(body)));
});
