// Checks the price against what the documentation says a call costs, and that every amount in it is covered: each is
// doubled in turn, and some documented price must then fail.
import { charge, holdBound, type Price, priceOf, validatePrice } from "../prices/index.ts";
import type { ModelDefinition } from "../providers/index.ts";
import type { ModelFixtures } from "./fixtures.ts";
import { creditsPerUsd, priceFor } from "./run-exchange.ts";

type PriceFixture = NonNullable<ModelFixtures["prices"]>[number];

export function priceProblems(definition: ModelDefinition, prices: readonly PriceFixture[]): string[] {
  const price = priceFor({ definition });
  if (price === null) return ["the price is not valid"];
  const wrong = prices.flatMap((fixture, index) =>
    differences(price, fixture).map((difference) => `prices/${index}: ${difference}`),
  );
  if (wrong.length > 0) return wrong;
  return doubled(definition.price).flatMap(({ at, value }) => {
    const validated = validatePrice(value);
    const other = validated.ok ? priceOf(validated.definition, creditsPerUsd) : null;
    const isNoticed = other === null || prices.some((fixture) => differences(other, fixture).length > 0);
    return isNoticed ? [] : [`no documented price covers the amount at /price${at}`];
  });
}

function differences(price: Price, { input, reported, held_usd, charged_usd }: PriceFixture): string[] {
  const held = holdBound(price, input);
  const charged = charge(price, input, reported);
  const problems: string[] = [];
  if (held_usd !== undefined && held !== microDollars(held_usd))
    problems.push(`it would hold ${dollars(held)} USD; documented: ${held_usd}`);
  if (charged_usd !== undefined && charged !== microDollars(charged_usd))
    problems.push(`it would charge ${dollars(charged)} USD; documented: ${charged_usd}`);
  if (charged > held) problems.push("it would charge more than it reserves");
  return problems;
}

// Rounded up, like charges.
export function microDollars(text: string): bigint {
  const [whole = "0", decimals = ""] = text.split(".");
  const nano = BigInt(whole) * 1_000_000_000n + BigInt(decimals.padEnd(9, "0"));
  return (nano + 999n) / 1000n;
}

export function dollars(micro: bigint): string {
  const text = String(micro).padStart(7, "0");
  return `${text.slice(0, -6)}.${text.slice(-6)}`.replace(/\.?0+$/, "");
}

interface Doubled {
  readonly at: string;
  readonly value: unknown;
}

const amountNames = new Set(["usd", "each", "usd_per_million"]);

// The price with one amount doubled, once for each amount that is not zero.
function doubled(price: unknown): Doubled[] {
  const found: Doubled[] = [];
  const walk = (value: unknown, at: string, isAmount: boolean, put: (changed: unknown) => unknown) => {
    if (typeof value === "string") {
      if (isAmount && Number(value) > 0) found.push({ at, value: put(twice(value)) });
      return;
    }
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      const isInner = Array.isArray(value) ? isAmount : amountNames.has(name) || (isAmount && name !== "kind");
      const replace = (changed: unknown) =>
        put(Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed });
      walk(inner, `${at}/${name}`, name === "cases" || name === "parts" ? true : isInner && !isWord(name), replace);
    }
  };
  walk(price, "", false, (changed) => changed);
  return found;
}

// Members of a term that are words, not amounts.
function isWord(name: string): boolean {
  return ["by", "otherwise", "from", "widget", "reported", "group", "kind"].includes(name);
}

function twice(text: string): string {
  const [whole = "0", decimals = ""] = text.split(".");
  const digits = String(BigInt(whole + decimals) * 2n).padStart(decimals.length + 1, "0");
  const split = digits.length - decimals.length;
  return decimals === "" ? digits : `${digits.slice(0, split)}.${digits.slice(split)}`;
}
