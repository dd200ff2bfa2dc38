// `atelier workflows`: keep workflows on the server, with every version. A workflow is named by its id or as folder/name.
import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { writeJson } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { take } from "../files/take.ts";
import { unreadable } from "../files/unreadable.ts";
import { given } from "../given.ts";
import { carriedGraph } from "../jobs/carried-graph.ts";
import { wrongCall } from "../read-call.ts";
import { type Asked, overHttp } from "../server/over-http.ts";
import { findNamed, findWorkflow, pathOf, splitPath } from "./find-workflow.ts";
import { showForm } from "./show-form.ts";
import { versionIn } from "./version-in.ts";

export const workflowsCommand = overHttp({ save, ls: list, show, get, diff, form: showForm, restore });

// A second save under the same name is the next version.
async function save({ call, atelier }: Asked): Promise<CommandResult> {
  const [file] = call.words;
  const jobId = call.text("job");
  if ((file === undefined) === (jobId === undefined))
    throw wrongCall("workflows", ["Name a file, or a job with --job."]);
  const source = file === undefined ? { jobId: jobId ?? "" } : await documentIn(file);
  const { name, folder } = splitPath(call.text("name") ?? stem(file ?? jobId ?? ""));
  const noted = given({ note: call.text("note") });
  const known = await findNamed(atelier, folder, name);
  if (known === null) {
    const tags = call.texts("tag");
    const more = { ...(folder === "" ? {} : { folder }), ...(tags.length === 0 ? {} : { tags }) };
    const data = await atelier.workflows.save(name, source, { ...noted, ...more });
    return { data, text: `Saved ${pathOf(data)} as version 1.` };
  }
  const { etag } = await atelier.workflows.get(known.id);
  const { version } = await atelier.workflows.saveVersion(known.id, source, { ...noted, ifMatch: etag });
  const data = await atelier.workflows.get(known.id);
  const text =
    version === known.version
      ? `${pathOf(data)} is unchanged: version ${version} has the same content.`
      : `Saved ${pathOf(data)} as version ${version}. See what changed: atelier workflows diff "${pathOf(data)}"`;
  return { data, text };
}

async function list({ call, atelier }: Asked): Promise<CommandResult> {
  const limit = call.whole("limit", 1, 100_000) ?? 50;
  const found = atelier.workflows.list({
    pageSize: Math.min(100, limit),
    ...(call.words.length === 0 ? {} : { q: call.words.join(" ") }),
    ...given({ folder: call.text("folder"), tag: call.text("tag"), class: call.text("class") }),
    ...(call.has("archived") ? { archived: true } : {}),
  });
  const data = await take(found, limit);
  const rows = data.map((each) => [
    pathOf(each),
    `v${each.version}`,
    String(each.nodes),
    each.tags.join(", "),
    new Date(each.updated_at),
  ]);
  const empty =
    call.words.length === 0
      ? "No workflow is saved yet. Save one: atelier workflows save <file>"
      : "No workflow matches. Try fewer or different words.";
  return { data, text: { columns: ["name", "version", "nodes", "tags", "changed"], rows, empty } };
}

async function show(asked: Asked): Promise<CommandResult> {
  const { atelier } = asked;
  const workflow = await find(asked);
  const versions = await take(atelier.workflows.versions(workflow.id, { pageSize: 20 }), 20);
  const lines = [
    `name      ${pathOf(workflow)}`,
    `id        ${workflow.id}`,
    `nodes     ${workflow.nodes}`,
    ...(workflow.tags.length === 0 ? [] : [`tags      ${workflow.tags.join(", ")}`]),
    ...(workflow.archived_at === null ? [] : [`archived  ${workflow.archived_at}`]),
    "",
    ...versions.map(({ version, created_at: at, created_by: by, note, restored_from: from }) =>
      [`v${version}`, at, by?.name ?? "", from === null ? "" : `restored from v${from}`, note ?? ""]
        .filter((part) => part !== "")
        .join("  "),
    ),
  ];
  return { data: { ...workflow, versions }, text: lines.join("\n") };
}

async function get(asked: Asked): Promise<CommandResult> {
  const { call, atelier } = asked;
  const { id } = await find(asked);
  const version = given({ version: call.whole("version", 1, 999_999_999) });
  const text = await atelier.workflows.text(id, { ...version, ...(call.has("api") ? { format: "api" } : {}) });
  const file = call.text("output");
  if (file === undefined) return { data: JSON.parse(text), text };
  await writeFile(file, text);
  return { data: { file }, text: `Wrote ${file}.` };
}

async function diff(asked: Asked): Promise<CommandResult> {
  const { call, atelier } = asked;
  const [, from, to] = call.words;
  const { id } = await find(asked);
  const data = await atelier.workflows.diff(id, {
    ...(from === undefined ? {} : { from: versionIn("workflows", from) }),
    ...(to === undefined ? {} : { to: versionIn("workflows", to) }),
  });
  const head = `Version ${data.from} to ${data.to}`;
  const text = data.is_same
    ? `${head}: no node changed.`
    : [`${head}:`, ...data.changes.map(({ words }) => `  ${words}`), ...(data.is_complete ? [] : ["  …"])].join("\n");
  return { data, text };
}

async function restore(asked: Asked): Promise<CommandResult> {
  const { call, atelier } = asked;
  const [, version = ""] = call.words;
  const workflow = await find(asked);
  const options = { ifMatch: workflow.etag, ...given({ note: call.text("note") }) };
  const data = await atelier.workflows.restore(workflow.id, versionIn("workflows", version), options);
  return {
    data,
    text: `${pathOf(workflow)} is at version ${data.version} now, with the content of version ${version}.`,
  };
}

const find = ({ call, atelier }: Asked) => findWorkflow(atelier, call.words[0] ?? "");
const stem = (file: string) => basename(file).replace(/\.[^.]+$/, "");

// A workflow file byte for byte, or the workflow that a picture, sound or video carries.
async function documentIn(file: string): Promise<string> {
  const carried = await carriedGraph(file);
  if (carried !== null) return writeJson(carried);
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw unreadable(file, error);
  }
}
