// How clients pass a node's state to a badge's expression, which results they can show, and the label they draw. One rule for
// every client. It does not import jsonata, so a client that only draws labels needs no evaluator.
import type { Badge } from "./generated/wire.ts";
import { isRecord } from "./json-record.ts";

/** What a node shows while it is looked at. */
export interface BadgeInputs {
  readonly widgets?: Readonly<Record<string, unknown>>;
  readonly inputs?: Readonly<Record<string, { readonly connected: boolean }>>;
  readonly inputGroups?: Readonly<Record<string, number>>;
}

/** A price as the badge's expression gives it. */
export type BadgeValue =
  | { readonly type: "usd"; readonly usd: number; readonly format?: unknown }
  | { readonly type: "range_usd"; readonly min_usd: number; readonly max_usd: number; readonly format?: unknown }
  | { readonly type: "list_usd"; readonly usd: readonly number[]; readonly format?: unknown }
  | { readonly type: "text"; readonly text: string };

/** What an expression sees: every declared dependency is there. */
export interface BadgeContext {
  readonly widgets: Readonly<Record<string, string | number | boolean | null>>;
  readonly inputs: Readonly<Record<string, { readonly connected: boolean }>>;
  readonly inputGroups: Readonly<Record<string, number>>;
}

/**
 * The state of a node as its badge's expression sees it: numbers or null, true or false, texts trimmed and in lower case.
 * @example
 * badgeContext(badge.depends_on, { widgets: { quality: " High " } }).widgets.quality; // "high"
 */
export function badgeContext(dependsOn: Badge["depends_on"], state: BadgeInputs = {}): BadgeContext {
  const of = <Value>(names: readonly string[], value: (name: string) => Value) =>
    Object.fromEntries(names.map((name) => [name, value(name)]));
  return {
    widgets: Object.fromEntries(
      dependsOn.widgets.map(({ name, type }) => [name, widgetValue(type, own(state.widgets, name))]),
    ),
    inputs: of(dependsOn.inputs, (name) => ({ connected: own(state.inputs, name)?.connected ?? false })),
    inputGroups: of(dependsOn.input_groups, (name) => own(state.inputGroups, name) ?? 0),
  };
}

const own = <Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;

function widgetValue(type: string, value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  const text = String(value).trim().toLowerCase();
  if (type === "INT" || type === "FLOAT") {
    const number = typeof value === "number" ? value : typeof value === "string" && text !== "" ? Number(value) : null;
    return number !== null && Number.isFinite(number) ? number : null;
  }
  if (type === "BOOLEAN") {
    if (typeof value === "boolean") return value;
    return text === "true" ? true : text === "false" ? false : null;
  }
  return type === "COMBO" && (typeof value === "number" || typeof value === "boolean") ? value : text;
}

/** A result that clients can show, or in words why they show nothing. */
export type ReadBadgeValue =
  | { readonly value: BadgeValue; readonly wrong: null }
  | { readonly value: null; readonly wrong: string };

/** Reads what an expression gave. */
export function readBadgeValue(given: unknown): ReadBadgeValue {
  const wrong = wrongWith(given);
  return wrong === null ? { value: given as BadgeValue, wrong } : { value: null, wrong };
}

function wrongWith(given: unknown): string | null {
  if (given === undefined) return "The expression returns nothing.";
  if (!isRecord(given)) return 'The expression must return an object such as {"type": "usd", "usd": 0.11}.';
  const { type, usd, min_usd, max_usd, text } = given;
  const format = wrongFormat(given["format"], type === "list_usd");
  if (format !== null) return format;
  if (type === "usd") return wrongPrice("usd", usd);
  if (type === "range_usd") {
    const wrong = wrongPrice("min_usd", min_usd) ?? wrongPrice("max_usd", max_usd);
    return wrong ?? (Number(min_usd) > Number(max_usd) ? `min_usd ${min_usd} is above max_usd ${max_usd}.` : null);
  }
  if (type === "list_usd") {
    if (!Array.isArray(usd)) return "A list_usd result needs `usd`, an array of numbers. Append [] to the path.";
    if (usd.length === 0) return "The list of prices is empty.";
    return usd.map((price) => wrongPrice("usd", price)).find((wrong) => wrong !== null) ?? null;
  }
  if (type !== "text") return "The result's `type` must be usd, range_usd, list_usd or text.";
  return typeof text === "string" && text.trim() !== "" ? null : "A text result needs a non-empty string in `text`.";
}

function wrongPrice(name: string, price: unknown): string | null {
  if (price === undefined) return `\`${name}\` is missing: a lookup found nothing, or a value does not exist.`;
  if (typeof price !== "number") return `\`${name}\` is not a number.`;
  if (!Number.isFinite(price)) return `\`${name}\` is not a finite number.`;
  return price < 0 ? `\`${name}\` is negative: ${price}.` : null;
}

const formatTypes = { suffix: "string", note: "string", approximate: "boolean", separator: "string" } as const;

function wrongFormat(format: unknown, isList: boolean): string | null {
  if (format === undefined) return null;
  if (!isRecord(format)) return "`format` must be an object.";
  for (const [name, value] of Object.entries(format)) {
    if (!(name in formatTypes)) return `\`format.${name}\` is unknown. Allowed: suffix, note, approximate, separator.`;
    if (typeof value !== formatTypes[name as keyof typeof formatTypes]) return `\`format.${name}\` has the wrong type.`;
  }
  return format["separator"] !== undefined && !isList ? "`format.separator` is for list_usd only." : null;
}

/**
 * The words that a client draws on a node.
 * @example
 * badgeLabel({ type: "usd", usd: 0.11 }, { creditsPerUsd: 211 }); // "23.2 credits/Run"
 * badgeLabel({ type: "usd", usd: 0.11 }, { currency: "USD" }); // "$0.11/Run"
 */
export function badgeLabel(
  value: BadgeValue,
  unit: { readonly creditsPerUsd: number } | { readonly currency: "USD" },
): string {
  if (value.type === "text") return value.text;
  const format = isRecord(value.format) ? value.format : {};
  const isCredits = "creditsPerUsd" in unit;
  const amountOf = (usd: number) => (isCredits ? oneDecimal.format(usd * unit.creditsPerUsd) : dollars.format(usd));
  const suffix = typeof format["suffix"] === "string" ? format["suffix"] : "/Run";
  const note = format["note"] ? ` ${format["note"]}` : "";
  const separator = typeof format["separator"] === "string" ? format["separator"] : "/";
  return `${format["approximate"] ? "~" : ""}${amounts(value, amountOf, separator)}${isCredits ? " credits" : ""}${suffix}${note}`;
}

// Clients group thousands and round with these.
const oneDecimal = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 4 });

function amounts(
  value: Exclude<BadgeValue, { readonly type: "text" }>,
  amountOf: (usd: number) => string,
  separator: string,
): string {
  if (value.type === "usd") return amountOf(value.usd);
  if (value.type === "list_usd") return value.usd.map(amountOf).join(separator);
  const [low, high] = [amountOf(value.min_usd), amountOf(value.max_usd)];
  return low === high ? low : `${low}-${high}`;
}
