import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type BadgeProof, badgeProof } from "../../capabilities/badge-proof/index.ts";
import { contains, overlap } from "./badge-row.ts";
import { seedBadgeList } from "./seed-badges.ts";
import { descriptionOf } from "./seed-descriptions.test.ts";

const live = seedBadgeList.filter((seed) => !seed.ended);

test("at least 18 badges, of which at least 14 apply to version 1.2.3 on local", () => {
  assert.ok(seedBadgeList.length >= 18);
  const applying = live.filter((seed) => seed.platforms.includes("local") && contains(seed, [1, 2, 3]));
  assert.ok(applying.length >= 14, `${applying.length}`);
});

test("some begin, end and change with a version, some are for the cloud only, one has ended", () => {
  assert.ok(live.some((seed) => seed.fromVersion.join(".") === "1.3.0"));
  assert.ok(live.some((seed) => seed.untilVersion?.join(".") === "1.2.0"));
  const draft = live.filter((seed) => seed.nodeId === "SandboxDraftVideoNode");
  assert.equal(draft.length, 2);
  assert.ok(live.some((seed) => seed.platforms.join() === "cloud"));
  assert.ok(seedBadgeList.some((seed) => seed.ended));
});

test("no two seeds overlap", () => {
  for (const one of live)
    assert.ok(
      live.every((other) => other === one || !overlap(one, other)),
      one.nodeId,
    );
});

describe("every seed passes the proof on every option of its node", () => {
  let proof: BadgeProof;
  const types = new Set<string>();
  before(() => {
    proof = badgeProof({ creditsPerUsd: 211 });
  });
  after(() => proof.close());

  for (const [at, { nodeId, badge }] of seedBadgeList.entries()) {
    test(`${nodeId} (${at})`, async () => {
      const proven = await proof.prove(badge, { description: descriptionOf(nodeId) });
      const errors = proven.findings.filter(({ severity }) => severity === "error");
      assert.deepEqual(errors, []);
      assert.ok(
        proven.findings.every(({ code }) => code !== "unused_dependency"),
        JSON.stringify(proven.findings),
      );
      assert.ok(proven.samples.some(({ label }) => label));
      for (const { price } of proven.samples) if (price) types.add(price.type);
    });
  }

  test("all four result types occur", () => {
    assert.deepEqual([...types].sort(), ["list_usd", "range_usd", "text", "usd"]);
  });
});
