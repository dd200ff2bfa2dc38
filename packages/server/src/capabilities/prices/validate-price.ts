// Whether a definition can be a price: its shape, and what a shape cannot say. Problems are told in words and all
// together. The bounds are there so that hold, charge and badge can be exact: see maxima below.
import { limits } from "@atelier/contract";
import { compileSchema, type Violation } from "../../foundation/schema.ts";
import { isPrototypeName } from "../badge-proof/index.ts";
import { badgeOf } from "./badge-of.ts";
import { decimalOfNumber, widgetOf } from "./formula.ts";
import { dearestOf, priceOf } from "./price.ts";
import { PriceDefinition, PriceFormat, type PriceTerm, type Quantity, shallowTerms } from "./price-definition.ts";

export type ValidatedPrice =
  | { readonly ok: true; readonly definition: PriceDefinition }
  | { readonly ok: false; readonly problems: readonly string[] };

// Fifteen digits: any decimal number of so many digits is the shortest text of its nearest double, so the dollars of a
// badge can be read back exactly.
const digitsMax = 15;
const placesMax = 20;
const usdMax = 1_000_000n;
const depthMax = 6;
const pixelsMax = BigInt(Number.MAX_SAFE_INTEGER);

export function validatePrice(definition: unknown): ValidatedPrice {
  const problems = shapeProblems(definition);
  if (problems.length > 0) return { ok: false, problems };
  if (!compileSchema(PriceDefinition).accepts(definition)) {
    return { ok: false, problems: ["The price has a shape that prices do not have."] };
  }
  const checker = new Checker();
  checker.term("usd", definition.usd, 1);
  const found = checker.problems.length > 0 ? checker.problems : sizeProblems(definition);
  return found.length > 0 ? { ok: false, problems: found } : { ok: true, definition };
}

function shapeProblems(definition: unknown): readonly string[] {
  if (!isRecord(definition)) return ['A price is an object such as {"usd": "0.11"}.'];
  const strangers = Object.keys(definition).filter((name) => name !== "usd" && name !== "format");
  return [
    ...strangers.map((name) => `"${name}" is not part of a price: only usd and format.`),
    ...(isStorable(definition) ? [] : ["The price holds a character that cannot be stored."]),
    ...termProblems("usd", definition["usd"], 1),
    ...(definition["format"] === undefined
      ? []
      : inWords("format", compileSchema(PriceFormat).violations(definition["format"]))),
  ];
}

// Level by level, so that a problem is named where it is and not as a union that did not match.
function termProblems(path: string, term: unknown, depth: number): readonly string[] {
  if (depth > depthMax) return [`${path} is nested deeper than ${depthMax} levels.`];
  if (!isRecord(term)) {
    if (typeof term !== "string")
      return [`${path} must be dollars as a text such as "0.11", or an object with a kind.`];
    return compileSchema(shallowTerms.usd).accepts(term)
      ? []
      : [`${path} must be dollars as a plain decimal text, at most seven digits and nine places: not "${term}".`];
  }
  const kind = kindOf(term["kind"]);
  if (kind === null) {
    const known = Object.keys(shallowTerms).filter((name) => name !== "usd");
    return [`${path}.kind must be one of ${known.join(", ")}.`];
  }
  const own = inWords(path, compileSchema(shallowTerms[kind]).violations(term));
  const nested = nestedTerms(term).flatMap(([name, inner]) => termProblems(`${path}.${name}`, inner, depth + 1));
  return [...own, ...nested];
}

function nestedTerms(term: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  const { each, cases, parts } = term;
  return [
    ...(each === undefined ? [] : [["each", each] as const]),
    ...(isRecord(cases) ? Object.entries(cases).map(([word, inner]) => [`cases.${word}`, inner] as const) : []),
    ...(Array.isArray(parts) ? parts.map((part: unknown, at) => [`parts.${at}`, part] as const) : []),
  ];
}

class Checker {
  readonly problems: string[] = [];
  // Each widget is one value of the input and has one type, or the badge would show what is not charged.
  readonly #reads = new Map<string, { from: string; type: string }>();
  readonly #names = new Map<string, string>();

  term(path: string, term: PriceTerm, depth: number): void {
    if (typeof term === "string") return;
    switch (term.kind) {
      case "per_second":
        return this.#product(path, "seconds", term.seconds, term.each, depth);
      case "per_count":
        return this.#product(path, "count", term.count, term.each, depth);
      case "per_megapixel":
        return this.#area(path, term, depth);
      case "table":
        return this.#table(path, term, depth);
      case "sum":
        term.parts.forEach((part, at) => {
          this.term(`${path}.parts.${at}`, part, depth + 1);
        });
        return;
      case "tokens":
        term.rates.forEach((rate, at) => {
          this.#quantity(`${path}.rates.${at}`, rate);
        });
    }
  }

  #product(path: string, name: string, quantity: Quantity, each: PriceTerm, depth: number): void {
    this.#quantity(`${path}.${name}`, quantity);
    this.term(`${path}.each`, each, depth + 1);
  }

  #area(path: string, term: Extract<PriceTerm, { kind: "per_megapixel" }>, depth: number): void {
    for (const name of ["width", "height"] as const) {
      const side = term[name];
      this.#bounds(`${path}.${name}`, side);
      this.#read(`${path}.${name}`, side.from, widgetOf(side.from, side.widget), "INT");
    }
    this.#step(path, term.step);
    if (term.minimum !== undefined) this.#places(`${path}.minimum`, term.minimum);
    if (BigInt(Math.ceil(term.width.most)) * BigInt(Math.ceil(term.height.most)) > pixelsMax) {
      this.#wrong(path, "has more pixels at most than can be counted");
    }
    this.term(`${path}.each`, term.each, depth + 1);
  }

  #table(path: string, term: Extract<PriceTerm, { kind: "table" }>, depth: number): void {
    const words = Object.keys(term.cases);
    for (const word of words) {
      if (word !== word.trim().toLowerCase()) {
        this.#wrong(path, `has the case "${word}", but values are compared trimmed and in lower case`);
      }
      if (word === "null" || isPrototypeName(word)) this.#wrong(path, `cannot have a case named "${word}"`);
    }
    if (!words.includes(term.otherwise)) this.#wrong(path, `has no case "${term.otherwise}", which otherwise names`);
    const isBoolean = words.every((word) => word === "true" || word === "false");
    this.#read(path, term.by, widgetOf(term.by, term.widget), isBoolean ? "BOOLEAN" : "COMBO");
    for (const [word, inner] of Object.entries(term.cases)) this.term(`${path}.cases.${word}`, inner, depth + 1);
  }

  #quantity(path: string, quantity: Quantity): void {
    this.#bounds(path, quantity);
    this.#step(path, quantity.step);
    const { from, group, widget, reported } = quantity;
    if (from === undefined && reported === undefined) this.#wrong(path, "needs from or reported: nobody would tell it");
    if (from === undefined && (group ?? widget) !== undefined)
      this.#wrong(path, "names a widget or group without from");
    if (group !== undefined && widget !== undefined) this.#wrong(path, "names both a widget and a group");
    if (group !== undefined && quantity.default !== 0) {
      this.#wrong(path, "counts a group, so its default must be 0: that is what a missing list counts");
    }
    if (from === undefined) return;
    const isWhole = quantity.step === undefined || Number.isInteger(quantity.step);
    this.#read(
      path,
      from,
      group ?? widgetOf(from, widget),
      group === undefined ? (isWhole ? "INT" : "FLOAT") : "group",
    );
  }

  #bounds(path: string, { default: usual, least = 0, most }: Pick<Quantity, "default" | "least" | "most">): void {
    if (usual < least || usual > most)
      this.#wrong(path, `must have least ≤ default ≤ most: ${least}, ${usual}, ${most}`);
    for (const value of [usual, least, most]) this.#places(path, value);
  }

  #step(path: string, step: number | undefined): void {
    if (step === undefined) return;
    if (step === 0) this.#wrong(path, "has a step of 0");
    this.#places(`${path}.step`, step);
  }

  #places(path: string, value: number): void {
    if (value !== 0 && (value < 0.000001 || decimalOfNumber(value).places > 6)) {
      this.#wrong(path, `has more than six places: ${value}`);
    }
  }

  #read(path: string, from: string, name: string, type: string): void {
    if (name === "" || name.length > 200 || isPrototypeName(name)) this.#wrong(path, `cannot read a widget "${name}"`);
    const before = this.#reads.get(name);
    this.#reads.set(name, before ?? { from, type });
    if (before && before.from !== from)
      this.#wrong(path, `reads ${from} as "${name}", which already is ${before.from}`);
    if (before && before.type !== type) this.#wrong(path, `reads "${name}" as ${type} and elsewhere as ${before.type}`);
    const known = this.#names.get(from) ?? name;
    this.#names.set(from, known);
    if (known !== name) this.#wrong(path, `reads ${from} as "${name}" and elsewhere as "${known}"`);
  }

  #wrong(path: string, what: string): void {
    this.problems.push(`${path} ${what}.`);
  }
}

function sizeProblems(definition: PriceDefinition): readonly string[] {
  const price = priceOf(definition, 1);
  const dearest = dearestOf(price.formula);
  if (dearest > usdMax * 10n ** BigInt(price.scale)) return [`The price can exceed ${usdMax} USD per call.`];
  if (String(dearest).length > digitsMax || price.scale > placesMax) {
    return [`The price is too fine for its size: the dearest call needs more than ${digitsMax} digits to be exact.`];
  }
  const { expr, depends_on } = badgeOf(price);
  if (Buffer.byteLength(expr) > limits.badgeExpressionBytesMax) {
    return [`The price is too large: its badge would be longer than ${limits.badgeExpressionBytesMax} bytes.`];
  }
  return depends_on.widgets.length > 100 ? ["The price reads more than 100 widgets."] : [];
}

function inWords(path: string, violations: readonly Violation[]): readonly string[] {
  return violations.map((one) => `${path}${one.path.replaceAll("/", ".")} ${one.message}.`);
}

function kindOf(kind: unknown): Exclude<keyof typeof shallowTerms, "usd"> | null {
  switch (kind) {
    case "per_second":
    case "per_count":
    case "per_megapixel":
    case "table":
    case "sum":
    case "tokens":
      return kind;
    default:
      return null;
  }
}

// PostgreSQL keeps neither NUL nor half a surrogate pair in JSON.
function isStorable(value: unknown): boolean {
  const text = JSON.stringify(value);
  return !/\\u(0000|d[89a-f])/i.test(text);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
