// A definition lowered to four kinds of nodes over integers. The price is exactly value(formula) / 10^scale dollars: every
// fraction in the definition (cents, half seconds, single pixels, millionths of a token price) is moved into the one scale
// beforehand. So a charge is integer arithmetic, and a badge can compute the same sum in doubles without error.

import { namesInPointer } from "../../foundation/json-pointer.ts";
import { type Decimal, largest, parseDecimal } from "./money.ts";
import type { PriceDefinition, PriceTerm, Quantity, Side, TokenRate } from "./price-definition.ts";

export type Formula =
  | { readonly kind: "constant"; readonly value: bigint }
  | { readonly kind: "product"; readonly amount: Amount; readonly each: Formula }
  | {
      readonly kind: "choice";
      readonly from: string;
      readonly widget: string;
      readonly cases: ReadonlyMap<string, Formula>;
      readonly otherwise: string;
    }
  | { readonly kind: "sum"; readonly parts: readonly Formula[] };

// A number from the input, kept within its bounds.
export interface Member {
  readonly from: string;
  readonly root: "widgets" | "inputGroups";
  readonly name: string;
  readonly usual: number;
  readonly least: number;
  readonly most: number;
}

// How a number becomes an integer: rounded up to whole ones, or to the nearest millionth, which removes the noise of sums
// such as 0.1 + 0.2.
export type Fineness = "whole" | "millionths";

export interface Amount {
  // Their values are multiplied: one for a quantity, two for an area, none if only the provider knows.
  readonly members: readonly Member[];
  readonly fineness: Fineness;
  // In whole ones, millionths or pixels. Without members, `most` is the most that may be requested.
  readonly least: bigint;
  readonly usual: bigint;
  readonly most: bigint;
  // Rounded up to multiples of `fineStep`, each of which counts as `perStep` in the formula.
  readonly fineStep: bigint;
  readonly perStep: bigint;
  readonly reported: { readonly fact: string; readonly fineness: Fineness } | null;
}

export interface Lowered {
  readonly formula: Formula;
  readonly scale: number;
}

export function lower(definition: PriceDefinition): Lowered {
  const scale = scaleOf(definition.usd);
  return { formula: lowerTerm(definition.usd, scale), scale };
}

// Where the badge finds the value at this pointer.
export function widgetOf(from: string, widget: string | undefined): string {
  return widget ?? namesInPointer(from).join(".");
}

// How many decimals the quantity of a term has in its formula: a stepped amount is that many digits behind the point.
export function quantityDecimals(
  term: Extract<PriceTerm, { kind: "per_second" | "per_count" | "per_megapixel" | "tokens" }>,
): number {
  switch (term.kind) {
    case "per_second":
      return stepOf(term.seconds.step).decimals;
    case "per_count":
      return stepOf(term.count.step).decimals;
    case "per_megapixel":
      return stepOf(term.step, onePixel).decimals;
    case "tokens":
      return 6;
  }
}

// A number from a definition: at most six decimals, so its text never has an exponent.
export function parseNumber(value: number): Decimal {
  return requireDecimal(String(value));
}

export function toFineUnits(value: number, fineness: Fineness): bigint {
  if (fineness === "whole") return BigInt(Math.ceil(value));
  // Ties round to even, and the shift is done on the text: exactly what a badge's $round(value, 6) does, so the two agree on
  // every double.
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const millionths = Number(`${mantissa}e${Number(exponent) + 6}`);
  const rounded = Math.round(millionths);
  return BigInt(rounded - millionths === 0.5 && rounded % 2 === 1 ? rounded - 1 : rounded);
}

function scaleOf(term: PriceTerm): number {
  if (typeof term === "string") return requireDecimal(term).decimals;
  switch (term.kind) {
    case "per_second":
      return scaleOf(term.each) + stepOf(term.seconds.step).decimals;
    case "per_count":
      return scaleOf(term.each) + stepOf(term.count.step).decimals;
    case "per_megapixel":
      return scaleOf(term.each) + stepOf(term.step, onePixel).decimals;
    case "table":
      return Math.max(...Object.values(term.cases).map(scaleOf));
    case "sum":
      return Math.max(...term.parts.map(scaleOf));
    case "tokens":
      return 6 + Math.max(...term.rates.map((rate) => requireDecimal(rate.usd_per_million).decimals));
  }
}

function lowerTerm(term: PriceTerm, scale: number): Formula {
  if (typeof term === "string") return constant(term, scale);
  switch (term.kind) {
    case "per_second":
      return lowerProduct(amountOf(term.seconds), stepOf(term.seconds.step), term.each, scale);
    case "per_count":
      return lowerProduct(amountOf(term.count), stepOf(term.count.step), term.each, scale);
    case "per_megapixel":
      return lowerProduct(areaOf(term), stepOf(term.step, onePixel), term.each, scale);
    case "table":
      return lowerTable(term, scale);
    case "sum":
      return { kind: "sum", parts: term.parts.map((part) => lowerTerm(part, scale)) };
    case "tokens":
      return { kind: "sum", parts: term.rates.map((rate) => lowerRate(rate, scale)) };
  }
}

function constant(usd: string, scale: number): Formula {
  const { digits, decimals } = requireDecimal(usd);
  return { kind: "constant", value: digits * 10n ** BigInt(scale - decimals) };
}

function lowerProduct(amount: Amount, step: Decimal, each: PriceTerm, scale: number): Formula {
  return { kind: "product", amount, each: lowerTerm(each, scale - step.decimals) };
}

function lowerTable(term: Extract<PriceTerm, { kind: "table" }>, scale: number): Formula {
  const cases = new Map(Object.entries(term.cases).map(([value, inner]) => [value, lowerTerm(inner, scale)]));
  const [only] = cases.values();
  // A table with a single case needs no choice.
  if (cases.size === 1 && only) return only;
  return { kind: "choice", from: term.by, widget: widgetOf(term.by, term.widget), cases, otherwise: term.otherwise };
}

function lowerRate(rate: TokenRate, scale: number): Formula {
  return { kind: "product", amount: amountOf(rate), each: constant(rate.usd_per_million, scale - 6) };
}

function amountOf(quantity: Quantity): Amount {
  const step = stepOf(quantity.step);
  const fineness: Fineness = step.decimals === 0 ? "whole" : "millionths";
  const { from, reported, default: usual, least = 0, most } = quantity;
  const root = quantity.group === undefined ? "widgets" : "inputGroups";
  const name = from === undefined ? "" : (quantity.group ?? widgetOf(from, quantity.widget));
  return {
    members: from === undefined ? [] : [{ from, root, name, usual, least, most }],
    fineness,
    least: toFineUnits(least, fineness),
    usual: toFineUnits(usual, fineness),
    most: toFineUnits(most, fineness),
    fineStep: step.digits * (fineness === "whole" ? 1n : 10n ** BigInt(6 - step.decimals)),
    perStep: step.digits,
    reported: reported === undefined ? null : { fact: reported, fineness },
  };
}

function areaOf(term: Extract<PriceTerm, { kind: "per_megapixel" }>): Amount {
  const step = stepOf(term.step, onePixel);
  const members = [memberOfSide(term.width), memberOfSide(term.height)];
  const least = toFineUnits(term.minimum ?? 0, "millionths");
  const area = (side: "usual" | "most") =>
    largest(
      least,
      members.reduce((product, member) => product * toFineUnits(member[side], "whole"), 1n),
    );
  return {
    members,
    fineness: "whole",
    least,
    usual: area("usual"),
    most: area("most"),
    fineStep: step.digits * 10n ** BigInt(6 - step.decimals),
    perStep: step.digits,
    reported: term.reported === undefined ? null : { fact: term.reported, fineness: "millionths" },
  };
}

function memberOfSide(side: Side): Member {
  const { from, least = 0, most } = side;
  return { from, root: "widgets", name: widgetOf(from, side.widget), usual: side.default, least, most };
}

const onePixel = 0.000001;

function stepOf(step: number | undefined, usual = 1): Decimal {
  return parseNumber(step ?? usual);
}

function requireDecimal(text: string): Decimal {
  const decimal = parseDecimal(text);
  if (!decimal) throw new Error(`A price contains "${text}", which is not a plain decimal number.`);
  return decimal;
}
