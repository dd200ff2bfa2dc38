// A node's inputs, read by name and type. The validator has already checked the graph; values from a `*` link, or from a host
// that skipped validation, are checked here and refused with the input's name.

import { type FileReference, fileReferenceOf } from "../graph/graph.ts";
import type { InputDescription } from "../graph/node-class.ts";
import { isBeyond } from "../graph/validate-input.ts";
import {
  type Clip,
  type FileValue,
  itemsOf,
  type Latent,
  type LatentOperation,
  type Mask,
  type Picture,
  type Sound,
  type Value,
} from "../pictures/picture.ts";
import { floatText } from "../python/texts.ts";
import { NodeError } from "./node-error.ts";

// What we call each kind of value in messages.
const kindNames = {
  image: "an image",
  mask: "a mask",
  latent: "a latent",
  operation: "an operation",
  audio: "audio",
  video: "a video",
  file: "a file",
  data: "a setting",
} as const;
type ValueKind = keyof typeof kindNames;
type ValueOf<Kind extends ValueKind> = Extract<Value, { readonly kind: Kind }>;

export class Inputs {
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #descriptions: readonly InputDescription[];
  readonly #floats: ReadonlySet<string>;

  // `floats`: inputs whose number came over a link as a float, even if its fraction is zero.
  constructor(
    values: ReadonlyMap<string, unknown>,
    descriptions: readonly InputDescription[],
    floats: ReadonlySet<string> = new Set(),
  ) {
    this.#values = values;
    this.#descriptions = descriptions;
    this.#floats = floats;
  }

  // How often a class that takes single values runs: once per value of its longest list.
  get times(): number {
    return Array.from(this.#values.values()).reduce<number>((most, value) => Math.max(most, listed(value).length), 1);
  }

  // The inputs of the run with this index: a shorter list repeats its last value.
  at(index: number): Inputs {
    const one = Array.from(this.#values, ([name, value]): [string, unknown] => {
      const items = listed(value);
      return [name, items[Math.min(index, items.length - 1)]];
    });
    return new Inputs(new Map(one), this.#descriptions, this.#floats);
  }

  // One per value of the list in an input.
  all(name: string): Inputs[] {
    return listed(this.#values.get(name)).map((_, index) => this.at(index));
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  raw(name: string): unknown {
    return this.#values.get(name);
  }

  // As it came over the link, of any kind.
  value(name: string): Value {
    const value = this.#values.get(name);
    return isValue(value) ? value : this.#missing(name, "a value");
  }

  isFloat(name: string): boolean {
    return this.#floats.has(name);
  }

  image(name: string): Picture {
    return this.#given(name, "image");
  }

  mask(name: string): Mask {
    return this.#given(name, "mask");
  }

  latent(name: string): Latent {
    return this.#given(name, "latent");
  }

  operation(name: string): LatentOperation {
    return this.#given(name, "operation");
  }

  sound(name: string): Sound {
    return this.#given(name, "audio");
  }

  clip(name: string): Clip {
    return this.#given(name, "video");
  }

  passedOn(name: string): FileValue {
    return this.#given(name, "file");
  }

  // `null` if nothing is connected.
  optional<Kind extends ValueKind>(name: string, kind: Kind): ValueOf<Kind> | null {
    const value = this.#values.get(name);
    if (value === undefined || value === null) return null;
    return isOfKind(value, kind) ? value : this.#missing(name, kindNames[kind]);
  }

  #given<Kind extends ValueKind>(name: string, kind: Kind): ValueOf<Kind> {
    return this.optional(name, kind) ?? this.#missing(name, kindNames[kind]);
  }

  // Truncates instead of rounding, as the application does.
  int(name: string): number {
    const value = this.#number(name);
    const whole = Math.trunc(Number(value));
    return Number.isFinite(whole) ? this.#within(name, whole) : this.#missing(name, "a whole number");
  }

  // All 64 bits of a seed.
  bigInt(name: string): bigint {
    const value = this.#number(name);
    this.#within(name, value);
    if (typeof value === "bigint") return value;
    const whole = BigInt(Math.trunc(value));
    const most = this.#mostOf(name);
    return most !== null && whole > most ? most : whole;
  }

  float(name: string): number {
    return this.#within(name, Number(this.#number(name)));
  }

  text(name: string): string {
    const value = this.#values.get(name) ?? this.#default(name);
    if (typeof value === "string") return value;
    if (typeof value === "number" && this.isFloat(name)) return floatText(value);
    if (typeof value === "number" || typeof value === "bigint") return String(value);
    if (typeof value === "boolean") return value ? "True" : "False";
    return this.#missing(name, "text");
  }

  choice(name: string): string {
    const text = this.text(name);
    const description = this.#describe(name);
    const isKnown = description?.type !== "COMBO" || description.options?.includes(text) !== false;
    return isKnown ? text : this.#missing(name, "one of its choices");
  }

  // The same, as one of the options that the caller knows.
  oneOf<Option extends string>(name: string, options: readonly Option[]): Option {
    const text = this.choice(name);
    return options.find((option) => option === text) ?? this.#missing(name, "one of its choices");
  }

  flag(name: string): boolean {
    const value = this.#values.get(name) ?? this.#default(name);
    return typeof value === "boolean" ? value : Boolean(value);
  }

  file(name: string): FileReference {
    return fileReferenceOf(this.#values.get(name)) ?? this.#missing(name, "a file");
  }

  #number(name: string): number | bigint {
    const value = this.#values.get(name) ?? this.#default(name);
    if (typeof value === "bigint") return value;
    if (typeof value === "boolean") return value ? 1 : 0;
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    return typeof number === "number" && Number.isFinite(number) ? number : this.#missing(name, "a number");
  }

  // Constants were checked with the graph; a number from a link is checked here for the first time.
  #within<Given extends number | bigint>(name: string, value: Given): Given {
    const description = this.#describe(name);
    if (description?.type !== "INT" && description?.type !== "FLOAT") return value;
    if (isBeyond(description.min, value)) throw new NodeError(`${name}: ${value} is smaller than ${description.min}.`);
    if (isBeyond(value, description.max)) throw new NodeError(`${name}: ${value} is larger than ${description.max}.`);
    return value;
  }

  #mostOf(name: string): bigint | null {
    const description = this.#describe(name);
    return description?.type === "INT" ? BigInt(description.max) : null;
  }

  #describe(name: string): InputDescription | undefined {
    return this.#descriptions.find((input) => input.name === name);
  }

  #default(name: string): unknown {
    const description = this.#describe(name);
    return description?.optional && "default" in description ? description.default : undefined;
  }

  #missing(name: string, what: string): never {
    throw new NodeError(`${name}: expected ${what}.`);
  }
}

function listed(value: unknown): readonly unknown[] {
  return isValue(value) ? itemsOf(value) : [value];
}

function isOfKind<Kind extends ValueKind>(value: unknown, kind: Kind): value is ValueOf<Kind> {
  return isValue(value) && typeof value === "object" && value.kind === kind;
}

export function isValue(value: unknown): value is Value {
  if (typeof value !== "object") return value !== undefined;
  return value !== null && "kind" in value;
}
