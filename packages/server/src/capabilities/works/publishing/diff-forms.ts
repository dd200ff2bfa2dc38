// How two forms differ, in sentences.
import { isDeepStrictEqual } from "node:util";
import { writeExactJson } from "../../../foundation/json/exact-json.ts";
import type { FormInput, FormOutput, WorkForm } from "../form/work-form.ts";

export function diffForms(before: WorkForm, after: WorkForm): string[] {
  return [
    ...diffFields("Input", before.inputs, after.inputs, inputWords),
    ...diffFields("Output", before.outputs, after.outputs, outputWords),
  ];
}

const inputWords: Readonly<Record<Exclude<keyof FormInput, "name">, string>> = {
  node: "node",
  input: "input of the node",
  kind: "kind",
  label: "label",
  description: "description",
  group: "group",
  required: "required",
  default: "default",
  minimum: "minimum",
  maximum: "maximum",
  step: "step",
  choices: "choices",
  multiline: "several lines",
  random: "random",
  also: "other nodes that it sets",
};
const outputWords: Readonly<Record<Exclude<keyof FormOutput, "name">, string>> = {
  node: "node",
  label: "label",
  description: "description",
};

function diffFields(
  kind: "Input" | "Output",
  before: readonly { readonly name: string }[],
  after: readonly { readonly name: string }[],
  words: Readonly<Record<string, string>>,
): string[] {
  const old = new Map(before.map((field) => [field.name, field]));
  const now = new Map(after.map((field) => [field.name, field]));
  const removed = before.filter(({ name }) => !now.has(name)).map(({ name }) => `${kind} ${name} was removed.`);
  const changed = after.flatMap((field) => {
    const earlier = old.get(field.name);
    if (earlier === undefined) return [`${kind} ${field.name} was added.`];
    return Object.entries(words).flatMap(([member, word]) => {
      const [from, to]: unknown[] = [Reflect.get(earlier, member), Reflect.get(field, member)];
      if (isDeepStrictEqual(from, to)) return [];
      return [`${kind} ${field.name}: ${word} changed from ${shown(from)} to ${shown(to)}.`];
    });
  });
  const isMoved = !isDeepStrictEqual(namesIn(before, now), namesIn(after, old));
  return [...removed, ...changed, ...(isMoved ? [`The order of the ${kind.toLowerCase()}s changed.`] : [])];
}

const namesIn = (fields: readonly { readonly name: string }[], others: ReadonlyMap<string, unknown>) =>
  fields.map(({ name }) => name).filter((name) => others.has(name));

const shownMax = 200;

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = writeExactJson(value);
  return text.length <= shownMax ? text : `${text.slice(0, shownMax)}…`;
}
