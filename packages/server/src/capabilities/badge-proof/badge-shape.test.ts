import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { canonicalBadge, isPrototypeName, readBadge } from "./badge-shape.ts";

const whole = {
  engine: "jsonata",
  depends_on: { widgets: [{ name: "model.width", type: "INT" }], inputs: ["images"], input_groups: [] },
  expr: '{"type": "usd", "usd": 0.11}',
};

test("a whole badge is read as it is", () => {
  assert.deepEqual(readBadge(whole), { ok: true, badge: whole });
});

test("equal badges have equal text, whatever the order of their keys", () => {
  const turned = {
    expr: whole.expr,
    depends_on: { input_groups: [], inputs: ["images"], widgets: [{ type: "INT", name: "model.width" }] },
    engine: "jsonata",
  };
  const [one, other] = [readBadge(whole), readBadge(turned)];
  assert.ok(one.ok && other.ok);
  assert.equal(canonicalBadge(one.badge), canonicalBadge(other.badge));
  assert.deepEqual(JSON.parse(canonicalBadge(one.badge)), whole);
});

describe("anything else is refused", () => {
  const dependsOn = (change: object) => ({ ...whole, depends_on: { ...whole.depends_on, ...change } });
  const broken: readonly [string, unknown][] = [
    ["null", null],
    ["a list", [whole]],
    ["another engine", { ...whole, engine: "cel" }],
    ["a fourth key", { ...whole, note: "" }],
    ["no expression", { ...whole, expr: "  " }],
    ["half a character", { ...whole, expr: '"\ud800"' }],
    ["an expression above 16 KiB", { ...whole, expr: `"${"é".repeat(8 * 1024)}"` }],
    ["a missing list", { ...whole, depends_on: { widgets: [], inputs: [] } }],
    ["a list that is null", dependsOn({ inputs: null })],
    ["a widget without type", dependsOn({ widgets: [{ name: "a" }] })],
    ["a widget with more", dependsOn({ widgets: [{ name: "a", type: "INT", min: 1 }] })],
    ["a name twice", dependsOn({ inputs: ["a", "a"] })],
    ["a widget twice", dependsOn({ widgets: [whole.depends_on.widgets[0], whole.depends_on.widgets[0]] })],
    ["an empty name", dependsOn({ input_groups: [""] })],
    ["__proto__", dependsOn({ inputs: ["__proto__"] })],
    ["constructor", dependsOn({ widgets: [{ name: "constructor", type: "INT" }] })],
  ];
  for (const [what, value] of broken) {
    test(what, () => {
      const read = readBadge(value);
      assert.ok(!read.ok && read.findings.length > 0);
      assert.ok(read.findings.every(({ severity, code }) => severity === "error" && code === "shape"));
    });
  }
});

test("every built-in object member counts as a prototype name", () => {
  for (const name of [...Object.getOwnPropertyNames(Object.prototype), "prototype"]) assert.ok(isPrototypeName(name));
  assert.ok(!isPrototypeName("PartnerARelightNode"));
});

test("no value makes the reader throw, and what it accepts is canonical", () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const read = readBadge(value);
      if (read.ok) assert.equal(canonicalBadge(read.badge), canonicalBadge(JSON.parse(canonicalBadge(read.badge))));
    }),
  );
});
