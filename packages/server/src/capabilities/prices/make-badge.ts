// The badge of a price: its formula, written in JSONata (decisions, section 2: badge and charge come from one record). All
// arithmetic is on integers below 10^15, which doubles hold exactly, and one division at the end gives the double nearest to
// the exact dollars. So the badge's amount, as decimal text, is the amount that is charged. If only the provider's report
// settles the price, the badge shows the range.
import type { Badge, BadgeWidget } from "@atelier/contract";
import { type Amount, type Formula, type Member, toFineUnits } from "./formula.ts";
import { decimalText, largest, parseDecimal } from "./money.ts";
import { type Price, stepped } from "./price.ts";
import type { PriceDefinition, PriceTermOf } from "./price-definition.ts";

// How a node names what a price reads: its own widget or group, or null if it has none. A missing input costs what a call
// without it costs: the declared default.
export interface NodeInputs {
  widget(name: string): string | null;
  group(name: string): string | null;
}

// What a price shows on a node: an expression for the result, and the inputs it reads.
export interface Shown {
  readonly expr: string;
  readonly widgets: readonly BadgeWidget[];
  readonly groups: readonly string[];
}

const asPriced: NodeInputs = { widget: (name) => name, group: (name) => name };

export function makeBadge(price: Price, node: NodeInputs = asPriced): Badge {
  return badgeShowing(shownOf(price, node));
}

export function badgeShowing({ expr, widgets, groups }: Shown): Badge {
  return { engine: "jsonata", depends_on: { widgets: [...widgets], inputs: [], input_groups: [...groups] }, expr };
}

export function shownOf(price: Price, node: NodeInputs): Shown {
  const { usd, format } = price.definition;
  if (typeof usd !== "string" && usd.kind === "tokens") return tokensShown(usd, format);
  const rate = rateBySecond(price);
  if (rate !== null) return shown({ type: `"usd"`, usd: rate }, { suffix: "/second", approximate: true, ...format });
  const printer = new Printer(price.scale, node);
  const most = printer.dollars(price.formula, "asked");
  if (!isReported(price.formula)) return shown({ type: `"usd"`, usd: most }, format, printer);
  const least = printer.dollars(price.formula, "least");
  return shown({ type: `"range_usd"`, min_usd: least, max_usd: most }, format, printer);
}

// Clients drop a badge if a widget's type differs from the node's, so the type follows from how the value is read.
function widgetTypeOf(reading: Amount | Extract<Formula, { kind: "choice" }>): string {
  if ("cases" in reading) {
    return [...reading.cases.keys()].every((word) => word === "true" || word === "false") ? "BOOLEAN" : "COMBO";
  }
  return reading.fineness === "whole" ? "INT" : "FLOAT";
}

// The number of tokens is unknown; clients show the price per thousand of each kind.
function tokensShown(tokens: PriceTermOf<"tokens">, format: PriceDefinition["format"]): Shown {
  const prices = tokens.rates.map(({ usd_per_million }) => {
    const { digits, decimals } = parseDecimal(usd_per_million) ?? { digits: 0n, decimals: 0 };
    return decimalText({ digits, decimals: decimals + 3 });
  });
  const perThousand = { suffix: " per 1K tokens", ...format };
  return prices.length === 1
    ? shown({ type: `"usd"`, usd: prices.join("") }, perThousand)
    : shown({ type: `"list_usd"`, usd: `[${prices.join(", ")}]` }, perThousand);
}

// If the seconds are not part of the input, there is a rate but no price.
function rateBySecond({ definition: { usd } }: Price): string | null {
  if (typeof usd === "string" || usd.kind !== "per_second" || usd.seconds.from !== undefined) return null;
  return typeof usd.each === "string" ? usd.each : null;
}

function isReported(formula: Formula): boolean {
  switch (formula.kind) {
    case "constant":
      return false;
    case "product":
      return formula.amount.reported !== null || isReported(formula.each);
    case "choice":
      return [...formula.cases.values()].some(isReported);
    case "sum":
      return formula.parts.some(isReported);
  }
}

// `least`: the provider reports the least it can. `asked`: everything that was requested.
type Side = "least" | "asked";
type Choice = Extract<Formula, { kind: "choice" }>;

class Printer {
  readonly widgets = new Map<string, BadgeWidget>();
  readonly groups = new Set<string>();
  readonly #scale: number;
  readonly #node: NodeInputs;

  constructor(scale: number, node: NodeInputs) {
    this.#scale = scale;
    this.#node = node;
  }

  dollars(formula: Formula, side: Side): string {
    const text = this.#value(formula, side);
    if (isNumber(text)) return decimalText({ digits: BigInt(text), decimals: this.#scale });
    return this.#scale === 0 ? text : `${text} / ${10n ** BigInt(this.#scale)}`;
  }

  #value(formula: Formula, side: Side): string {
    switch (formula.kind) {
      case "constant":
        return String(formula.value);
      case "product":
        return this.#product(formula.amount, formula.each, side);
      case "choice":
        return this.#choice(formula, side);
      case "sum":
        return plus(formula.parts.map((part) => this.#value(part, side)));
    }
  }

  // We do not read inputs that are multiplied by zero: a badge that declares more than it reads causes a warning.
  #product(amount: Amount, each: Formula, side: Side): string {
    const fixed = fixedAmount(amount, side);
    if (fixed === 0n) return "0";
    const price = this.#value(each, side);
    if (price === "0") return "0";
    return times(fixed === null ? this.#amount(amount) : String(fixed), price);
  }

  #choice(choice: Choice, side: Side): string {
    const widget = this.#node.widget(choice.widget);
    const usual = choice.cases.get(choice.otherwise);
    if (widget === null) return usual === undefined ? "0" : this.#value(usual, side);
    const cases = new Map([...choice.cases].map(([word, inner]) => [word, this.#value(inner, side)]));
    const read = this.#widget(widget, widgetTypeOf(choice));
    if (widgetTypeOf(choice) === "BOOLEAN") {
      const other = choice.otherwise === "true" ? "false" : "true";
      return `(${read} = ${other} ? ${cases.get(other)} : ${cases.get(choice.otherwise)})`;
    }
    const words = JSON.stringify([...cases.keys()]);
    const key = `$string(${read}) in ${words} ? $string(${read}) : ${JSON.stringify(choice.otherwise)}`;
    const table = [...cases].map(([word, text]) => `${JSON.stringify(word)}: ${text}`).join(", ");
    return `$lookup({${table}}, ${key})`;
  }

  #amount(amount: Amount): string {
    const fine = amount.members.map((member) => this.#member(member, amount)).reduce(times);
    if (isNumber(fine)) return String(stepped(amount, largest(BigInt(fine), amount.least)));
    // A single quantity is already kept above its least; an area is not until here.
    const enough = amount.members.length > 1 && amount.least > 0n ? `$max([${fine}, ${amount.least}])` : fine;
    const steps = amount.fineStep === 1n ? enough : `$ceil(${enough} / ${amount.fineStep})`;
    return times(steps, String(amount.perStep));
  }

  #member(member: Member, amount: Amount): string {
    const given = this.#given(member, amount);
    if (given === null) return String(toFineUnits(usualOf(member), amount.fineness));
    const within = `$min([$max([${given}, ${member.least}]), ${member.most}])`;
    // The inner rounding finds the millionth, the outer one removes the error of the multiplication.
    return amount.fineness === "whole" ? `$ceil(${within})` : `$round($round(${within}, 6) * 1000000)`;
  }

  // Null if the node has no such input.
  #given(member: Member, amount: Amount): string | null {
    if (member.root === "inputGroups") {
      const group = this.#node.group(member.name);
      if (group === null) return null;
      this.groups.add(group);
      return reference("inputGroups", group);
    }
    const widget = this.#node.widget(member.name);
    if (widget === null) return null;
    const read = this.#widget(widget, widgetTypeOf(amount));
    return `$type(${read}) = "number" ? ${read} : ${member.usual}`;
  }

  #widget(name: string, type: string): string {
    this.widgets.set(name, { name, type });
    return reference("widgets", name);
  }
}

function usualOf({ usual, least, most }: Member): number {
  return Math.min(Math.max(usual, least), most);
}

export function reference(root: string, name: string): string {
  const isPlain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !/^(and|or|in|true|false|null|function)$/.test(name);
  return isPlain ? `${root}.${name}` : `$lookup(${root}, ${JSON.stringify(name)})`;
}

// The amount if no widget decides it, otherwise null.
function fixedAmount(amount: Amount, side: Side): bigint | null {
  if (side === "least" && amount.reported !== null) return stepped(amount, amount.least);
  return amount.members.length === 0 ? stepped(amount, amount.most) : null;
}

// Sums and choices bring their own parentheses, and quotients occur only inside functions.
function times(one: string, other: string): string {
  if (one === "1") return other;
  if (other === "1") return one;
  return isNumber(one) && isNumber(other) ? String(BigInt(one) * BigInt(other)) : `${one} * ${other}`;
}

function plus(parts: readonly string[]): string {
  const fixed = parts.filter(isNumber).reduce((sum, part) => sum + BigInt(part), 0n);
  const read = parts.filter((part) => !isNumber(part));
  const all = fixed === 0n && read.length > 0 ? read : [...read, String(fixed)];
  return all.length === 1 ? all.join("") : `(${all.join(" + ")})`;
}

function isNumber(text: string): boolean {
  return /^[0-9]+$/.test(text);
}

// The members are already JSONata.
function shown(members: Readonly<Record<string, string>>, format: object | undefined, reads?: Printer): Shown {
  const whole = format === undefined ? members : { ...members, format: JSON.stringify(format) };
  const expr = Object.entries(whole).map(([name, text]) => `"${name}": ${text}`);
  return {
    expr: `{${expr.join(", ")}}`,
    widgets: [...(reads?.widgets.values() ?? [])],
    groups: [...(reads?.groups ?? [])],
  };
}
