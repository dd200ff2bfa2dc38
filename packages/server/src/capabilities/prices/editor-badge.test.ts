import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import jsonata from "jsonata";
import { isRecord } from "../../foundation/json/json-record.ts";
import { anyInput, anyPrice } from "./any-price.test.ts";
import { editorBadge, editorBadges } from "./editor-badge.ts";
import { makeBadge } from "./make-badge.ts";
import { priceOf } from "./price.ts";

const editorRate = 211;

// The amounts that a badge shows, in credits at this rate.
async function credits(badgeText: string, widgets: object, rate: number): Promise<number[]> {
  const badge: unknown = JSON.parse(badgeText);
  assert.ok(isRecord(badge) && typeof badge["expr"] === "string");
  const shown: unknown = await jsonata(badge["expr"]).evaluate({ widgets, inputs: {}, inputGroups: {} });
  assert.ok(isRecord(shown));
  const amounts = ["usd", "min_usd", "max_usd"].flatMap((name) => shown[name] ?? []);
  return amounts.flat().map((amount) => Number(amount) * rate);
}

test("the editor shows the credits of our own badge for any price, at any rate of this server", async () => {
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(anyPrice, anyInput, fc.constantFrom(1, 100, 211, 1_000), async (definition, input, rate) => {
      const own = JSON.stringify(makeBadge(priceOf(definition, rate)));
      const widgets = isRecord(input) ? input : {};
      const [ours, theirs] = [
        await credits(own, widgets, rate),
        await credits(editorBadge(own, rate), widgets, editorRate),
      ];
      assert.equal(theirs.length, ours.length);
      for (const [at, amount] of ours.entries())
        assert.ok(
          Math.abs((theirs[at] ?? Number.NaN) - amount) <= 1e-9 * Math.max(1, amount),
          `${theirs[at]} ${amount}`,
        );
      seen += ours.length;
    }),
    { numRuns: 60 },
  );
  assert.ok(seen > 60);
});

test("texts, lists and suffixes of a badge stay as they are", async () => {
  const evaluate = async (expr: string): Promise<unknown> => {
    const badge: unknown = JSON.parse(editorBadge(JSON.stringify({ engine: "jsonata", expr }), 422));
    assert.ok(isRecord(badge));
    return JSON.parse(JSON.stringify(await jsonata(String(badge["expr"])).evaluate({})));
  };
  assert.deepEqual(await evaluate('{"type": "text", "text": "Depends on mode"}'), {
    type: "text",
    text: "Depends on mode",
  });
  assert.deepEqual(await evaluate('{"type": "list_usd", "usd": [0.5, 1], "format": {"suffix": " per 1K tokens"}}'), {
    type: "list_usd",
    usd: [1, 2],
    format: { suffix: " per 1K tokens" },
  });
  assert.deepEqual(await evaluate('{"type": "list_usd", "usd": [0.5]}'), { type: "list_usd", usd: [1] });
});

test("badges are made again only when prices change", () => {
  let texts: ReadonlyMap<string, string> = new Map([["A", '{"expr":"1"}']]);
  const badges = editorBadges(() => texts, 211);
  assert.equal(badges(), badges());
  const before = badges();
  texts = new Map([["B", '{"expr":"2"}']]);
  assert.notEqual(badges(), before);
  assert.deepEqual([...badges().keys()], ["B"]);
});
