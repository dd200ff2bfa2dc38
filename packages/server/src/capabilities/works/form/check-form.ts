// Whether a form fits its graph: every problem with the place in the body, so that a page can show it beside the field. Never
// throws, even if the form names nodes that do not exist. Linear in the form.
import { type WorkInputKind, workAlsoMax } from "@atelier/contract";
import type { JsonDocument } from "../../../foundation/json/json-bytes.ts";
import { memberOf } from "../../../foundation/json/json-record.ts";
import type { FieldProblem } from "../../../foundation/json/schema.ts";
import type { DescribedClasses } from "../../graphs/index.ts";
import type { ClassInput } from "./class-inputs.ts";
import { nodeReader, type ReadNode } from "./complete-form.ts";
import { outputsAs } from "./form-schema.ts";
import { isFileInput, isInteger, isNumber, valueProblem } from "./form-values.ts";
import { type FormInput, type FormOutput, type FormTarget, targetsOf, type WorkForm } from "./work-form.ts";

type Say = (member: string, message: string) => void;

export function checkForm(
  form: WorkForm,
  graph: JsonDocument,
  classes: Pick<DescribedClasses, "descriptions">,
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const nodes = nodeReader(graph, classes);
  const [names, targets] = [new Seen(), new Seen()];
  for (const [at, input] of form.inputs.entries()) {
    const say: Say = (member, message) => problems.push({ path: `/form/inputs/${at}/${member}`, message });
    names.check(input.name, at, (first) => say("name", `is already the name of input ${first + 1}`));
    if (input.name === outputsAs) say("name", `cannot be ${outputsAs}, which says how outputs are returned`);
    // A work inside the graph may have multiplied them.
    if ((input.also?.length ?? 0) > workAlsoMax) say("also", `must not have more than ${workAlsoMax} items`);
    for (const [further, target] of targetsOf(input).entries()) {
      const sayThere: Say = (member, message) => say(further === 0 ? member : `also/${further - 1}/${member}`, message);
      targets.check(JSON.stringify([target.node, target.input]), at, (first) =>
        sayThere("input", `is already set by input ${first + 1}`),
      );
      checkTarget(input, target, nodes, sayThere);
    }
    const described = nodes(input.node)?.described?.inputs.get(input.input) ?? null;
    checkLimits(input, described, say);
    checkChoices(input, described, say);
    checkUse(input, described, say);
  }
  checkOutputs(form.outputs, nodes, problems);
  return problems;
}

class Seen {
  readonly #first = new Map<string, number>();

  check(name: string, at: number, again: (first: number) => void): void {
    const first = this.#first.get(name);
    if (first === undefined) this.#first.set(name, at);
    else again(first);
  }
}

function checkTarget({ kind }: FormInput, target: FormTarget, nodes: ReadNode, say: Say): void {
  const node = nodes(target.node);
  if (node === null) {
    say("node", "is not a node of the workflow");
    return;
  }
  const value = memberOf(node.inputs, target.input);
  const described = node.described?.inputs.get(target.input) ?? null;
  if (Array.isArray(value)) say("input", "is linked to another node, so it has no value to set");
  else if (value === undefined && described === null) say("input", `is not an input of node ${target.node}`);
  else if (described !== null && !fits(kind, described))
    say("kind", `cannot be ${kind}: the node takes ${wordFor(described)}`);
}

const kindsByType: Readonly<Record<string, readonly WorkInputKind[]>> = {
  INT: ["integer", "choice", "color"],
  FLOAT: ["number", "integer", "choice"],
  STRING: ["text", "choice", "color"],
  MARKDOWN: ["text", "choice"],
  TEXTAREA: ["text", "choice"],
  BOOLEAN: ["boolean"],
  COLOR: ["color", "choice"],
};

function fits(kind: WorkInputKind, { type, kind: own }: ClassInput): boolean {
  if (own === null) return false;
  if (type !== "COMBO") return memberOf(kindsByType, type) !== undefined && (kindsByType[type] ?? []).includes(kind);
  // A list of files takes every kind of file; whether it can read the file shows when it runs.
  if (isFileInput({ kind: own })) return isFileInput({ kind }) || kind === "choice" || kind === "text";
  return kind === "choice" || kind === "text";
}

const words: Readonly<Record<string, string>> = {
  INT: "an integer",
  FLOAT: "a number",
  BOOLEAN: "true or false",
  COLOR: "a colour",
};

function wordFor({ type, kind }: ClassInput): string {
  if (kind === null) return "only a link there";
  if (type === "COMBO") return isFileInput({ kind }) ? "a file" : "one of its choices";
  return memberOf(words, type) === undefined ? "a text" : String(words[type]);
}

function checkLimits(input: FormInput, described: ClassInput | null, say: Say): void {
  const { kind, minimum, maximum, step } = input;
  for (const [name, value] of [
    ["minimum", minimum],
    ["maximum", maximum],
    ["step", step],
  ] as const) {
    if (value === undefined) continue;
    if (kind !== "number" && kind !== "integer" && (kind !== "text" || name === "step"))
      say(name, `has no meaning for a ${kind}`);
    else if (kind !== "number" && !isInteger(value)) say(name, "must be an integer");
    else if (kind === "text" && value < 0) say(name, "must not be negative");
  }
  if (step !== undefined && step <= 0) say("step", "must be greater than 0");
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) say("maximum", "is less than the minimum");
  if (kind !== "number" && kind !== "integer") return;
  const [least, most] = [described?.minimum ?? null, described?.maximum ?? null];
  if (minimum !== undefined && least !== null && minimum < least) say("minimum", `must be at least ${least}`);
  if (maximum !== undefined && most !== null && maximum > most) say("maximum", `must be at most ${most}`);
}

function checkChoices({ kind, choices }: FormInput, described: ClassInput | null, say: Say): void {
  if (kind !== "choice") {
    if (choices !== undefined) say("choices", `has no meaning for a ${kind}`);
    return;
  }
  if (choices === undefined) {
    if (described === null || described.choices === null)
      say("choices", "is missing, and the node has no list of its own");
    return;
  }
  const allowed =
    described?.type === "COMBO" && described.choices !== null ? new Set(described.choices.map(keyOf)) : null;
  const seen = new Set<string>();
  for (const [at, choice] of choices.entries()) {
    if (seen.has(keyOf(choice))) say(`choices/${at}`, "is there twice");
    seen.add(keyOf(choice));
    if (allowed !== null && !allowed.has(keyOf(choice))) say(`choices/${at}`, "is not a choice of the node");
    else if (described !== null && !isTyped(choice, described.type))
      say(`choices/${at}`, `must be ${wordFor(described)}`);
  }
}

const keyOf = (choice: string | number | bigint) => (typeof choice === "string" ? `"${choice}` : String(choice));

function isTyped(choice: unknown, type: string): boolean {
  if (type === "COMBO") return true;
  if (type === "INT") return isInteger(choice);
  return type === "FLOAT" ? isNumber(choice) : typeof choice === "string";
}

function checkUse(input: FormInput, described: ClassInput | null, say: Say): void {
  const { kind, random, required, multiline } = input;
  if (random === true && kind !== "integer") say("random", "is for integers only");
  else if (random === true && required === true) say("random", "has no meaning for an input that callers must give");
  if (multiline === true && kind !== "text") say("multiline", "is for texts only");
  if (input.default === undefined) return;
  const problem = valueProblem(withChoices(input, described), input.default);
  if (problem !== null) say("default", problem);
}

function withChoices(input: FormInput, described: ClassInput | null): FormInput {
  const listed = input.kind === "choice" && input.choices === undefined ? (described?.choices ?? null) : null;
  return listed === null ? input : { ...input, choices: listed };
}

function checkOutputs(outputs: readonly FormOutput[], nodes: ReadNode, problems: FieldProblem[]): void {
  const [names, targets] = [new Seen(), new Seen()];
  for (const [at, { name, node }] of outputs.entries()) {
    const say: Say = (member, message) => problems.push({ path: `/form/outputs/${at}/${member}`, message });
    names.check(name, at, (first) => say("name", `is already the name of output ${first + 1}`));
    targets.check(node, at, (first) => say("node", `is already output ${first + 1}`));
    const found = nodes(node);
    if (found === null) say("node", "is not a node of the workflow");
    else if (found.described?.isOutputNode === false) say("node", "is not an output node: it saves and shows nothing");
  }
}
