// Decisions, section 2: a model's badge and its charge come from one price record. We compute both here, the badge with
// JSONata over the widgets of the same input, and they must be the same amount of money.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import jsonata from "jsonata";
import { type BadgeProof, badgeProof } from "../badge-proof/index.ts";
import { type AnyInput, anyFacts, anyInput, anyPrice } from "./any-price.test.ts";
import { makeBadge } from "./make-badge.ts";
import { type Decimal, toMicroCredits } from "./money.ts";
import { charge, type Facts, holdBound, priceOf } from "./price.ts";
import type { PriceDefinition } from "./price-definition.ts";

// What a client passes to the expression: numbers, also from text; words trimmed and in lower case; otherwise null.
function asClientsSee(type: string, value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  const text = String(value).trim().toLowerCase();
  if (type === "BOOLEAN") return text === "true" ? true : text === "false" ? false : null;
  if (type === "COMBO") return typeof value === "number" || typeof value === "boolean" ? value : text;
  if (typeof value === "boolean" || text === "") return null;
  return Number.isFinite(Number(value)) ? Number(value) : null;
}

function contextOf(price: PriceDefinition, input: AnyInput) {
  const { video, images, ...plain } = input;
  const values: Readonly<Record<string, unknown>> = { ...plain, "video.length": video.length };
  const { widgets } = makeBadge(priceOf(price, 211)).depends_on;
  return {
    widgets: Object.fromEntries(widgets.map(({ name, type }) => [name, asClientsSee(type, values[name])])),
    inputs: {},
    inputGroups: { images: images.length },
  };
}

// The decimal number a double is printed as.
function decimalOfDouble(value: number): Decimal {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const decimals = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction) * 10n ** BigInt(Math.max(0, -decimals));
  return { digits, decimals: Math.max(0, decimals) };
}

async function shown(definition: PriceDefinition, input: AnyInput) {
  const result: unknown = await jsonata(makeBadge(priceOf(definition, 211)).expr).evaluate(
    contextOf(definition, input),
  );
  assert.ok(typeof result === "object" && result !== null && "type" in result);
  const amount = (name: string) => {
    const usd: unknown = Reflect.get(result, name);
    assert.ok(typeof usd === "number", `${name} is ${String(usd)}`);
    return toMicroCredits(decimalOfDouble(usd), 211);
  };
  return { type: result.type, amount, result };
}

const leastReport: Facts = { seconds: 0, fine_seconds: 0, megapixels: 0, input_tokens: 0, output_tokens: 0 };

test("to the micro-credit, the badge shows the charge, or the span of charges that reports leave", async () => {
  const seen = new Map<unknown, number>();
  await fc.assert(
    fc.asyncProperty(anyPrice, anyInput, anyFacts, async (definition, input, facts) => {
      const price = priceOf(definition, 211);
      const badge = await shown(definition, input);
      seen.set(badge.type, 1 + (seen.get(badge.type) ?? 0));
      const isRate = /second"|per 1K tokens/.test(makeBadge(price).expr);
      if (isRate) return;
      if (badge.type === "usd") {
        assert.equal(badge.amount("usd"), charge(price, input, facts));
        assert.equal(badge.amount("usd"), holdBound(price, input));
        return;
      }
      assert.equal(badge.amount("min_usd"), charge(price, input, leastReport));
      assert.equal(badge.amount("max_usd"), holdBound(price, input));
    }),
    { numRuns: 2000 },
  );
  assert.ok((seen.get("usd") ?? 0) > 100 && (seen.get("range_usd") ?? 0) > 100, "both kinds must have been tried");
});

test("a rate by the second, times the seconds reported, is the charge", async () => {
  const seconds = { default: 0, most: 3600, reported: "seconds" };
  const definition: PriceDefinition = { usd: { kind: "per_second", seconds, each: "0.000725" } };
  const rate: unknown = await jsonata(makeBadge(priceOf(definition, 211)).expr).evaluate({});
  assert.deepEqual(structuredClone(rate), {
    type: "usd",
    usd: 0.000725,
    format: { suffix: "/second", approximate: true },
  });
  fc.assert(
    fc.property(fc.nat(3600), (count) => {
      const charged = charge(priceOf(definition, 211), {}, { seconds: count });
      assert.equal(charged, toMicroCredits({ digits: 725n * BigInt(count), decimals: 6 }, 211));
    }),
  );
});

test("prices by the thousand tokens, times the tokens reported, are the charge", async () => {
  const definition: PriceDefinition = {
    usd: {
      kind: "tokens",
      rates: [
        { usd_per_million: "0.15", reported: "input_tokens", default: 0, most: 200_000 },
        { usd_per_million: "0.6", reported: "output_tokens", from: "/max_tokens", default: 64_000, most: 64_000 },
      ],
    },
  };
  const result: unknown = await jsonata(makeBadge(priceOf(definition, 211)).expr).evaluate({});
  assert.deepEqual(structuredClone(result), {
    type: "list_usd",
    usd: [0.00015, 0.0006],
    format: { suffix: " per 1K tokens" },
  });
  fc.assert(
    fc.property(fc.nat(200_000), fc.nat(64_000), (input, output) => {
      const facts = { input_tokens: input, output_tokens: output };
      const digits = 15n * BigInt(input) + 60n * BigInt(output);
      assert.equal(charge(priceOf(definition, 211), {}, facts), toMicroCredits({ digits, decimals: 8 }, 211));
    }),
  );
});

describe("what operators read", () => {
  const side = (from: string) => ({ from, default: 1024, least: 256, most: 2048 });
  const table: readonly [PriceDefinition, string][] = [
    [{ usd: "0" }, `{"type": "usd", "usd": 0}`],
    [{ usd: "0.11", format: { suffix: "/Image" } }, `{"type": "usd", "usd": 0.11, "format": {"suffix":"/Image"}}`],
    [
      { usd: { kind: "per_second", seconds: { from: "/duration", default: 5, least: 1, most: 10 }, each: "0.05" } },
      `{"type": "usd", "usd": $ceil($min([$max([$type(widgets.duration) = "number" ? widgets.duration : 5, 1]), 10])) * 5 / 100}`,
    ],
    [
      { usd: { kind: "table", by: "/options/mode", cases: { a: "0.2", b: "0.5" }, otherwise: "a" } },
      `{"type": "usd", "usd": $lookup({"a": 2, "b": 5}, $string($lookup(widgets, "options.mode")) in ["a","b"] ? $string($lookup(widgets, "options.mode")) : "a") / 10}`,
    ],
    [
      { usd: { kind: "table", by: "/audio", cases: { true: "0.4", false: "0.2" }, otherwise: "false" } },
      `{"type": "usd", "usd": (widgets.audio = true ? 4 : 2) / 10}`,
    ],
    [
      { usd: { kind: "per_megapixel", width: side("/w"), height: side("/h"), minimum: 1, step: 1, each: "0.03" } },
      `{"type": "usd", "usd": $ceil($max([$ceil($min([$max([$type(widgets.w) = "number" ? widgets.w : 1024, 256]), 2048])) * $ceil($min([$max([$type(widgets.h) = "number" ? widgets.h : 1024, 256]), 2048])), 1000000]) / 1000000) * 3 / 100}`,
    ],
  ];
  for (const [definition, expr] of table) {
    test(JSON.stringify(definition).slice(0, 80), () => assert.equal(makeBadge(priceOf(definition, 211)).expr, expr));
  }
});

describe("the proof that every badge must pass", () => {
  let proof: BadgeProof;
  let awake: NodeJS.Timeout;
  before(() => {
    proof = badgeProof({ creditsPerUsd: 211, timeoutMs: 120_000 });
    awake = setInterval(() => {}, 1000);
  });
  after(async () => {
    clearInterval(awake);
    await proof.close();
  });

  test("finds nothing to say about the badge of a wide table of tables", async () => {
    const side = (name: string) => ({ from: `/${name}`, default: 0, least: 0, most: 4096 });
    const area = { kind: "per_megapixel", width: side("width"), height: side("height"), each: "0.0001" } as const;
    const count = { kind: "per_count", count: { from: "/n", default: 0, least: 0, most: 8 }, each: "1" } as const;
    const table = <Case>(cases: Readonly<Record<string, Case>>) =>
      ({ kind: "table", by: "/mode", cases, otherwise: "fast" }) as const;
    const inner = table({ "5": area, fast: count, "1.5": { ...area, minimum: 1, step: 0.1 } });
    const badge = makeBadge(priceOf({ usd: table({ "5": inner, fast: inner, "1.5": inner }) }, 211));
    assert.deepEqual((await proof.prove(badge)).findings, []);
  });

  test("finds nothing to say about the badge of any price", async () => {
    await fc.assert(
      fc.asyncProperty(anyPrice, async (definition) => {
        const badge = makeBadge(priceOf(definition, 211));
        const proven = await proof.prove(badge);
        assert.deepEqual(proven.findings, []);
        assert.deepEqual(proven.badge, badge);
      }),
      { numRuns: 60 },
    );
  });
});
