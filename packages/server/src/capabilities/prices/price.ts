// Hold, charge and lowest charge of a call, from one price. All three walk the same formula over the same input and differ
// only in the amounts the provider reports. A report never counts for more than was requested or less than the price's own
// minimum. So no charge is ever above its hold or below the lowest, whatever the input and the report say.
import { type Amount, type Formula, lower, type Member, toFineUnits } from "./formula.ts";
import { ceilingOf, largest, smallest, toMicroCredits } from "./money.ts";
import { type PriceDefinition, quantityMax } from "./price-definition.ts";
import { countFrom, numberFrom, Unsure, valueAt, wordFrom } from "./read-input.ts";

// The rate is part of the price: as a setting read at each step, it could change between hold and charge.
export interface Price {
  readonly definition: PriceDefinition;
  readonly creditsPerUsd: number;
  readonly formula: Formula;
  readonly scale: number;
}

// What the provider reported, under the names the definition gives: seconds, megapixels, input_tokens, …
export type Facts = Readonly<Record<string, number | bigint | string>>;

const costlyUsd = 5n;

// The definition must have passed validatePrice.
export function priceOf(definition: PriceDefinition, creditsPerUsd: number): Price {
  return { definition, creditsPerUsd, ...lower(definition) };
}

// For calls under the workspace's own credential: the provider bills the workspace.
export const freePrice: Price = priceOf({ usd: "0" }, 1);

// The most a call with this input can cost, in micro-credits, over every possible report and every value an Unsure member
// can have.
export function holdBound(price: Price, input: unknown): bigint {
  return inMicroCredits(price, boundOf(price, input));
}

// The least a call with this input costs if it succeeds. Without a report the charge is the requested or usual amount, and
// neither is below the least that a report counts for.
export function lowestCharge(price: Price, input: unknown): bigint {
  return inMicroCredits(
    price,
    evaluate(price.formula, input, (amount) => leastAmount(amount, input), smallest),
  );
}

// What the call costs, in micro-credits: never more than holdBound of the same input. Without a report it is the requested
// amount, or the declared default if none could be requested.
export function charge(price: Price, input: unknown, facts: Facts = {}): bigint {
  return inMicroCredits(
    price,
    evaluate(price.formula, input, (amount) => charged(amount, input, facts)),
  );
}

// How far the provider's report exceeds the charge. We bear it, and an operator should look into it.
export function shortfall(price: Price, input: unknown, facts: Facts): bigint {
  const wanted = evaluate(price.formula, input, (amount) =>
    largest(charged(amount, input, facts), reportOf(amount, facts) ?? 0n),
  );
  return inMicroCredits(price, wanted) - charge(price, input, facts);
}

// Decisions, section 3: 5 USD or more per call. For this call if an input is given, otherwise for the most expensive one
// possible.
export function isCostly(price: Price, ...call: [] | [input: unknown]): boolean {
  const dearest = call.length === 0 ? findHighestPrice(price.formula) : boundOf(price, call[0]);
  return dearest >= costlyUsd * 10n ** BigInt(price.scale);
}

// The largest value of the formula over all inputs.
export function findHighestPrice(formula: Formula): bigint {
  switch (formula.kind) {
    case "constant":
      return formula.value;
    case "product":
      return stepped(formula.amount, formula.amount.most) * findHighestPrice(formula.each);
    case "choice":
      return largest(...[...formula.cases.values()].map(findHighestPrice));
    case "sum":
      return formula.parts.reduce((sum, part) => sum + findHighestPrice(part), 0n);
  }
}

export function stepped(amount: Amount, fine: bigint): bigint {
  return ceilingOf(fine, amount.fineStep) * amount.perStep;
}

// The least and the most of a quantity that this input can be charged for.
export function leastAmount(amount: Amount, input: unknown): bigint {
  return amount.reported === null ? asked(amount, input, "least") : amount.least;
}

export function mostAmount(amount: Amount, input: unknown): bigint {
  return asked(amount, input);
}

function boundOf(price: Price, input: unknown): bigint {
  return evaluate(price.formula, input, (amount) => mostAmount(amount, input));
}

// `among` picks one of several cases if the input does not decide between them.
function evaluate(
  formula: Formula,
  input: unknown,
  fine: (amount: Amount) => bigint,
  among: (...values: readonly bigint[]) => bigint = largest,
): bigint {
  switch (formula.kind) {
    case "constant":
      return formula.value;
    case "product":
      return stepped(formula.amount, fine(formula.amount)) * evaluate(formula.each, input, fine, among);
    case "choice":
      return among(...chosenCases(formula, input).map((one) => evaluate(one, input, fine, among)));
    case "sum":
      return formula.parts.reduce((sum, part) => sum + evaluate(part, input, fine, among), 0n);
  }
}

// One case, or all if the value is not known yet.
export function chosenCases(choice: Extract<Formula, { kind: "choice" }>, input: unknown): readonly Formula[] {
  const value = valueAt(input, choice.from);
  if (value instanceof Unsure) return [...choice.cases.values()];
  const word = wordFrom(value);
  const found = (word === null ? undefined : choice.cases.get(word)) ?? choice.cases.get(choice.otherwise);
  if (!found) throw new Error(`A price has no case "${choice.otherwise}" for values it does not list.`);
  return [found];
}

function asked(amount: Amount, input: unknown, end: "least" | "most" = "most"): bigint {
  if (amount.members.length === 0) return amount[end];
  const fine = amount.members.reduce(
    (product, one) => product * toFineUnits(within(one, input, end), amount.fineness),
    1n,
  );
  return largest(fine, amount.least);
}

function within(member: Member, input: unknown, end: "least" | "most"): number {
  const value = valueAt(input, member.from);
  // For an unknown value we cannot even tell whether it is a list to count.
  if (value instanceof Unsure) return member.root === "widgets" ? bounded(member, value[end]) : member[end];
  const given = member.root === "widgets" ? numberFrom(value) : countFrom(value);
  return bounded(member, given ?? member.usual);
}

function bounded({ least, most }: Member, value: number): number {
  return Math.min(Math.max(value, least), most);
}

function charged(amount: Amount, input: unknown, facts: Facts): bigint {
  const report = reportOf(amount, facts);
  if (report === null) return amount.members.length === 0 ? amount.usual : asked(amount, input);
  const limit = asked(amount, input);
  return report > limit ? limit : largest(report, amount.least);
}

function reportOf(amount: Amount, facts: Facts): bigint | null {
  if (amount.reported === null || !Object.hasOwn(facts, amount.reported.fact)) return null;
  const given = numberFrom(facts[amount.reported.fact]);
  return given === null ? null : toFineUnits(Math.min(Math.max(given, 0), quantityMax), amount.reported.fineness);
}

function inMicroCredits(price: Price, value: bigint): bigint {
  return toMicroCredits({ digits: value, decimals: price.scale }, price.creditsPerUsd);
}
