// `atelier works`: saved workflows that were published, with a form and versions, and run like models.
import type { PublishedVersion, PublishedWork } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { take } from "../files/take.ts";
import { jsonText } from "../json-text.ts";
import { type Asked, overHttp } from "../server/over-http.ts";
import { confirm } from "../terminal/confirm.ts";
import { takes } from "../workflows/show-form.ts";
import { versionIn } from "../workflows/version-in.ts";
import { callableWorks } from "./callable-works.ts";
import { namedWork, workId } from "./named-work.ts";
import { publishWork } from "./publish-work.ts";
import { runWork } from "./run-work.ts";
import { shareWork } from "./share-work.ts";

export const worksCommand = overHttp({ publish: publishWork, ls: list, show, run, diff, share: shareWork, rm: remove });

async function run(asked: Asked): Promise<CommandResult> {
  const { call, atelier } = asked;
  const [given = "", ...pairs] = call.words;
  return runWork(asked, await workId(atelier, given), [...pairs, ...call.texts("input")]);
}

async function list({ call, atelier }: Asked): Promise<CommandResult> {
  const limit = call.whole("limit", 1, 100_000) ?? 50;
  const q = call.words.join(" ");
  if (call.has("all")) return listAll(atelier, q, limit);
  const data = await take(atelier.works.list({ pageSize: Math.min(100, limit), ...(q === "" ? {} : { q }) }), limit);
  const rows = data.map((each) => [
    each.id,
    `${each.title ?? ""}${each.deprecated_at === null ? "" : " (deprecated)"}`,
    each.version === each.versions ? `v${each.version}` : `v${each.version} of ${each.versions}`,
    each.visibility,
    new Date(each.updated_at),
  ]);
  const empty =
    q === ""
      ? "Nothing is published yet. Publish a saved workflow: atelier works publish <workflow>"
      : "No work matches.";
  return { data, text: { columns: ["work", "title", "version", "for", "changed"], rows, empty } };
}

async function listAll(atelier: Asked["atelier"], q: string, limit: number): Promise<CommandResult> {
  const data = (await callableWorks(atelier, 100_000)).filter(({ id }) => id.includes(q.toLowerCase())).slice(0, limit);
  const rows = data.map(({ id, provider }) => [id, provider]);
  return { data, text: { columns: ["work", "of"], rows, empty: "You may call no work yet." } };
}

async function show({ call, atelier }: Asked): Promise<CommandResult> {
  const { name, version } = namedWork(call.words[0] ?? "");
  const work = await atelier.works.get(name);
  const shown = await atelier.works.version(name, version ?? work.version);
  const versions = await take(atelier.works.versions(name, { pageSize: 20 }), 20);
  const lines = [
    ...facts(work),
    "",
    ...formLines(shown),
    "",
    ...versions.map(({ version: each, created_at: at, created_by: by, note }) =>
      [`v${each}`, at, by?.name ?? "", note ?? ""].filter((part) => part !== "").join("  "),
    ),
  ];
  return { data: { ...work, form: shown.form, versions }, text: lines.join("\n") };
}

const facts = (work: PublishedWork): string[] => [
  `work        ${work.id}`,
  ...(work.title === null ? [] : [`title       ${work.title}`]),
  ...(work.description === null ? [] : [`about       ${work.description}`]),
  `version     ${work.version} of ${work.versions}`,
  `for         ${audience(work)}`,
  ...(work.workflow_id === null ? [] : [`workflow    ${work.workflow_id}`]),
  ...(work.deprecated_at === null ? [] : [`deprecated  ${work.deprecated_at}`]),
  ...(work.sunset_at === null ? [] : [`gone from   ${work.sunset_at}`]),
];

function audience({ visibility, shared_with: shared }: PublishedWork): string {
  if (visibility === "public") return "every workspace of this server";
  return visibility === "private" ? "this workspace" : `this workspace and ${shared.join(", ")}`;
}

function formLines({ form }: PublishedVersion): string[] {
  const rows = form.inputs.map((input) => [
    `  ${input.name}`,
    takes(input),
    input.random === true ? "random" : input.default === undefined ? "" : jsonText(input.default),
    input.label ?? "",
  ]);
  const width = (at: number) => Math.max(...rows.map((row) => row[at]?.length ?? 0));
  return [
    ...(rows.length === 0 ? ["no inputs"] : ["inputs"]),
    ...rows.map((row) =>
      row
        .map((cell, at) => cell.padEnd(width(at)))
        .join("  ")
        .trimEnd(),
    ),
    "outputs",
    ...form.outputs.map(({ name, label }) => `  ${name}${label === undefined ? "" : `  ${label}`}`),
  ];
}

async function diff({ call, atelier }: Asked): Promise<CommandResult> {
  const [given = "", from, to] = call.words;
  const data = await atelier.works.diff(namedWork(given).name, {
    ...(from === undefined ? {} : { from: versionIn("works", from) }),
    ...(to === undefined ? {} : { to: versionIn("works", to) }),
  });
  const head = `Version ${data.from} to ${data.to}`;
  const changes = [...data.form, ...data.changes.map(({ words }) => words)];
  const text = data.is_same ? `${head}: no change.` : [`${head}:`, ...changes.map((each) => `  ${each}`)].join("\n");
  return { data, text };
}

async function remove({ call, atelier, input }: Asked): Promise<CommandResult> {
  const { name } = namedWork(call.words[0] ?? "");
  const work = await atelier.works.get(name);
  await confirm(`Withdraw ${work.id} with ${versionsText(work.versions)}? Nobody can call it afterwards.`, call, input);
  await atelier.works.delete(name, { ifMatch: work.etag });
  return { data: { id: work.id }, text: `Withdrew ${work.id}.` };
}

const versionsText = (count: number): string => (count === 1 ? "its one version" : `its ${count} versions`);
