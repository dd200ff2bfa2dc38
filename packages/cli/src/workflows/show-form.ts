// `atelier workflows form`: the form that a saved workflow would be published with. A terminal gets a table; a file or a pipe
// gets the form itself, to edit and pass back: atelier works publish --form.
import type { Form, FormInput } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { replaceFile } from "../files/keep-file.ts";
import { requireFile } from "../files/output-path.ts";
import { jsonText } from "../json-text.ts";
import type { Asked } from "../server/over-http.ts";
import { findWorkflow } from "./find-workflow.ts";

export async function showForm({ call, atelier, input }: Asked): Promise<CommandResult> {
  const target = call.text("output");
  if (target !== undefined) requireFile(target);
  const version = call.whole("version", 1, 999_999_999);
  const { id } = await findWorkflow(atelier, call.words[0] ?? "");
  const found = await atelier.workflows.form(id, version === undefined ? {} : { version });
  const form: Form = call.has("all") ? { inputs: found.inputs, outputs: found.outputs } : found.form;
  if (!input.json) for (const problem of found.problems) input.say(`! ${problem}`);
  const warnings = input.json ? { warnings: found.problems } : {};
  const text = `${jsonText(form, 2)}\n`;
  if (target !== undefined) {
    const file = await replaceFile(target, text);
    return { data: { file, form }, text: file, ...warnings };
  }
  if (!input.isTerminal) return { data: { ...found, form }, text: text.trimEnd(), ...warnings };
  const rows = [
    ...form.inputs.map(inputRow),
    ...form.outputs.map(({ name, node, label }) => outputRow(name, node, label)),
  ];
  return {
    data: { ...found, form },
    text: { columns: ["name", "takes", "sets", "default", "about"], rows },
    ...warnings,
  };
}

const inputRow = (input: FormInput): (string | null)[] => [
  input.name,
  takes(input),
  `${input.node}.${input.input}`,
  input.random === true ? "random" : input.default === undefined ? null : jsonText(input.default),
  input.label ?? null,
];

const outputRow = (name: string, node: string, label: string | undefined): (string | null)[] => [
  name,
  "(output)",
  node,
  null,
  label ?? null,
];

// The kind, with its limits or choices.
export function takes({ kind, minimum, maximum, choices, required }: FormInput): string {
  const limits = minimum === undefined && maximum === undefined ? "" : ` ${minimum ?? ""}..${maximum ?? ""}`;
  const shown = choices === undefined ? "" : ` ${choices.slice(0, choicesMax).join("|")}`;
  const more = choices !== undefined && choices.length > choicesMax ? "|…" : "";
  return `${kind}${limits}${shown}${more}${required === true ? ", required" : ""}`;
}

const choicesMax = 4;
