// Shorthands for inputs and outputs, so that a class reads like a table row. Sizes have the application's limits.
import type {
  BooleanInput,
  ComboInput,
  FloatInput,
  IntInput,
  OutputDescription,
  SocketInput,
  StringInput,
} from "./node-class.ts";

export const sideMax = 16384;
// The limits of the application's integers, signed and unsigned.
export const wholeMax = 2n ** 63n - 1n;
export const seedMax = 2n ** 64n - 1n;

type Extra<Input> = Partial<Omit<Input, "name" | "type">>;

export const image = (name: string, extra: Extra<SocketInput> = {}): SocketInput => ({ name, type: "IMAGE", ...extra });
export const mask = (name: string, extra: Extra<SocketInput> = {}): SocketInput => ({ name, type: "MASK", ...extra });
export const latent = (name: string, extra: Extra<SocketInput> = {}): SocketInput => ({
  name,
  type: "LATENT",
  ...extra,
});
export const operation = (name: string): SocketInput => ({ name, type: "LATENT_OPERATION" });
export const audio = (name: string, extra: Extra<SocketInput> = {}): SocketInput => ({ name, type: "AUDIO", ...extra });
export const video = (name: string): SocketInput => ({ name, type: "VIDEO" });
export const anything = (name: string): SocketInput => ({ name, type: "*" });

export const output = (type: string, name: string): OutputDescription => ({ type, name });

type Bound = number | bigint;

export function int(name: string, standard: number, min: Bound, max: Bound, extra: Extra<IntInput> = {}): IntInput {
  return { name, type: "INT", default: standard, min, max, ...extra };
}

export function float(
  name: string,
  standard: number,
  min: Bound,
  max: Bound,
  step: number,
  extra: Extra<FloatInput> = {},
): FloatInput {
  return { name, type: "FLOAT", default: standard, min, max, step, ...extra };
}

export function text(name: string, standard: string, extra: Extra<StringInput> = {}): StringInput {
  return { name, type: "STRING", default: standard, ...extra };
}

export function flag(name: string, standard: boolean, extra: Extra<BooleanInput> = {}): BooleanInput {
  return { name, type: "BOOLEAN", default: standard, ...extra };
}

export function choice(name: string, options: readonly string[], extra: Extra<ComboInput> = {}): ComboInput {
  return { name, type: "COMBO", options, ...extra };
}

export function file(name: string, extra: Extra<ComboInput> = {}): ComboInput {
  return { name, type: "COMBO", options: null, folder: "input", ...extra };
}

export const width = (least: number, standard = 512, step = 1): IntInput =>
  int("width", standard, least, sideMax, { step });
export const height = (least: number, standard = 512, step = 1): IntInput =>
  int("height", standard, least, sideMax, { step });
export const offset = (name: string, step = 1): IntInput => int(name, 0, 0, sideMax, { step });

export const scaleMethods = ["nearest-exact", "bilinear", "area", "bicubic", "lanczos"] as const;
export type ScaleMethod = (typeof scaleMethods)[number];
