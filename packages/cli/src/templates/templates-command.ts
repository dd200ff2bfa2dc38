// `atelier templates ls|show|get`: workflows to start from, and what each needs on this server.
import { writeFile } from "node:fs/promises";
import { AtelierError, type CreditRange, type Template, type TemplateList } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { nearWord } from "../near-word.ts";
import { ClientProblem } from "../server/client-problem.ts";
import { type Asked, overHttp, readAnswer } from "../server/over-http.ts";

export const templatesCommand = overHttp({ ls: list, show, get });

async function list(asked: Asked): Promise<CommandResult> {
  const { call } = asked;
  const words = call.words.map((word) => word.toLowerCase());
  const all = await fetchTemplates(asked);
  const data = all.filter(
    (template) => words.every((word) => textOf(template).includes(word)) && (template.runs_here || !call.has("runs")),
  );
  const rows = data.map((template) => [template.name, template.category ?? "", template.title, lacksText(template)]);
  const empty =
    all.length === 0
      ? "There are no templates here. An operator installs the public ones with: atelier templates install"
      : "No template matches.";
  return { data, text: { columns: ["template", "category", "title", "here"], rows, empty } };
}

async function show(asked: Asked): Promise<CommandResult> {
  const template = await findTemplate(asked);
  const { credits, refusal } = await priceOf(asked, template.name);
  const facts = [
    ["template", template.name],
    ["title", template.title],
    ["about", template.description ?? ""],
    ["here", lacksText(template)],
    ["your files", template.files.join(", ")],
    ["credits", credits === null ? "" : rangeText(credits)],
    ["refused", refusal ?? ""],
  ].filter(([, value]) => value !== "");
  const lines = facts.map(([name = "", value = ""]) => `${name.padEnd(12)}${value}`);
  return { data: { ...template, credits, refusal }, text: lines.join("\n") };
}

async function get(asked: Asked): Promise<CommandResult> {
  const { call, atelier } = asked;
  const { name } = await findTemplate(asked);
  // As text: a seed may not fit a number of JavaScript.
  const text = await (await atelier.request(`/account/templates/${encodeURIComponent(name)}`)).text();
  const output = call.text("output");
  if (output === undefined) return { data: JSON.parse(text), text: text.trimEnd() };
  await writeFile(output, text);
  return { data: { name, file: output }, text: `Wrote ${output}. Run it with: atelier run ${output}` };
}

const fetchTemplates = async ({ atelier }: Asked): Promise<readonly Template[]> =>
  (await readAnswer<TemplateList>(atelier.request("/account/templates"))).data;

async function findTemplate(asked: Asked): Promise<Template> {
  const [name = ""] = asked.call.words;
  const all = await fetchTemplates(asked);
  const found = all.find((template) => template.name === name);
  if (found) return found;
  const near = nearWord(
    name,
    all.map((template) => template.name),
  );
  const hint = "atelier templates ls";
  throw new ClientProblem("not_there", "not_found", `There is no template named ${name}${near}`, { hint });
}

async function priceOf({ atelier }: Asked, name: string) {
  try {
    const path = `/account/templates/${encodeURIComponent(name)}/estimate`;
    const { credits } = await readAnswer<{ readonly credits: CreditRange }>(atelier.request(path));
    return { credits, refusal: null };
  } catch (error) {
    if (error instanceof AtelierError && error.status === 422) return { credits: null, refusal: error.message };
    throw error;
  }
}

const textOf = ({ name, title, description, category, tags }: Template): string =>
  [name, title, description, category, ...tags].join(" ").toLowerCase();

const rangeText = ({ lowest, highest }: CreditRange): string =>
  lowest === highest ? lowest : `${lowest} to ${highest}`;

function lacksText({ runs_here: runs, needs, files }: Template): string {
  if (runs) return files.length === 0 ? "runs" : "runs with your files";
  const parts = [
    ["a key for", needs.providers],
    ["classes", needs.classes],
    ["weights", needs.weights],
  ] as const;
  const said = parts.flatMap(([what, names]) => (names.length === 0 ? [] : [`${what} ${shortened(names)}`]));
  return said.length === 0 ? "not a workflow" : `needs ${said.join("; ")}`;
}

const shortened = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(", ") : `${names.slice(0, 2).join(", ")} and ${names.length - 2} more`;
