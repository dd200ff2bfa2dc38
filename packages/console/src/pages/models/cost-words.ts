// What a call will cost, and why that is a range; and whether the balance covers it.
import type { ModelEstimate } from "@atelier/sdk";
import { models } from "#strings/models";
import { formatCreditRange, formatCredits } from "../../ui/amounts.ts";

const words = models.estimate;

export function costWords({ credits }: Pick<ModelEstimate, "credits">): string {
  return formatCreditRange(credits.lowest, credits.highest);
}

// How the amount comes about: "1 to 4 s × 10.55". Nothing for a fixed price, which says all by itself.
export function partWords({ parts }: Pick<ModelEstimate, "parts">): string {
  if (parts === undefined || parts.every(({ quantities }) => quantities.length === 0)) return "";
  return parts
    .map(({ each, quantities }) => [...quantities.map(quantityWords), formatCredits(each)].join(" × "))
    .join(" + ");
}

type Quantity = NonNullable<ModelEstimate["parts"]>[number]["quantities"][number];

function quantityWords({ unit, lowest, highest }: Quantity): string {
  // Tokens are counted, and priced by the million.
  const scale = unit === "million_tokens" ? 1e6 : 1;
  const [least, most] = [lowest, highest].map((text) =>
    (Number(text) * scale).toLocaleString("en", { maximumFractionDigits: 3 }),
  );
  const amount = least === most ? `${most}` : words.between(least ?? "", most ?? "");
  return words.units[unit](amount);
}

// There is one reason for a range: the price depends on what the provider reports at the end.
export function moreWords({ hold, is_exact, expected_seconds: span }: Omit<ModelEstimate, "model">): string {
  const reason = is_exact || Number(hold) === 0 ? null : words.reported(formatCredits(hold));
  const time = span === undefined ? null : words.time(secondsOf(span.median), secondsOf(span.p90));
  return [reason, time].filter((part) => part !== null).join(" · ");
}

export function shortageWords(hold: string, available: string): string | null {
  if (Number(available) >= Number(hold)) return null;
  return words.shortage(formatCredits(available), formatCredits(hold));
}

const secondsOf = (seconds: number): string =>
  words.seconds(seconds < 10 ? Number(seconds.toFixed(1)) : Math.round(seconds));
