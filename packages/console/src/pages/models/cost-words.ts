// What a call will cost, and why that is a range; and whether the balance covers it.
import type { ModelEstimate } from "@atelier/sdk";
import { creditRangeOf, creditsOf } from "../../ui/amounts.ts";

export function costWords({ credits }: Pick<ModelEstimate, "credits">): string {
  return creditRangeOf(credits.lowest, credits.highest);
}

// There is one reason for a range: the price depends on what the provider reports at the end.
export function moreWords({ hold, is_exact, expected_seconds: span }: Omit<ModelEstimate, "model">): string {
  const reason =
    is_exact || Number(hold) === 0
      ? null
      : `depends on what the provider reports; ${creditsOf(hold)} held while it runs, the rest comes back`;
  const time = span === undefined ? null : `about ${secondsOf(span.median)}, 9 of 10 within ${secondsOf(span.p90)}`;
  return [reason, time].filter((part) => part !== null).join(" · ");
}

export function shortageWords(hold: string, available: string): string | null {
  if (Number(available) >= Number(hold)) return null;
  return `Your balance is ${creditsOf(available)} credits; this call needs ${creditsOf(hold)}. It will be refused until the workspace is topped up.`;
}

const secondsOf = (seconds: number): string =>
  seconds < 10 ? `${Number(seconds.toFixed(1))} s` : `${Math.round(seconds)} s`;
