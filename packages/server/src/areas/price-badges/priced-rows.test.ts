// Badges generated from prices: each passes the proof that operators' badges must pass, and shows the charge.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import jsonata from "jsonata";
import { type BadgeProof, badgeProof } from "../../capabilities/badge-proof/index.ts";
import { type PriceDefinition, type PricedUse, priceOf } from "../../capabilities/prices/index.ts";
import { pricedRows, withPriced } from "./priced-rows.ts";

const use = (subject: string, usd: PriceDefinition["usd"], node: PricedUse["node"], more = {}): PricedUse => ({
  subject,
  price: priceOf({ usd }, 211),
  node,
  ...more,
});

const seconds = (more = {}): PriceDefinition["usd"] => ({
  kind: "per_second",
  seconds: { from: "/seconds", default: 4, least: 1, most: 10, ...more },
  each: "0.05",
});

async function shown(uses: readonly PricedUse[], widgets: object, at = 0): Promise<unknown> {
  const { rows, problems } = pricedRows(uses);
  assert.deepEqual(problems, []);
  const badge: unknown = JSON.parse(rows[at]?.badgeText ?? "{}");
  const expr: unknown = Reflect.get(Object(badge), "expr");
  const result: unknown = await jsonata(String(expr)).evaluate({ widgets, inputs: {}, inputGroups: {} });
  return JSON.parse(JSON.stringify(result));
}

describe("a node that asks for one of several", () => {
  const skin = ["flexible", "creative", "faithful"].map((mode, at) =>
    use(`partner:p/skin/${mode}`, `0.1${at}`, { name: "SkinNode", when: { widget: "mode", is: mode } }),
  );

  test("shows the price of the one that its widget names, and words for any other value", async () => {
    assert.deepEqual(await shown(skin, { mode: "creative" }), { type: "usd", usd: 0.11 });
    assert.deepEqual(await shown(skin, { mode: "flexible" }), { type: "usd", usd: 0.1 });
    assert.deepEqual(await shown(skin, { mode: "brand new" }), { type: "text", text: "Depends on mode" });
    assert.deepEqual(await shown(skin, { mode: null }), { type: "text", text: "Depends on mode" });
  });

  test("a widget that the node does not have counts as its default, and one under another name is read there", async () => {
    const bare = [use("model:a/b", seconds(), { name: "N" }, { widgets: new Set(["prompt"]) })];
    assert.deepEqual(await shown(bare, { seconds: 9 }), { type: "usd", usd: 0.2 });
    const renamed = [use("model:a/b", seconds(), { name: "N", widgets: { seconds: "duration" } })];
    assert.deepEqual(await shown(renamed, { duration: 3 }), { type: "usd", usd: 0.15 });
  });

  test("too many for one badge: the longest are left to words, and that is said", () => {
    const table = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`a-long-value-${at}`, `0.${at + 10}`]));
    const many = Array.from({ length: 30 }, (_, at) => {
      const usd: PriceDefinition["usd"] =
        at < 20 ? { kind: "table", by: "/size", cases: table, otherwise: "a-long-value-0" } : "0.01";
      return use(`model:p/m${at}`, usd, { name: "AnyModelNode", when: { widget: "model", is: `p/m${at}` } });
    });
    const { rows, problems } = pricedRows(many);
    assert.equal(rows.length, 1);
    const expr = String(Reflect.get(Object(JSON.parse(rows[0]?.badgeText ?? "{}")), "expr"));
    assert.ok(expr.length <= 16_384 && expr.length > 10_000, `${expr.length}`);
    assert.ok(expr.includes('"p/m29"'), "the short ones are in it");
    assert.match(problems.join(), /the badge of AnyModelNode has no room for p\/m/);
  });
});

test("conflicting prices, built-in names and bad version ranges are reported and never served twice", () => {
  const { rows, problems } = pricedRows([
    use("model:a/one", "0.1", { name: "Same" }),
    use("model:a/two", "0.2", { name: "Same" }),
    use("model:a/three", "0.3", { name: "Same", from_version: "1.0.0" }),
    use("model:a/four", "0.4", { name: "constructor" }),
    use("model:a/five", "0.5", { name: "Backwards", from_version: "2.0.0", until_version: "1.0.0" }),
  ]);
  assert.deepEqual(
    rows.map(({ nodeId }) => nodeId),
    ["Same"],
  );
  assert.equal(problems.length, 4, problems.join("\n"));
});

test("platforms and versions of a node are those of its badge, and an operator's row takes the node on its platforms", () => {
  const { rows } = pricedRows([
    use("model:a/b", "0.1", { name: "N", platforms: ["cloud"], from_version: "1.1.0", until_version: "2.0.0" }),
  ]);
  assert.deepEqual(
    rows.map(({ platforms, fromVersion, untilVersion }) => [platforms, fromVersion, untilVersion]),
    [[["cloud"], [1, 1, 0], [2, 0, 0]]],
  );
  const [row = assert.fail()] = rows;
  assert.equal(withPriced([{ ...row, platforms: ["local"] }], rows).length, 2);
  assert.equal(withPriced([{ ...row, ended: true }], rows).length, 1);
});

describe("every badge of a price passes the proof of badges", () => {
  let proof: BadgeProof;
  before(() => {
    proof = badgeProof({ creditsPerUsd: 211 });
  });
  after(() => proof.close());

  const side = (from: string) => ({ from, default: 1024, least: 64, most: 2048 });
  const prices: readonly PriceDefinition["usd"][] = [
    "0",
    "0.11",
    seconds(),
    seconds({ reported: "seconds", step: 0.5 }),
    { kind: "per_megapixel", width: side("/width"), height: side("/height"), minimum: 1, each: "0.02" },
    { kind: "table", by: "/quality", cases: { low: "0.1", high: seconds() }, otherwise: "low" },
    { kind: "tokens", rates: [{ usd_per_million: "3", default: 10, most: 1000, reported: "input_tokens" }] },
  ];
  const single = prices.map((usd, at) => [use(`model:p/m${at}`, usd, { name: `N${at}` })]);
  const chosen = [
    prices.map((usd, at) =>
      use(
        `model:p/m${at}`,
        usd,
        { name: "AnyModelNode", when: { widget: "model", is: `p/m${at}` } },
        {
          overridden: "parameters",
          chooserType: "STRING",
          widgets: new Set(["model", "parameters", "width", "height"]),
        },
      ),
    ),
  ];
  for (const [at, uses] of [...single, ...chosen].entries()) {
    test(`${uses[0]?.node.name} (${at})`, async () => {
      const { rows } = pricedRows(uses);
      const proven = await proof.prove(JSON.parse(rows[0]?.badgeText ?? "{}"), {
        description: { widgets: { model: { options: uses.map((one) => one.node.when?.is ?? "") } } },
      });
      assert.deepEqual(
        proven.findings.filter(({ severity, code }) => severity === "error" || code === "unused_dependency"),
        [],
      );
    });
  }
});
