// Random inputs that a model's schema accepts, often at a limit, and reports that its provider could give, honest or not.
// Drawn from a seed, so that a thousand for each of fifty models are cheap; the same seed draws the same again.
import type { ModelDefinition } from "../../src/capabilities/providers/index.ts";

interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[] | undefined;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly if?: Schema;
  readonly then?: Schema;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  // From 0 to below 1; the generator known as mulberry32.
  share(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  // A whole number from `least` to `most`, both included.
  whole(least: number, most: number): number {
    return least + Math.floor(this.share() * (most - least + 1));
  }

  often(share: number): boolean {
    return this.share() < share;
  }

  one<Item>(items: readonly Item[]): Item {
    const item = items[this.whole(0, items.length - 1)];
    if (item === undefined) throw new Error("There is nothing to draw from.");
    return item;
  }
}

const strangers = [null, 0, -1, 2 ** 60, "x", "", true, [], {}, { deep: [1] }];
const letters = [..."abcXYZ 019-_.:é😀"];

// Without an authored schema, any JSON object is accepted.
export function drawInput(
  { input_schema: schema, submit }: Pick<ModelDefinition, "input_schema" | "submit">,
  draw: Draw,
): Readonly<Record<string, unknown>> {
  const input = objectOf(schema ?? {}, draw);
  const member = submit?.model_member;
  // The router accepts only its own name there, or none.
  return member && Object.hasOwn(input, member.name) ? { ...input, [member.name]: member.value } : input;
}

function objectOf(schema: Schema, draw: Draw): Readonly<Record<string, unknown>> {
  const made: Record<string, unknown> = {};
  const isLean = draw.often(0.2);
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    const isNeeded = schema.required?.includes(name) ?? false;
    if (isNeeded || (!isLean && draw.often(0.6))) made[name] = drawnValue(part, draw);
  }
  for (const name of schema.required ?? []) made[name] ??= draw.one(strangers);
  // Where any one of several is enough, pick one.
  for (const { required = [] } of schema.anyOf ? [draw.one(schema.anyOf)] : [])
    for (const name of required) made[name] ??= drawnValue(schema.properties?.[name] ?? {}, draw);
  // What a condition asks for is drawn again.
  const more = schema.if && holds(schema.if, made) ? schema.then : undefined;
  for (const [name, part] of Object.entries(more?.properties ?? {}))
    if (Object.hasOwn(made, name)) made[name] = drawnValue({ ...schema.properties?.[name], ...part }, draw);
  for (const name of more?.required ?? []) made[name] ??= drawnValue(schema.properties?.[name] ?? {}, draw);
  if (schema.additionalProperties !== false && draw.often(0.1))
    made[draw.one(["extra", "toString", ""])] = draw.one(strangers);
  return made;
}

function holds({ required = [], properties = {} }: Schema, made: Readonly<Record<string, unknown>>): boolean {
  const isAmong = ([name, { enum: choices }]: [string, Schema]) =>
    !Object.hasOwn(made, name) || (choices?.includes(made[name]) ?? true);
  return required.every((name) => Object.hasOwn(made, name)) && Object.entries(properties).every(isAmong);
}

function drawnValue(schema: Schema, draw: Draw): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return draw.one(schema.enum);
  if (schema.anyOf && schema.properties === undefined)
    return drawnValue({ ...schema, anyOf: undefined, ...draw.one(schema.anyOf) }, draw);
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  if (types.length === 0 && schema.properties === undefined) return draw.one(strangers);
  switch (types.length === 0 ? "object" : draw.one(types)) {
    case "object":
      return objectOf(schema, draw);
    case "array":
      return listOf(schema, draw);
    case "string":
      return textOf(schema, draw);
    case "integer":
      return numberOf({ multipleOf: 1, ...schema }, draw);
    case "number":
      return numberOf(schema, draw);
    case "boolean":
      return draw.often(0.5);
    default:
      return null;
  }
}

function listOf({ minItems = 0, maxItems = minItems + 3, items = {} }: Schema, draw: Draw): unknown[] {
  const length = draw.whole(minItems, Math.min(maxItems, minItems + 3));
  return Array.from({ length }, () => drawnValue(items, draw));
}

function textOf({ minLength = 0, maxLength = 200 }: Schema, draw: Draw): string {
  const most = Math.min(maxLength, minLength + 20);
  const length = draw.often(0.1) ? Math.min(maxLength, 300) : draw.whole(minLength, most);
  return Array.from({ length }, () => draw.one(letters)).join("");
}

function numberOf({ minimum = -1_000_000, maximum = 2 ** 40, multipleOf }: Schema, draw: Draw): number {
  if (multipleOf === undefined && draw.often(0.5)) return minimum + draw.share() * (maximum - minimum);
  const step = multipleOf ?? 1;
  const [first, last] = [Math.ceil(minimum / step), Math.floor(maximum / step)];
  return draw.often(0.3) ? draw.one([first, last, Math.min(last, first + 1)]) * step : draw.whole(first, last) * step;
}

const oddFigures = [0, -0, -1, 5e-324, 1e300, 2 ** 53, 0.1 + 0.2, "", " 7 ", "many", "1e3", "-1"];

// Reports facts under the names that the price reads; often leaves some out.
export function drawReport(price: unknown, draw: Draw): Readonly<Record<string, number | string>> {
  const report: Record<string, number | string> = {};
  for (const name of factNames(price)) {
    if (draw.often(0.15)) continue;
    const kind = draw.share();
    if (kind < 0.35) report[name] = draw.whole(0, 200_000);
    else if (kind < 0.7) report[name] = draw.share() * 20;
    else if (kind < 0.8) report[name] = String(draw.whole(0, 5_000));
    else report[name] = draw.one(oddFigures);
  }
  return report;
}

const namesOf = new WeakMap<object, readonly string[]>();

export function factNames(price: unknown): readonly string[] {
  if (typeof price !== "object" || price === null) return [];
  const known = namesOf.get(price);
  if (known) return known;
  const found = new Set(
    Object.entries(price).flatMap(([name, inner]) =>
      name === "reported" && typeof inner === "string" ? [inner] : factNames(inner),
    ),
  );
  namesOf.set(price, [...found]);
  return [...found];
}
