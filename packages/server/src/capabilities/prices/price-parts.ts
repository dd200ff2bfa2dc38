// How an estimate comes about, for people: "4 s × 10.55". Each part is a price and the quantities it is multiplied by, at least
// and at most. Walks the definition and its formula side by side, so the parts add up to what is held and charged.
import { type Amount, type Formula, quantityDecimals } from "./formula.ts";
import { decimalText, parseDecimal } from "./money.ts";
import { chosenCases, leastAmount, mostAmount, type Price, stepped } from "./price.ts";
import type { PriceTerm } from "./price-definition.ts";

export type PriceUnit = "second" | "item" | "megapixel" | "million_tokens";

export interface PricedQuantity {
  readonly unit: PriceUnit;
  // Decimal texts.
  readonly lowest: string;
  readonly highest: string;
  // Whether the provider reports it at the end.
  readonly isReported: boolean;
}

export interface PricePart {
  // Credits for one of each quantity, as a decimal text.
  readonly each: string;
  readonly quantities: readonly PricedQuantity[];
}

// Null if the input does not decide which of several prices applies.
export function priceParts({ definition, formula, creditsPerUsd }: Price, input: unknown): readonly PricePart[] | null {
  const inCredits = (usd: string) => {
    const amount = parseDecimal(usd);
    return amount === null ? usd : decimalText({ ...amount, digits: amount.digits * BigInt(creditsPerUsd) });
  };
  return partsOf(definition.usd, formula, input, inCredits);
}

type InCredits = (usd: string) => string;

function partsOf(term: PriceTerm, formula: Formula, input: unknown, inCredits: InCredits): readonly PricePart[] | null {
  if (typeof term === "string") return [{ each: inCredits(term), quantities: [] }];
  if (term.kind === "table") return partsOfTable(term, formula, input, inCredits);
  if (term.kind === "sum") {
    if (formula.kind !== "sum") return null;
    return joined(
      term.parts.map((part, at) => withFormula(formula.parts[at], (one) => partsOf(part, one, input, inCredits))),
    );
  }
  if (term.kind === "tokens") {
    if (formula.kind !== "sum") return null;
    return joined(
      term.rates.map(({ usd_per_million }, at) =>
        withFormula(formula.parts[at], (one) =>
          one.kind === "product"
            ? [{ each: inCredits(usd_per_million), quantities: [quantityOf(term, one.amount, input)] }]
            : null,
        ),
      ),
    );
  }
  if (formula.kind !== "product") return null;
  const quantity = quantityOf(term, formula.amount, input);
  const inner = partsOf(term.each, formula.each, input, inCredits);
  return inner === null ? null : inner.map(({ each, quantities }) => ({ each, quantities: [quantity, ...quantities] }));
}

function partsOfTable(
  term: Extract<PriceTerm, { kind: "table" }>,
  formula: Formula,
  input: unknown,
  inCredits: InCredits,
): readonly PricePart[] | null {
  const [only, ...others] = Object.values(term.cases);
  // A table with a single case was lowered to that case.
  if (only !== undefined && others.length === 0) return partsOf(only, formula, input, inCredits);
  if (formula.kind !== "choice") return null;
  const [chosen, ...more] = chosenCases(formula, input);
  const word = [...formula.cases].find(([, each]) => each === chosen)?.[0];
  const inner = word === undefined ? undefined : term.cases[word];
  return chosen === undefined || more.length > 0 || inner === undefined
    ? null
    : partsOf(inner, chosen, input, inCredits);
}

const units = {
  per_second: "second",
  per_count: "item",
  per_megapixel: "megapixel",
  tokens: "million_tokens",
} as const satisfies Record<string, PriceUnit>;

function quantityOf(
  term: Extract<PriceTerm, { kind: keyof typeof units }>,
  amount: Amount,
  input: unknown,
): PricedQuantity {
  const decimals = quantityDecimals(term);
  const text = (fine: bigint) => decimalText({ digits: stepped(amount, fine), decimals });
  return {
    unit: units[term.kind],
    lowest: text(leastAmount(amount, input)),
    highest: text(mostAmount(amount, input)),
    isReported: amount.reported !== null,
  };
}

function withFormula<Result>(formula: Formula | undefined, use: (formula: Formula) => Result): Result | null {
  return formula === undefined ? null : use(formula);
}

function joined(parts: readonly (readonly PricePart[] | null)[]): readonly PricePart[] | null {
  const known = parts.flatMap((each) => each ?? []);
  return parts.includes(null) ? null : known;
}
