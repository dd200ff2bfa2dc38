// The label a client draws on a node for a price: credits = usd × credits per usd, with at most one decimal and no `.0`.
import type { BadgeResult, LabelFormat } from "./badge-result.ts";

// Clients group thousands and round with this formatter; ours must not differ even in a half-way case.
const oneDecimal = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

export function labelOf(result: BadgeResult, creditsPerUsd: number): string {
  const credits = (usd: number) => oneDecimal.format(usd * creditsPerUsd);
  switch (result.type) {
    case "usd":
      return decorate(credits(result.usd), result.format);
    case "range_usd": {
      const [low, high] = [credits(result.min_usd), credits(result.max_usd)];
      return decorate(low === high ? low : `${low}-${high}`, result.format);
    }
    case "list_usd":
      return decorate(result.usd.map(credits).join(result.format?.separator ?? "/"), result.format);
    case "text":
      return result.text;
  }
}

function decorate(amount: string, format: LabelFormat = {}): string {
  const note = format.note ? ` ${format.note}` : "";
  return `${format.approximate ? "~" : ""}${amount} credits${format.suffix ?? "/Run"}${note}`;
}
