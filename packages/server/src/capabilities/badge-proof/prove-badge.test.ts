// A badge that would hang or fill a process ends one child and is reported as a finding.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type BadgeProof, badgeProof } from "./prove-badge.ts";

function badge(expr: string, widgets: readonly { name: string; type: string }[] = []) {
  return { engine: "jsonata", depends_on: { widgets, inputs: [], input_groups: [] }, expr };
}

describe("a badge is proven in a process that can be killed", () => {
  let proof: BadgeProof;
  // Children do not keep this process running while tests wait for them.
  let awake: NodeJS.Timeout;
  before(() => {
    proof = badgeProof({ creditsPerUsd: 211, timeoutMs: 120_000 });
    awake = setInterval(() => {}, 1000);
  });
  after(async () => {
    clearInterval(awake);
    await proof.close();
  });

  test("a right badge comes back with the labels a client would draw", async () => {
    const expr = '{"type": "usd", "usd": widgets.mode = "fine" ? 0.45 : 0.11}';
    const proven = await proof.prove(badge(expr, [{ name: "mode", type: "COMBO" }]), {
      description: { widgets: { mode: { options: ["Fast", "Fine"] } } },
    });
    assert.equal(proven.badge?.expr, expr);
    assert.deepEqual(proven.findings, []);
    assert.deepEqual(
      proven.samples.map(({ label }) => label),
      ["23.2 credits/Run", "95 credits/Run", "23.2 credits/Run"],
    );
  });

  test("a catastrophic regular expression is refused and never run", async () => {
    const expr = `{"type": "usd", "usd": $contains("${"a".repeat(40)}!", /^(a+)+$/) ? 1 : 2}`;
    const { badge: stored, findings } = await proof.prove(badge(expr));
    assert.equal(stored, null);
    assert.equal(findings[0]?.code, "regex_refused");
  });

  test("endless recursion in tail position runs out of time", async () => {
    const { badge: stored, findings } = await proof.prove(badge("($f := function($n){$f($n + 1)}; $f(0))"));
    assert.equal(stored, null);
    assert.deepEqual(
      findings.map(({ code }) => code),
      ["D1012"],
    );
  });

  test("endless recursion elsewhere runs out of stack", async () => {
    const expr = '($f := function($n){1 + $f($n + 1)}; {"type": "usd", "usd": $f(0)})';
    const { findings } = await proof.prove(badge(expr));
    assert.deepEqual(
      findings.map(({ code }) => code),
      ["D1011"],
    );
  });

  test("an expression whose tree doubles at every level ends its child, and the next badge is proven all the same", async () => {
    const bomb = `{"type": "usd", "usd": ${"(".repeat(60)}1${" ?? 1)".repeat(60)}}`;
    const { badge: stored, findings } = await proof.prove(badge(bomb));
    assert.equal(stored, null);
    assert.match(findings[0]?.code ?? "", /^too_(large|slow)$/);
    const next = await proof.prove(badge('{"type": "usd", "usd": 0.11}'));
    assert.deepEqual(next.findings, []);
  });

  test("a badge of the wrong shape never reaches a child", async () => {
    const { badge: stored, findings } = await proof.prove({ engine: "jsonata" });
    assert.equal(stored, null);
    assert.ok(findings.every(({ code }) => code === "shape"));
  });
});
