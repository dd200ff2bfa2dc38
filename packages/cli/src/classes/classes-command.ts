// `atelier classes ls|show`: the node classes a server offers, and what a class takes.
import { AtelierError, type DescribedClass, type DescribedInput } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { take } from "../files/take.ts";
import { jsonText } from "../json-text.ts";
import { nearWord } from "../near-word.ts";
import { ClientProblem } from "../server/client-problem.ts";
import { type Asked, overHttp } from "../server/over-http.ts";

export const classesCommand = overHttp({ ls: list, show });

const most = 100_000;

async function list({ call, atelier }: Asked): Promise<CommandResult> {
  const [q, category] = [call.words.join(" "), call.text("category")];
  const filter = { ...(q === "" ? {} : { q }), ...(category === undefined ? {} : { category }) };
  if (call.has("object-info")) {
    const info = await atelier.classes.objectInfo(filter);
    return { data: info, text: jsonText(info, 2) };
  }
  const limit = call.whole("limit", 1, most) ?? most;
  const found = atelier.classes.list({ ...filter, pageSize: Math.min(limit, 100) });
  const data = await take(found, limit);
  const rows = data.map(({ name, category: where, title, description }) => [
    name,
    where,
    description === "" ? title : `${title}: ${description}`,
  ]);
  const empty = q === "" ? "This server has no node classes." : "No class matches. Try fewer or different words.";
  return { data, text: { columns: ["class", "category", "about"], rows, empty } };
}

async function show(asked: Asked): Promise<CommandResult> {
  const found = await find(asked);
  const { inputs, outputs } = found;
  const lines = [
    ...rowsText([
      ["class", found.name],
      ["title", found.title],
      ["category", found.category],
      ["runs on", locationText(found)],
      ["price", "see GET /nodes/pricing/badges; for a whole graph: atelier run --dry-run"],
      ["ends a graph", found.is_output ? "yes: it saves or shows something" : "no"],
      ...(found.is_deprecated ? [["deprecated", "yes: use a newer one"]] : []),
      ...(found.is_experimental ? [["experimental", "yes: it may still change"]] : []),
    ]),
    ...(found.description === "" ? [] : ["", found.description]),
    ...(inputs.length === 0
      ? []
      : ["", ...rowsText([["input", "type", "needed", "default", "values"], ...inputs.map(inputRow)])]),
    ...(outputs.length === 0
      ? []
      : [
          "",
          ...rowsText([
            ["output", "type"],
            ...outputs.map(({ name, type, is_list }, at) => [`${at} ${name}`, is_list ? `list of ${type}` : type]),
          ]),
        ]),
  ];
  return { data: found, text: lines.join("\n") };
}

// If the name is nearly right, the error suggests the right one.
async function find({ call, atelier }: Asked): Promise<DescribedClass> {
  const [name = ""] = call.words;
  try {
    return await atelier.classes.get(name);
  } catch (thrown) {
    if (!(thrown instanceof AtelierError) || thrown.code !== "not_found") throw thrown;
    const names = Object.keys(await atelier.classes.objectInfo());
    const near = nearWord(name, names);
    throw new ClientProblem("not_there", "not_found", `There is no node class "${name}"${near}`, {
      hint: "atelier classes ls",
    });
  }
}

function locationText({ runs_on: { engine, pools, application } }: DescribedClass): string {
  const where = [
    ...(engine ? ["the server's engine"] : []),
    ...pools.map((id) => `workers of pool ${id}`),
    ...(application ? ["the application"] : []),
  ];
  return where.length === 0 ? "nothing now" : where.join(", ");
}

const shownChoices = 12;

function inputRow(input: DescribedInput): string[] {
  const { name, type, is_required, is_link, is_file, choices = [], min, max } = input;
  const needed = is_required ? "yes" : "no";
  const standard = input.default === undefined ? "–" : short(jsonText(input.default));
  const listed = choices
    .slice(0, shownChoices)
    .map((choice) => (typeof choice === "string" ? choice : jsonText(choice)));
  const more = choices.length > shownChoices ? `, … ${choices.length} in all` : "";
  const range = min === undefined && max === undefined ? "" : `${min ?? "…"} to ${max ?? "…"}`;
  const values = is_link
    ? "a link: [node id, output]"
    : is_file
      ? "a file: -i node.input=@file"
      : `${listed.join(", ")}${more}` || range;
  return [name, type, needed, standard, values];
}

const short = (text: string) => (text.length > 40 ? `${text.slice(0, 39)}…` : text).replace(/\s+/g, " ");

// Each column is as wide as its widest cell; the last one is not padded.
export function rowsText(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd((widths[at] ?? 0) + 2)))
      .join("")
      .trimEnd(),
  );
}
