// Names and labels for inputs and outputs without a name of their own.
import { outputsAs } from "./form-schema.ts";

const nameMax = 64;
export const labelMax = 100;

// A name that is free, made from a text; each is given once.
export class FieldNames {
  readonly #taken: Set<string>;
  // Where counting goes on, by the name without a number.
  readonly #next = new Map<string, number>();

  constructor(taken: readonly string[] = []) {
    this.#taken = new Set([outputsAs, ...taken]);
  }

  take(text: string): string {
    const base = fieldName(text);
    let name = base;
    let count = this.#next.get(base) ?? 2;
    for (; this.#taken.has(name); count += 1) {
      const suffix = `_${count}`;
      name = `${base.slice(0, nameMax - suffix.length)}${suffix}`;
    }
    this.#next.set(base, count);
    this.#taken.add(name);
    return name;
  }
}

function fieldName(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const words = plain.replaceAll(/[^a-z0-9]+/g, "_").replaceAll(/^_+|_+$/g, "");
  const name = /^[a-z]/.test(words) ? words : words === "" ? "value" : `n_${words}`;
  return name.slice(0, nameMax).replace(/_+$/, "");
}

// "noise_seed" → "Noise seed", "model.aspect_ratio" → "Aspect ratio".
export function readable(name: string): string {
  const words = (name.split(".").at(-1) ?? name).replaceAll(/[_\s]+/g, " ").trim();
  return cut(words === "" ? name : `${words.charAt(0).toUpperCase()}${words.slice(1)}`, labelMax);
}

// Without half characters at the end.
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return text
    .slice(0, most)
    .toWellFormed()
    .replace(/\ufffd$/, "")
    .trimEnd();
}
