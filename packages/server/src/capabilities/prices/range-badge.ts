// The badge of something whose price is a sum that is known only as a range: what it costs at least and at most.
import type { Badge } from "@atelier/contract";
import { badgeShowing } from "./make-badge.ts";
import { ceilingOf, decimalText } from "./money.ts";

const usdDecimals = 9;

// In micro-credits. Rounded outwards, so the charge always lies within what the badge shows.
export function makeRangeBadge(
  { lowest, highest }: { readonly lowest: bigint; readonly highest: bigint },
  creditsPerUsd: number,
): Badge {
  return badgeShowing({ expr: dollarRange({ lowest, highest }, creditsPerUsd), widgets: [], groups: [] });
}

// The same as an expression.
export function dollarRange(
  { lowest, highest }: { readonly lowest: bigint; readonly highest: bigint },
  creditsPerUsd: number,
): string {
  // Dollars = micro-credits / (credits per dollar × 10^6), in units of 10^-9 dollars.
  const perDollar = BigInt(Math.round(creditsPerUsd * 1_000));
  const dollars = (units: bigint) => decimalText({ digits: units, decimals: usdDecimals });
  const least = dollars((lowest * 1_000_000n) / perDollar);
  const most = dollars(ceilingOf(highest * 1_000_000n, perDollar));
  return lowest === highest
    ? `{"type": "usd", "usd": ${dollars(nearest(lowest * 1_000_000n, perDollar))}}`
    : `{"type": "range_usd", "min_usd": ${least}, "max_usd": ${most}}`;
}

function nearest(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}
