// `atelier workflows form`: the form that a saved workflow would be published with. A terminal gets a table; a file or a pipe
// gets the form itself, to edit and pass back: --save keeps it with the workflow, atelier works publish --form publishes it.
import type { Form, FormInput } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { replaceFile } from "../files/keep-file.ts";
import { requireFile } from "../files/output-path.ts";
import { jsonText } from "../json-text.ts";
import { wrongCall } from "../read-call.ts";
import type { Asked } from "../server/over-http.ts";
import { readForm } from "../works/publish-work.ts";
import { findWorkflow, pathOf } from "./find-workflow.ts";

export async function showForm(asked: Asked): Promise<CommandResult> {
  const { call, atelier, input } = asked;
  const file = call.text("save");
  if (file !== undefined) return saveForm(asked, file);
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
    const written = await replaceFile(target, text);
    return { data: { file: written, form }, text: written, ...warnings };
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

async function saveForm({ call, atelier, input }: Asked, file: string): Promise<CommandResult> {
  const others = [
    ...(call.has("all") ? ["all"] : []),
    ...["output", "version"].filter((name) => call.text(name) !== undefined),
  ];
  if (others.length > 0)
    throw wrongCall("workflows", [`--save makes the next version; it does not go with --${others.join(" or --")}.`]);
  const form = readForm(file);
  const workflow = await findWorkflow(atelier, call.words[0] ?? "");
  const note = call.text("note");
  const options = { ifMatch: workflow.etag, ...(note === undefined ? {} : { note }) };
  const data = await atelier.workflows.saveForm(workflow.id, form, options);
  if (!input.json) for (const problem of data.problems) input.say(`! ${problem}`);
  const text =
    data.version === workflow.version
      ? `${pathOf(workflow)} is unchanged: version ${data.version} has this form.`
      : `Saved the form with ${pathOf(workflow)}, as version ${data.version}.`;
  return { data, text, ...(input.json ? { warnings: data.problems } : {}) };
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
