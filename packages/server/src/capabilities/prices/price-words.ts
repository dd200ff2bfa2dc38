// A price in words, for people who read a list: what a call costs and per what, in the reader's unit. Not used for charging.
import { decimalText, parseDecimal } from "./money.ts";
import type { PriceDefinition, PriceTerm } from "./price-definition.ts";

// Amounts are exact, in credits; at one credit per dollar they are dollars.
export function priceWords({ usd }: PriceDefinition, creditsPerUsd: number): string {
  const inCredits = (text: string) => {
    const amount = parseDecimal(text);
    return amount === null ? text : decimalText({ ...amount, digits: amount.digits * BigInt(creditsPerUsd) });
  };
  return describeTerm(usd, inCredits);
}

function describeTerm(term: PriceTerm, amount: (usd: string) => string): string {
  if (typeof term === "string") return amount(term);
  const nested = (inner: PriceTerm) => {
    const words = describeTerm(inner, amount);
    return typeof inner === "string" ? words : `(${words})`;
  };
  switch (term.kind) {
    case "per_second":
      return `${nested(term.each)} per second`;
    case "per_count":
      return `${nested(term.each)} each`;
    case "per_megapixel":
      return `${nested(term.each)} per megapixel`;
    case "table":
      return `${Object.entries(term.cases)
        .map(([word, inner]) => `${word}: ${nested(inner)}`)
        .join(", ")} by ${term.by}`;
    case "sum":
      return term.parts.map(nested).join(" + ");
    case "tokens":
      return term.rates
        .map(({ usd_per_million, reported }) => `${amount(usd_per_million)} per million ${reported}`)
        .join(", ");
  }
}
