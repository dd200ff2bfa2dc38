// Makes a model's input from a node's values. A template is JSON; an object whose first member begins with `$` is an operator:
//
//   {"$input": "prompt"}                                 the value; nothing if the input has none
//   {"$input": "style", "at": "/substyle"}               a place in what another class gave
//   {"$items": "colors"}                                 the items of a list that another class gave, in a list; also with `at`
//   {"$input": "image", "as": "base64"}                  a picture, sound or film, encoded (also `data_url`)
//   {"$each": "images", "give": {"data": {"$item": "base64"}}}  one for each picture of a batch or of a growing group
//   {"$choose": "size", "cases": {"auto": {"$omit": true}}, "otherwise": …}  by value; without `otherwise`, the value itself
//   {"$if": {"seed": {"not": [0]}}, "give": …, "else": …}
//   {"$text": "{width}x{height}"}
//   {"$omit": true}                                      nothing: the member or item is left out
//
// It is pure and knows no engine: values that are not known before the run stay open, so that a price can be bounded with the
// same template that makes the call.
import { isRecord } from "../graph/graph.ts";
import type { Condition, Conditions, DeclaredCall } from "./declaration.ts";
import { foundAt } from "./found-at.ts";

export interface NodeValues {
  // Undefined if the input has none. A symbol: it has one, of which nothing is known.
  value(name: string): unknown;
  // The pictures of a batch or of a growing group. Null if their number is not known yet.
  items(name: string): readonly unknown[] | null;
  // Whether a value is only known during the run.
  isOpen(value: unknown): boolean;
  // What stands for something that cannot be known yet.
  readonly open: unknown;
}

export const encodings = ["base64", "data_url"] as const;
export type Encoding = (typeof encodings)[number];

// A picture, sound or film in the assembled input, to be encoded before it is sent.
export class MediaSlot {
  readonly value: unknown;
  readonly as: Encoding;
  readonly type: string | null;
  // A larger picture is scaled down.
  readonly pixelsMax: number | null;
  // A larger file is refused.
  readonly bytesMax: number | null;

  constructor(value: unknown, as: Encoding, { type, pixels_max, bytes_max }: JsonRecord) {
    this.value = value;
    this.as = as;
    this.type = typeof type === "string" ? type : null;
    this.pixelsMax = typeof pixels_max === "number" ? pixels_max : null;
    this.bytesMax = typeof bytes_max === "number" ? bytes_max : null;
  }
}

type JsonRecord = Readonly<Record<string, unknown>>;

const omitted = Symbol("omitted");

// Several items in place of one. Null if their number is not known yet.
class Spread {
  readonly items: readonly unknown[] | null;

  constructor(items: readonly unknown[] | null) {
    this.items = items;
  }
}

export function assemble(template: JsonRecord, values: NodeValues): unknown {
  const made = build(template, { values, item: undefined });
  return made === omitted ? {} : made;
}

// Any template, such as that of a value. Null if it comes to nothing.
export function assembleOne(template: unknown, values: NodeValues): unknown {
  const made = build(template, { values, item: undefined });
  if (made instanceof Spread) return made.items;
  return made === omitted ? null : made;
}

// The calls that may be made: one if all its conditions are known, none if no condition holds.
export function possibleCalls(calls: readonly DeclaredCall[], values: NodeValues): DeclaredCall[] {
  const possible: DeclaredCall[] = [];
  for (const call of calls) {
    const holds = decide(call.when ?? {}, values);
    if (holds !== false) possible.push(call);
    if (holds === true) break;
  }
  return possible;
}

interface Scope {
  readonly values: NodeValues;
  readonly item: unknown;
}

function build(template: unknown, scope: Scope): unknown {
  if (Array.isArray(template)) return buildList(template, scope);
  if (!isRecord(template)) return template;
  const operator = operatorOf(template);
  if (operator !== null) return operators[operator]?.(template, scope) ?? omitted;
  const members = Object.entries(template).flatMap(([name, inner]): [string, unknown][] => {
    const made = build(inner, scope);
    if (made === omitted) return [];
    if (!(made instanceof Spread)) return [[name, made]];
    if (made.items === null) return [[name, scope.values.open]];
    return made.items.length === 0 ? [] : [[name, made.items]];
  });
  return Object.fromEntries(members);
}

function buildList(template: readonly unknown[], scope: Scope): unknown {
  const items: unknown[] = [];
  for (const inner of template) {
    const made = build(inner, scope);
    if (made === omitted) continue;
    if (!(made instanceof Spread)) items.push(made);
    else if (made.items === null) return scope.values.open;
    else items.push(...made.items);
  }
  return items;
}

export function operatorOf(template: JsonRecord): string | null {
  const [first] = Object.keys(template);
  return first?.startsWith("$") ? first : null;
}

const operators: Readonly<Record<string, (template: JsonRecord, scope: Scope) => unknown>> = {
  $omit: () => omitted,
  $input(template, { values }) {
    const value = given(template, "$input", values);
    if (value === undefined || value === null || value === "") return omitted;
    if (isEncoding(template["as"])) return new MediaSlot(value, template["as"], template);
    if (values.isOpen(value)) return template["as"] === "text" || "modulo" in template ? values.open : value;
    if (typeof template["modulo"] === "number") return modulo(value, template["modulo"]);
    return template["as"] === "text" ? textOf(value) : value;
  },
  $items(template, { values }) {
    const value = given(template, "$items", values);
    if (values.isOpen(value)) return new Spread(null);
    return new Spread(Array.isArray(value) ? value : []);
  },
  $item(template, { item }) {
    return isEncoding(template["$item"]) ? new MediaSlot(item, template["$item"], template) : omitted;
  },
  $each(template, scope) {
    const items = scope.values.items(String(template["$each"]));
    if (items === null) return new Spread(null);
    const made = items.map((item) => build(template["give"], { ...scope, item }));
    return new Spread(made.filter((each) => each !== omitted));
  },
  $choose(template, scope) {
    const value = scope.values.value(String(template["$choose"]));
    if (scope.values.isOpen(value)) return scope.values.open;
    const cases = isRecord(template["cases"]) ? template["cases"] : {};
    const key = value === undefined || value === null ? "" : textOf(value);
    if (Object.hasOwn(cases, key)) return build(cases[key], scope);
    if ("otherwise" in template) return build(template["otherwise"], scope);
    return value === undefined || value === null || value === "" ? omitted : value;
  },
  $if(template, scope) {
    const holds = decide(isConditions(template["$if"]) ? template["$if"] : {}, scope.values);
    if (holds === null) return scope.values.open;
    const branch = holds ? "give" : "else";
    return branch in template ? build(template[branch], scope) : omitted;
  },
  $text(template, { values }) {
    const names = namesIn(String(template["$text"]));
    const given = new Map(names.map((name) => [name, values.value(name)]));
    if ([...given.values()].some((value) => values.isOpen(value))) return values.open;
    return String(template["$text"]).replaceAll(gap, (_, name: string) => {
      const value = given.get(name);
      return value === undefined || value === null ? "" : textOf(value);
    });
  },
};

// The input's value, or what is at a place in it.
function given(template: JsonRecord, operator: string, values: NodeValues): unknown {
  const value = values.value(String(template[operator]));
  const { at } = template;
  if (typeof value === "symbol") return isEncoding(template["as"]) ? value : values.open;
  return typeof at !== "string" || values.isOpen(value) ? value : foundAt(value, at)[0];
}

export const operatorNames: ReadonlySet<string> = new Set(Object.keys(operators));

const gap = /\{([^{}]+)\}/g;

// The inputs that a text names.
export function namesIn(text: string): string[] {
  return [...text.matchAll(gap)].map(([, name = ""]) => name);
}

// Null if it depends on a value that is not known yet.
function decide(conditions: Conditions, values: NodeValues): boolean | null {
  let isOpen = false;
  for (const [name, condition] of Object.entries(conditions)) {
    const holds = holdsFor(condition, values, name);
    if (holds === false) return false;
    if (holds === null) isOpen = true;
  }
  return isOpen ? null : true;
}

function holdsFor(condition: Condition, values: NodeValues, name: string): boolean | null {
  const value = values.value(name);
  if (values.isOpen(value)) return null;
  if (condition.given !== undefined) {
    const items = value === undefined ? values.items(name) : null;
    const isGiven = value === undefined ? items === null || items.length > 0 : value !== null && value !== "";
    return isGiven === condition.given;
  }
  const isListed = (list: readonly unknown[]) => list.some((each) => each === value || textOf(each) === textOf(value));
  if (condition.is !== undefined && !isListed(condition.is)) return false;
  return condition.not === undefined || !isListed(condition.not);
}

function modulo(value: unknown, divisor: number): unknown {
  if (typeof value === "bigint") return Number(value % BigInt(divisor));
  return typeof value === "number" ? value % divisor : value;
}

function textOf(value: unknown): string {
  return typeof value === "boolean" ? (value ? "true" : "false") : String(value);
}

function isEncoding(value: unknown): value is Encoding {
  return encodings.some((each) => each === value);
}

function isConditions(value: unknown): value is Conditions {
  return isRecord(value);
}
