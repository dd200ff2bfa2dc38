// The badge of a node that can call several priced things, chosen by one of its widgets. Each price is shown as it is
// charged. If the widget's value names none of them, the badge shows text, because a wrong price is worse than none.
import { type Badge, limits } from "@atelier/contract";
import { badgeShowing, type NodeInputs, reference, type Shown, shownOf } from "./make-badge.ts";
import type { Price } from "./price.ts";
import type { PriceTerm } from "./price-definition.ts";

export interface PricedCase {
  // The widget's value as clients write it: trimmed and in lower case.
  readonly is: string;
  readonly price: Price;
  readonly inputs: NodeInputs;
}

export interface ChoosingNode {
  readonly widget: string;
  // COMBO, or STRING if it is free text.
  readonly type: string;
  readonly cases: readonly PricedCase[];
  // A text widget whose JSON members are added to the input. If they include a member the price reads, the price is unknown.
  readonly overridden: string | null;
}

// `badge` is null if none of its cases fits into one. `left` lists the cases that did not fit, the longest ones.
export interface ChoosingBadge {
  readonly badge: Badge | null;
  readonly left: readonly string[];
}

export function makeChoiceBadge(node: ChoosingNode): ChoosingBadge {
  const cases = node.cases
    .map((one) => ({
      is: one.is.trim().toLowerCase(),
      shown: guarded(node, one.price, shownOf(one.price, one.inputs)),
    }))
    .sort((one, other) => one.shown.expr.length - other.shown.expr.length || (one.is < other.is ? -1 : 1));
  for (let count = cases.length; count > 0; count--) {
    const badge = badgeShowing(choiceOf(node, cases.slice(0, count)));
    const left = cases.slice(count).map(({ is }) => is);
    if (Buffer.byteLength(badge.expr) <= limits.badgeExpressionBytesMax) return { badge, left };
  }
  return { badge: null, left: cases.map(({ is }) => is) };
}

interface ShownCase {
  readonly is: string;
  readonly shown: Shown;
}

function choiceOf(node: ChoosingNode, unordered: readonly ShownCase[]): Shown {
  const cases = [...unordered].sort((one, other) => (one.is < other.is ? -1 : 1));
  const read = `$string(${reference("widgets", node.widget)})`;
  const table = cases.map(({ is, shown }) => `${JSON.stringify(is)}: ${shown.expr}`).join(", ");
  const words = JSON.stringify(cases.map(({ is }) => is));
  const widgets = new Map([
    [node.widget, { name: node.widget, type: node.type }],
    ...cases.flatMap(({ shown }) => shown.widgets.map((widget) => [widget.name, widget] as const)),
  ]);
  return {
    expr: `${read} in ${words} ? $lookup({${table}}, ${read}) : ${inWords(node.widget)}`,
    widgets: [...widgets.values()],
    groups: [...new Set(cases.flatMap(({ shown }) => shown.groups))],
  };
}

// The widget's text may override what the price reads; then the price cannot be known from here.
function guarded({ overridden }: ChoosingNode, { definition }: Price, shown: Shown): Shown {
  const names = overridden === null ? [] : [...namesRead(definition.usd)];
  if (overridden === null || names.length === 0) return shown;
  const read = `$string(${reference("widgets", overridden)})`;
  // A name may also be written with escapes.
  const isGiven = [...names.map((name) => `"${name.toLowerCase()}"`), "\\u"]
    .map((text) => `$contains(${read}, ${JSON.stringify(text)})`)
    .join(" or ");
  return {
    ...shown,
    expr: `(${isGiven} ? ${inWords(overridden)} : ${shown.expr})`,
    widgets: [...shown.widgets, { name: overridden, type: "STRING" }],
  };
}

const inWords = (widget: string) => `{"type": "text", "text": ${JSON.stringify(`Depends on ${widget}`)}}`;

// The input members a price reads, by the first segment of their pointers.
function namesRead(term: PriceTerm): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if ((name === "from" || name === "by") && typeof inner === "string") names.add(inner.split("/")[1] ?? "");
      else walk(inner);
    }
  };
  walk(term);
  return names;
}
