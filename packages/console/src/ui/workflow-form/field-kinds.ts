// Which kind of field a node's input gets, and how the typed text becomes a value again. Numbers stay text until then, so a seed
// keeps all its digits.

import { type DescribedInput, parseJson, writeJson } from "@atelier/sdk";
import { uiForms as words } from "#strings/ui/forms";
import { integerOf } from "../schema-form/values.ts";

export type FieldKind = "integer" | "number" | "color" | "text" | "long" | "choice" | "flag" | "file" | "json";

export function kindOf(input: DescribedInput | undefined, value: unknown): FieldKind {
  if (input?.is_file) return "file";
  if (input?.choices && input.choices.length > 0) return "choice";
  if (typeof value === "boolean") return "flag";
  if (input?.is_color === true && Number.isInteger(value)) return "color";
  if (typeof value === "bigint") return "integer";
  if (typeof value === "number") return input?.type === "FLOAT" || !Number.isInteger(value) ? "number" : "integer";
  if (typeof value === "string") {
    return input?.is_multiline || value.length > 60 || value.includes("\n") ? "long" : "text";
  }
  return "json";
}

export function textOf(kind: FieldKind, value: unknown): string {
  if (kind === "choice" || kind === "json") return writeJson(value) ?? "null";
  if (kind === "color") return colorText(Number(value));
  if (kind === "file") return typeof value === "string" ? value : writeJson(value);
  return String(value);
}

export type Read = { readonly value: unknown } | { readonly wrong: string };

export function readText(kind: FieldKind, text: string, input: DescribedInput | undefined): Read {
  switch (kind) {
    case "integer":
      return readInteger(text.trim(), input);
    case "number":
      return readNumber(text.trim(), input);
    case "color":
      return readColor(text.trim(), input);
    case "flag":
      return { value: text === "true" };
    case "choice":
    case "json":
      return readJson(text);
    case "file":
      return text.trim().startsWith("{") ? readJson(text) : { value: text };
    default:
      return { value: text };
  }
}

function readInteger(text: string, input: DescribedInput | undefined): Read {
  if (!/^[+-]?\d{1,40}$/.test(text)) return { wrong: words.wholeNumber };
  const wrong = beyond(BigInt(text.replace(/^\+/, "")), input);
  return wrong === null ? { value: integerOf(text) } : { wrong };
}

const colorMax = 0xffffff;

// #rrggbb, as people write colours. A number outside that range is shown as it is.
function colorText(value: number): string {
  return value < 0 || value > colorMax ? String(value) : `#${value.toString(16).padStart(6, "0")}`;
}

function readColor(text: string, input: DescribedInput | undefined): Read {
  const [, digits] = /^#([\da-f]{6})$/i.exec(text) ?? [];
  if (digits !== undefined) return { value: Number.parseInt(digits, 16) };
  return /^\d+$/.test(text) ? readInteger(text, input) : { wrong: words.color };
}

function readNumber(text: string, input: DescribedInput | undefined): Read {
  const value = Number(text);
  if (text === "" || !Number.isFinite(value)) return { wrong: words.number };
  const wrong = beyond(value, input);
  return wrong === null ? { value } : { wrong };
}

function beyond(value: number | bigint, input: DescribedInput | undefined): string | null {
  if (input?.min !== undefined && value < input.min) return words.atLeast(String(input.min));
  if (input?.max !== undefined && value > input.max) return words.atMost(String(input.max));
  return null;
}

function readJson(text: string): Read {
  try {
    return { value: parseJson(text) };
  } catch {
    return { wrong: words.notJson };
  }
}

// A random seed within the input's bounds, short enough to read out.
export function randomSeed(input: DescribedInput | undefined): string {
  const drawn = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;
  const most = BigInt(Math.trunc(Number(input?.max ?? 2 ** 53 - 1)));
  const limit = most < 1n ? 1n : most > 2n ** 53n ? 2n ** 53n : most;
  return String(drawn % limit);
}

export const isSeed = (name: string): boolean => /(^|_)(seed|noise_seed)$/.test(name);

export function limitWords(input: DescribedInput | undefined): string | null {
  if (input === undefined) return null;
  const { min, max } = input;
  if (min !== undefined && max !== undefined) return words.limits.between(String(min), String(max));
  if (min !== undefined) return words.limits.atLeast(String(min));
  return max === undefined ? null : words.limits.atMost(String(max));
}
