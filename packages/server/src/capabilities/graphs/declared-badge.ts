// The badge of a declared class: a table over the widgets that decide its price, made by pricing every combination of them with
// everything else left open. So a badge always contains the estimate of a node, and the estimate the charge.
import type { Badge, BadgeWidget } from "@atelier/contract";
import { type ClassSet, describeDeclared, type InputDescription, type NodeDeclaration } from "@atelier/engine";
import {
  badgeShowing,
  dollarRange,
  holdBound,
  lowestCharge,
  makeRangeBadge,
  type Price,
  type PricedUse,
  reference,
} from "../prices/index.ts";
import { assembledCalls, openValue, valuesKnown } from "./price-declared.ts";

interface ServedModel {
  readonly id: string;
  readonly price: Price;
}

// The uses of declared classes whose models are served.
export function usesOfDeclared(
  classes: Pick<ClassSet, "declarationsFor">,
  models: readonly ServedModel[],
): PricedUse[] {
  const prices = new Map(models.map(({ id, price }) => [id, price]));
  const providers = new Set(models.map(({ id }) => id.slice(0, id.indexOf("/"))));
  return classes.declarationsFor(providers).flatMap((declaration) => {
    const served = declaration.calls.map(({ model }) => model).find((model) => prices.has(model));
    const price = served === undefined ? undefined : prices.get(served);
    if (served === undefined || price === undefined) return [];
    const badge = declaredBadge(declaration, (model) => prices.get(model) ?? null, price.creditsPerUsd);
    return [{ subject: `model:${served}`, price, badge, node: { name: declaration.name } }];
  });
}

const combinationsMax = 96;
const wholeValuesMax = 24;
const expressionBytesMax = 12_000;

interface Making {
  readonly declaration: NodeDeclaration;
  priceOf(model: string): Price | null;
  readonly creditsPerUsd: number;
  // Widgets that decide, in the order of the class.
  readonly deciding: readonly InputDescription[];
  readonly widgets: Map<string, BadgeWidget>;
  combinations: number;
}

export function declaredBadge(
  declaration: NodeDeclaration,
  priceOf: (model: string) => Price | null,
  creditsPerUsd: number,
): Badge {
  const candidates = describeDeclared(declaration).inputs.filter((input) =>
    isDeciding(input, { declaration, priceOf }),
  );
  for (let count = candidates.length; count > 0; count--) {
    const deciding = candidates.slice(0, count);
    const making: Making = { declaration, priceOf, creditsPerUsd, deciding, widgets: new Map(), combinations: 0 };
    const expr = shown(making, new Map(), 0);
    if (expr !== null && Buffer.byteLength(expr) <= expressionBytesMax)
      return badgeShowing({ expr, widgets: [...making.widgets.values()], groups: [] });
  }
  return makeRangeBadge(rangeOf({ declaration, priceOf }, new Map()) ?? { lowest: 0n, highest: 0n }, creditsPerUsd);
}

// The expression for the widgets from here on. Null if there are too many combinations.
function shown(making: Making, chosen: ReadonlyMap<string, unknown>, at: number): string | null {
  const input = making.deciding[at];
  if (input === undefined) {
    making.combinations++;
    return making.combinations > combinationsMax ? null : moneyText(making, chosen);
  }
  if (!isChosen(input, chosen)) return shown(making, chosen, at + 1);
  const cases: (readonly [string, string])[] = [];
  for (const value of casesOf(input)) {
    const expr = shown(making, new Map([...chosen, [input.name, value]]), at + 1);
    if (expr === null) return null;
    cases.push([String(value).trim().toLowerCase(), expr]);
  }
  const [first] = cases;
  if (first !== undefined && cases.every(([, expr]) => expr === first[1])) return first[1];
  making.widgets.set(input.name, { name: input.name, type: widgetTypeOf(making.declaration, input) });
  const read = `$string(${reference("widgets", input.name)})`;
  const table = cases.map(([word, expr]) => `${JSON.stringify(word)}: ${expr}`).join(", ");
  const words = JSON.stringify(cases.map(([word]) => word));
  return `(${read} in ${words} ? $lookup({${table}}, ${read}) : ${moneyText(making, chosen)})`;
}

function isChosen({ onlyFor }: InputDescription, chosen: ReadonlyMap<string, unknown>): boolean {
  if (!onlyFor) return true;
  const choice = chosen.get(onlyFor.input);
  return choice === undefined || (typeof choice === "string" && onlyFor.choices.includes(choice));
}

function moneyText(making: Making, chosen: ReadonlyMap<string, unknown>): string {
  const range = rangeOf(making, chosen);
  if (range === null) return `{"type": "text", "text": "Not served here"}`;
  return dollarRange(range, making.creditsPerUsd);
}

// Null if none of the models it may call is served.
function rangeOf(
  { declaration, priceOf }: Pick<Making, "declaration" | "priceOf">,
  chosen: ReadonlyMap<string, unknown>,
): { readonly lowest: bigint; readonly highest: bigint } | null {
  // A socket may be connected or not; both count. Without one, a call with a condition on it is left out.
  const costs = [true, false].flatMap((isLinked) => {
    const values = valuesKnown(declaration, (input) => {
      if (chosen.has(input.name)) return chosen.get(input.name);
      const open = openValue(input);
      return typeof open === "symbol" && !isLinked ? undefined : open;
    });
    return assembledCalls(declaration, values).flatMap(({ model, input }) => {
      const price = priceOf(model);
      return price === null ? [] : [{ lowest: lowestCharge(price, input), highest: holdBound(price, input) }];
    });
  });
  const [first] = costs;
  if (first === undefined) return null;
  return costs.reduce((all, { lowest, highest }) => ({
    lowest: lowest < all.lowest ? lowest : all.lowest,
    highest: highest > all.highest ? highest : all.highest,
  }));
}

// The values of a widget with few of them.
function casesOf(input: InputDescription): readonly (string | number | boolean)[] {
  if (input.type === "COMBO") return input.options ?? [];
  if (input.type === "BOOLEAN") return [true, false];
  if (input.type !== "INT") return [];
  const [min, max] = [Number(input.min), Number(input.max)];
  const count = max - min + 1;
  return count > wholeValuesMax ? [] : Array.from({ length: count }, (_, at) => min + at);
}

// Clients compare a widget's type with the node's own.
function widgetTypeOf({ input: { required = {}, optional = {} } }: NodeDeclaration, input: InputDescription): string {
  const [type] = required[input.name] ?? optional[input.name] ?? [input.type];
  return typeof type === "string" ? type : "COMBO";
}

// Whether its value changes the range, with everything else left open. An input that is left out only widens the badge.
function isDeciding(input: InputDescription, making: Pick<Making, "declaration" | "priceOf">): boolean {
  const base: [string, unknown][] = input.onlyFor ? [[input.onlyFor.input, input.onlyFor.choices[0]]] : [];
  const ranges = casesOf(input).map((value) => rangeOf(making, new Map([...base, [input.name, value]])));
  const text = (range: ReturnType<typeof rangeOf>) => (range === null ? "" : `${range.lowest} ${range.highest}`);
  return new Set(ranges.map(text)).size > 1;
}
