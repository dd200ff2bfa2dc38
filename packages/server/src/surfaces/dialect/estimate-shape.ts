// The cost of a call in the form of the public document: in dollars, converted from our credits. A bound is never shown tighter
// than it is, and a call that costs something is never shown as free.
import { decimalText, parseCredits } from "../../capabilities/prices/index.ts";
import { isRecord, type JsonRecord } from "../../foundation/json/json-record.ts";

export interface EstimateRates {
  readonly now: Date;
  readonly creditsPerUsd: number;
}

const decimals = 8;
const centDecimals = 6;

type Rounding = "nearest" | "down" | "up";

// `credits` is a number there and a range here. Below their path it takes their form, and `hold` still has the maximum.
export function publicEstimate(body: JsonRecord, { now, creditsPerUsd }: EstimateRates): JsonRecord {
  const { model, credits, is_exact: isExact, ...others } = body;
  if (typeof model !== "string" || !isRecord(credits)) return body;
  const [lowest, highest] = [amountOf(credits["lowest"]), amountOf(credits["highest"])];
  const common = {
    ...others,
    model,
    is_exact: isExact,
    provider: model.split("/")[0],
    currency: "USD",
    pricing_as_of: now.toISOString(),
  };
  const said = (microCredits: bigint, rounding: Rounding) => dollars(microCredits, BigInt(creditsPerUsd), rounding);
  if (isExact === true) {
    const { text, cents } = said(lowest, "nearest");
    return { ...common, source: "exact", amount: text, amount_cents: cents, credits: Number(credits["lowest"]) };
  }
  const [least, most] = [said(lowest, "down"), said(highest, "up")];
  return {
    ...common,
    source: "estimated",
    min_amount: least.text,
    min_amount_cents: least.cents,
    max_amount: most.text,
    max_amount_cents: most.cents,
  };
}

function amountOf(text: unknown): bigint {
  return (typeof text === "string" ? parseCredits(text) : null) ?? 0n;
}

// One micro-credit is 100 / creditsPerUsd of the last decimal of a dollar.
function dollars(microCredits: bigint, creditsPerUsd: bigint, rounding: Rounding) {
  const dividend = microCredits * 100n;
  const whole = dividend / creditsPerUsd;
  const rest = dividend % creditsPerUsd;
  const isRaised = rounding === "up" ? rest > 0n : rounding === "nearest" && rest * 2n >= creditsPerUsd;
  const digits = isRaised || (whole === 0n && rest > 0n) ? whole + 1n : whole;
  return { text: decimalText({ digits, decimals }), cents: Number(decimalText({ digits, decimals: centDecimals })) };
}
