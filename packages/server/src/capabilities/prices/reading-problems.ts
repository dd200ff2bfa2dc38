// Problems of a price that has the right shape: bounds that exclude their own default, cases no value can equal, values that
// the badge would read differently from the charge.
import { isPrototypeName } from "../badge-proof/index.ts";
import { parseNumber, widgetOf } from "./formula.ts";
import type { PriceDefinition, PriceTerm, PriceTermOf, Quantity } from "./price-definition.ts";

const pixelsMax = BigInt(Number.MAX_SAFE_INTEGER);

export function readingProblems(definition: PriceDefinition): readonly string[] {
  const checker = new Checker();
  checker.term("usd", definition.usd);
  return checker.problems;
}

class Checker {
  readonly problems: string[] = [];
  // Each widget is one value of the input and has one type; otherwise the badge would show something other than the charge.
  readonly #reads = new Map<string, { from: string; type: string }>();
  readonly #names = new Map<string, string>();

  term(path: string, term: PriceTerm): void {
    if (typeof term === "string") return;
    if (term.kind === "per_second") this.#product(path, "seconds", term.seconds, term.each);
    else if (term.kind === "per_count") this.#product(path, "count", term.count, term.each);
    else if (term.kind === "per_megapixel") this.#area(path, term);
    else if (term.kind === "table") this.#table(path, term);
    else if (term.kind === "sum") for (const [at, part] of term.parts.entries()) this.term(`${path}.parts.${at}`, part);
    else for (const [at, rate] of term.rates.entries()) this.#quantity(`${path}.rates.${at}`, rate);
  }

  #product(path: string, name: string, quantity: Quantity, each: PriceTerm): void {
    this.#quantity(`${path}.${name}`, quantity);
    this.term(`${path}.each`, each);
  }

  #area(path: string, term: PriceTermOf<"per_megapixel">): void {
    for (const name of ["width", "height"] as const) {
      const side = term[name];
      this.#bounds(`${path}.${name}`, side);
      this.#read(`${path}.${name}`, side.from, widgetOf(side.from, side.widget), "INT");
    }
    this.#step(path, term.step);
    if (term.minimum !== undefined) this.#decimals(`${path}.minimum`, term.minimum);
    if (BigInt(Math.ceil(term.width.most)) * BigInt(Math.ceil(term.height.most)) > pixelsMax) {
      this.#wrong(path, "allows more pixels than can be counted");
    }
    this.term(`${path}.each`, term.each);
  }

  #table(path: string, term: PriceTermOf<"table">): void {
    const words = Object.keys(term.cases);
    for (const word of words) {
      if (word !== word.trim().toLowerCase()) {
        this.#wrong(path, `has the case "${word}", but values are compared trimmed and in lower case`);
      }
      if (word === "null" || isPrototypeName(word)) this.#wrong(path, `cannot have a case named "${word}"`);
    }
    if (!words.includes(term.otherwise))
      this.#wrong(path, `has no case "${term.otherwise}", which otherwise refers to`);
    const isBoolean = words.every((word) => word === "true" || word === "false");
    this.#read(path, term.by, widgetOf(term.by, term.widget), isBoolean ? "BOOLEAN" : "COMBO");
    for (const [word, inner] of Object.entries(term.cases)) this.term(`${path}.cases.${word}`, inner);
  }

  #quantity(path: string, quantity: Quantity): void {
    this.#bounds(path, quantity);
    this.#step(path, quantity.step);
    const { from, group, widget, reported } = quantity;
    if (from === undefined && reported === undefined)
      this.#wrong(path, "needs from or reported: otherwise its value is never known");
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
    for (const value of [usual, least, most]) this.#decimals(path, value);
  }

  #step(path: string, step: number | undefined): void {
    if (step === undefined) return;
    if (step === 0) this.#wrong(path, "has a step of 0");
    this.#decimals(`${path}.step`, step);
  }

  #decimals(path: string, value: number): void {
    if (value !== 0 && (value < 0.000001 || parseNumber(value).decimals > 6)) {
      this.#wrong(path, `has more than six decimal places: ${value}`);
    }
  }

  #read(path: string, from: string, name: string, type: string): void {
    if (name === "" || name.length > 200 || isPrototypeName(name))
      this.#wrong(path, `cannot read a widget named "${name}"`);
    const before = this.#reads.get(name);
    this.#reads.set(name, before ?? { from, type });
    if (before && before.from !== from)
      this.#wrong(path, `reads ${from} as "${name}", which is already used for ${before.from}`);
    if (before && before.type !== type)
      this.#wrong(path, `reads "${name}" as ${type}, but elsewhere as ${before.type}`);
    const known = this.#names.get(from) ?? name;
    this.#names.set(from, known);
    if (known !== name) this.#wrong(path, `reads ${from} as "${name}", but elsewhere as "${known}"`);
  }

  #wrong(path: string, what: string): void {
    this.problems.push(`${path} ${what}.`);
  }
}
