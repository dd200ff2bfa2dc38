// Machines of one pool know the same classes with different files behind them. For the checks at submission, a class offers
// every choice that any machine offers; which machine has a file is checked when the job is placed.
import { isModelFile } from "../jobs/index.ts";
import type { NodeClassDescriptions } from "./environment.ts";

export function mergeDescriptions(all: readonly NodeClassDescriptions[]): NodeClassDescriptions {
  const merged: Record<string, unknown> = {};
  for (const descriptions of all) {
    for (const [name, description] of Object.entries(descriptions))
      merged[name] = Object.hasOwn(merged, name) ? mergedClass(merged[name], description) : description;
  }
  return merged;
}

// Weight files that one machine's classes offer as choices.
export function modelsIn(descriptions: NodeClassDescriptions): ReadonlySet<string> {
  const models = new Set<string>();
  for (const description of Object.values(descriptions)) {
    for (const inputs of groupsOf(description).values()) {
      for (const input of Object.values(inputs)) {
        for (const choice of choicesOf(input) ?? [])
          if (typeof choice === "string" && isModelFile(choice)) models.add(choice);
      }
    }
  }
  return models;
}

function mergedClass(first: unknown, second: unknown): unknown {
  const [own, other] = [groupsOf(first), groupsOf(second)];
  if (own.size === 0 || typeof first !== "object" || first === null) return first;
  const input = Object.fromEntries(
    [...own].map(([group, inputs]) => [group, mergedInputs(inputs, other.get(group) ?? {})]),
  );
  return { ...first, input };
}

function mergedInputs(own: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(own).map(([name, input]) => {
      const choices = choicesOf(input);
      const more = choicesOf(other[name]);
      if (choices === null || more === null || !Array.isArray(input)) return [name, input];
      return [name, withChoices(input, [...new Set([...choices, ...more])])];
    }),
  );
}

// required and optional, each with its inputs.
function groupsOf(description: unknown): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  if (typeof description !== "object" || description === null || !("input" in description)) return new Map();
  const { input } = description;
  if (typeof input !== "object" || input === null) return new Map();
  return new Map(
    Object.entries(input).flatMap(([group, inputs]: [string, unknown]) =>
      typeof inputs === "object" && inputs !== null ? [[group, { ...inputs }] as const] : [],
    ),
  );
}

// An input is [type, options]. The choices are either a list in place of the type, or the options of a COMBO.
function choicesOf(input: unknown): readonly unknown[] | null {
  const [type, options]: readonly unknown[] = Array.isArray(input) ? input : [];
  if (Array.isArray(type)) return type;
  const isCombo = type === "COMBO" && typeof options === "object" && options !== null && "options" in options;
  return isCombo && Array.isArray(options.options) ? options.options : null;
}

function withChoices(input: readonly unknown[], choices: readonly unknown[]): unknown[] {
  const [type, options, ...rest] = input;
  if (Array.isArray(type)) return [choices, ...input.slice(1)];
  return [type, { ...(typeof options === "object" ? options : {}), options: choices }, ...rest];
}
