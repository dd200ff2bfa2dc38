// `atelier run workflow.json -i node.input=value -o out/`: uploads the files it names, submits the graph, shows how far
// it is and saves what it made. Ctrl-C cancels the job on the server; a second one leaves at once.
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import {
  type Asset,
  fileSource,
  type Graph,
  type JobHandle,
  parseJson,
  referenceTo,
  type SubmitOptions,
} from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { exitCodes } from "../exit-codes.ts";
import { requireFolder } from "../files/output-path.ts";
import { uniqueName } from "../files/unique-name.ts";
import { ClientProblem } from "../server/client-problem.ts";
import { type Asked, overHttp } from "../server/over-http.ts";
import { EarlyInterrupts } from "../terminal/early-interrupts.ts";
import { sizeText } from "../terminal/progress-line.ts";
import { type ApiGraph, findNode, type GraphInput, inputValue, newInput, parseInput } from "./graph-inputs.ts";
import { watchJob } from "./watch-job.ts";

export const runCommand = overHttp(async (asked) => {
  const { call, atelier, input } = asked;
  const options = submitOptions(asked);
  const inputs = call.texts("input").map(parseInput);
  const target = call.text("output") ?? ".";
  const folder = call.has("no-wait") ? target : requireFolder(target);
  const early = new EarlyInterrupts(input);
  try {
    const graph = await readGraph(asked);
    const warnings = await setInputs(asked, graph, inputs, early.signal);
    early.signal.throwIfAborted();
    early.isSubmitting = true;
    const job = await atelier.jobs.submit(submittable(graph), options);
    if (early.isInterrupted) await job.cancel();
    early.end();
    const result = await follow(asked, job, folder);
    return input.json ? { ...result, warnings } : result;
  } catch (error) {
    if (!early.signal.aborted) throw error;
    const problem = "Nothing was submitted.";
    input.say(problem);
    return { data: null, text: "", exitCode: exitCodes.interrupted, problem };
  } finally {
    early.end();
  }
});

// What is odd about them is told before anything is uploaded; with --json it is in the result.
async function setInputs(
  asked: Asked,
  graph: ApiGraph,
  inputs: readonly GraphInput[],
  signal: AbortSignal,
): Promise<string[]> {
  const targets = inputs.map((each) => ({ ...each, node: findNode(graph, each.nodeId) }));
  const warnings = targets.flatMap(({ nodeId, input, node }) => newInput(nodeId, node, input) ?? []);
  if (!asked.input.json) for (const warning of warnings) asked.input.say(`! ${warning}`);
  for (const { nodeId, input: name, value, node } of targets)
    node[name] =
      value.kind === "text"
        ? inputValue(value.text, node[name])
        : referenceTo(await upload(asked, value.path, `${nodeId}.${name}`, signal));
  return warnings;
}

// To its end, with its outputs kept in the folder; Ctrl-C cancels it. With --no-wait its id is all that is told.
export async function follow({ call, atelier, input }: Asked, job: JobHandle, folder: string): Promise<CommandResult> {
  if (call.has("no-wait")) return { data: job.current, text: job.id };
  const [jsonLines, isShowing] = [call.has("jsonl"), call.has("show")];
  return watchJob({ atelier, job, folder, jsonLines, isShowing, onInterrupt: "cancel" }, input);
}

function submitOptions({ call }: Asked): SubmitOptions {
  const priority = call.whole("priority", -100, 100);
  const metadata = call.text("label");
  const webhookUrl = call.text("webhook-url");
  return {
    idempotencyKey: uniqueName(),
    ...(metadata === undefined ? {} : { metadata }),
    ...(priority === undefined ? {} : { priority }),
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
  };
}

async function readGraph({ call, atelier }: Asked): Promise<ApiGraph> {
  const [file = ""] = call.words;
  const value = readJsonFile(file);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw noWorkflow(file);
  // As the editor saves it: the server turns it into what it runs.
  if ("nodes" in value && "links" in value) return graphOf(await atelier.jobs.convert(value), file);
  return graphOf("workflow" in value ? value : { workflow: value }, file);
}

export function readJsonFile(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw unreadable(file, error);
  }
  try {
    return parseJson(text);
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ");
    const name = file === "-" ? "Standard input" : file;
    throw new ClientProblem("rejected_input", "invalid_json", `${name} is not JSON: ${reason}.`, {
      hint: "mend it, or save it again where it came from",
    });
  }
}

function graphOf(holder: object, file: string): ApiGraph {
  const graph = "workflow" in holder ? holder.workflow : null;
  if (isGraph(graph)) return graph;
  throw noWorkflow(file);
}

const noWorkflow = (file: string): ClientProblem =>
  new ClientProblem("rejected_input", "invalid_workflow", `${file} holds no workflow.`, {
    hint: 'a workflow has nodes by their ids: {"1": {"class_type": "…", "inputs": {…}}, …}; the editor saves one',
  });

const isGraph = (value: unknown): value is ApiGraph =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((node) => typeof node === "object" && node !== null && !Array.isArray(node));

// What is wrong with a node the server says better, for all of them at once.
function submittable(graph: ApiGraph): Graph {
  return Object.fromEntries(
    Object.entries(graph).map(([id, node]) => [id, Object({ ...node, inputs: node.inputs ?? {} })]),
  );
}

async function upload({ atelier, input }: Asked, path: string, label: string, signal: AbortSignal): Promise<Asset> {
  const source = await openSource(path);
  const asset = await atelier.assets.put(source, { signal });
  input.say(`  ${label}   ${basename(path)}   ${sizeText(asset.size_bytes)}   ${newsOf(asset)}`);
  return asset;
}

export const newsOf = ({ created_new: isNew, hash }: Asset): string =>
  `${isNew === false ? "already stored" : "uploaded"} (${(hash ?? "").slice(0, 15)}…)`;

// Only a file has an end that is known beforehand. That it cannot be read would be found out in the middle of it.
export async function openSource(path: string): Promise<File> {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw unreadable(path, { code: "EISDIR" });
  if (there?.isFile() === false)
    throw new ClientProblem("usage", "usage", `${path} is no file.`, { hint: "write it into a file first" });
  try {
    accessSync(path, constants.R_OK);
    return await fileSource(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

const readErrors: Readonly<Record<string, string>> = {
  ENOENT: "There is no file",
  EACCES: "This user may not read",
  EISDIR: "This is a folder:",
};

export function unreadable(path: string, error: unknown): ClientProblem {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  const sentence = Object.hasOwn(readErrors, code)
    ? `${readErrors[code]} ${path}.`
    : `${path} cannot be read (${code}).`;
  const hint = code === "EISDIR" ? "name a file in it" : `paths begin in ${process.cwd()}`;
  return new ClientProblem("usage", "usage", sentence, code === "EACCES" ? {} : { hint });
}
