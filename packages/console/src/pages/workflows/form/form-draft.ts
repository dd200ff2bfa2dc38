// The form while it is made: every change makes a new form. Values are as the server has them, with integers beyond 2^53 as
// bigint; a text where a number belongs is what a person has typed so far, and is reported at its field.
import type { WorkForm, WorkInput, WorkOutput } from "@atelier/sdk";
import { writeJson } from "@atelier/sdk";
import { workForm } from "#strings/works/form";
import type { FieldFault } from "../../../api/fault.ts";
import { checkValue } from "../../../ui/schema-form/check-value.ts";
import { inputSchema } from "../../../ui/work-form/form-schema.ts";

const words = workForm.problems;

// Which value of the graph an input sets.
export const keyOf = ({ node, input }: Pick<WorkInput, "node" | "input">): string => `${node}\n${input}`;

// All values that it sets: one input may set several nodes.
export const keysOf = (input: WorkInput): readonly string[] => [keyOf(input), ...(input.also ?? []).map(keyOf)];

export const hasInput = ({ inputs }: WorkForm, key: string): boolean =>
  inputs.some((input) => keysOf(input).includes(key));

export function addInput(form: WorkForm, candidate: WorkInput): WorkForm {
  if (hasInput(form, keyOf(candidate))) return form;
  const name = freeName(candidate.name, [...namesOf(form.inputs), reservedName]);
  return { ...form, inputs: [...form.inputs, { ...candidate, name }] };
}

// A value that an input sets beside its own leaves that input alone.
export const removeInput = (form: WorkForm, key: string): WorkForm => ({
  ...form,
  inputs: form.inputs.flatMap((input) => {
    if (keyOf(input) === key) return [];
    const also = input.also?.filter((each) => keyOf(each) !== key);
    return also?.length === input.also?.length ? [input] : [changed(input, { also: also?.length ? also : undefined })];
  }),
});

// A member that is undefined is left out.
export function changeInput(form: WorkForm, at: number, change: Partial<Loose<WorkInput>>): WorkForm {
  return { ...form, inputs: form.inputs.map((input, index) => (index === at ? changed(input, change) : input)) };
}

export const moveInput = (form: WorkForm, at: number, to: number): WorkForm => ({
  ...form,
  inputs: moved(form.inputs, at, to),
});

export const hasOutput = ({ outputs }: WorkForm, node: string): boolean =>
  outputs.some((output) => output.node === node);

export function addOutput(form: WorkForm, candidate: WorkOutput): WorkForm {
  if (hasOutput(form, candidate.node)) return form;
  const name = freeName(candidate.name, namesOf(form.outputs));
  return { ...form, outputs: [...form.outputs, { ...candidate, name }] };
}

export const removeOutput = (form: WorkForm, node: string): WorkForm => ({
  ...form,
  outputs: form.outputs.filter((output) => output.node !== node),
});

export function changeOutput(form: WorkForm, at: number, change: Partial<Loose<WorkOutput>>): WorkForm {
  return { ...form, outputs: form.outputs.map((output, index) => (index === at ? changed(output, change) : output)) };
}

export const moveOutput = (form: WorkForm, at: number, to: number): WorkForm => ({
  ...form,
  outputs: moved(form.outputs, at, to),
});

// A field may be cleared, and may hold text that is not a number yet.
type Loose<Entry> = { readonly [Name in keyof Entry]: Entry[Name] | undefined | unknown };

function changed<Entry extends object>(entry: Entry, change: object): Entry {
  const next = Object.entries({ ...entry, ...change }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(next) as Entry;
}

// Stays where it is if there is no place further on.
function moved<Entry>(list: readonly Entry[], at: number, to: number): readonly Entry[] {
  const entry = list[at];
  if (entry === undefined || to < 0 || to >= list.length) return list;
  return list.toSpliced(at, 1).toSpliced(to, 0, entry);
}

const namesOf = (entries: readonly { readonly name: string }[]): readonly string[] => entries.map(({ name }) => name);

const namePattern = /^[a-z][a-z0-9_]{0,63}$/;
// Every work takes it, to say how outputs are returned.
const reservedName = "outputs_as";

// The text as a name; with a number behind it if others have it.
export function freeName(text: string, taken: readonly string[]): string {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^[^a-z]+|_+$/g, "")
    .slice(0, 60);
  const name = plain === "" ? "value" : plain;
  if (!taken.includes(name)) return name;
  for (let number = 2; ; number++) if (!taken.includes(`${name}_${number}`)) return `${name}_${number}`;
}

export const isSameForm = (one: WorkForm, other: WorkForm): boolean => writeJson(one) === writeJson(other);

// What the server would refuse, at the field that it is about: ["inputs", 3, "name"].
export function problemsIn(form: WorkForm): readonly FieldFault[] {
  return [
    ...form.inputs.flatMap((input, at) => inputProblems(input).map((fault) => below(["inputs", at], fault))),
    ...nameProblems("inputs", namesOf(form.inputs)),
    ...nameProblems("outputs", namesOf(form.outputs)),
    ...(form.outputs.length === 0 ? [{ path: ["outputs"], message: words.noOutput }] : []),
  ];
}

const below = (path: FieldFault["path"], fault: FieldFault): FieldFault => ({
  ...fault,
  path: [...path, ...fault.path],
});

function nameProblems(list: string, names: readonly string[]): readonly FieldFault[] {
  return names.flatMap((name, at) => {
    const path = [list, at, "name"];
    if (!namePattern.test(name)) return [{ path, message: words.name }];
    if (name === reservedName && list === "inputs") return [{ path, message: words.reserved(name) }];
    return names.indexOf(name) < at ? [{ path, message: words.nameTaken }] : [];
  });
}

function inputProblems(input: WorkInput): readonly FieldFault[] {
  const { minimum, maximum, step, kind, choices } = input;
  const isNumber = (value: unknown) => typeof value === "number" || typeof value === "bigint";
  const bounds = Object.entries({ minimum, maximum, step }).filter(
    ([, value]) => value !== undefined && !isNumber(value),
  );
  if (bounds.length > 0) return bounds.map(([name]) => ({ path: [name], message: words.number }));
  if (minimum !== undefined && maximum !== undefined && minimum > maximum)
    return [{ path: ["maximum"], message: words.bounds }];
  if (step !== undefined && step <= 0) return [{ path: ["step"], message: words.step }];
  if (kind === "choice" && (choices ?? []).length === 0) return [{ path: ["choices"], message: words.choices }];
  const standard = inputSchema(input)["default"];
  if (standard === undefined) return [];
  return checkValue(inputSchema(input), standard).map(({ message }) => ({ path: ["default"], message }));
}

// One choice in each line. Where all choices were numbers, they stay numbers.
export function choicesIn(text: string, before: WorkInput["choices"]): WorkInput["choices"] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const areNumbers = (before ?? []).length > 0 && (before ?? []).every((choice) => typeof choice !== "string");
  const numbers = lines.map(Number);
  return areNumbers && numbers.every(Number.isFinite) ? numbers : [...new Set(lines.map((line) => line.trim()))];
}
