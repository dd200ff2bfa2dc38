// Reads the graph to run from the file a person named: in API format, in the editor's format (which the server converts), or
// embedded in a picture, sound or video. Or a saved workflow, by its name.
import { existsSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { type Graph, parseJson } from "@atelier/sdk";
import { unreadable } from "../files/unreadable.ts";
import { isRecord } from "../json-record.ts";
import { ClientProblem } from "../server/client-problem.ts";
import type { Asked } from "../server/over-http.ts";
import { findNamed, splitPath } from "../workflows/find-workflow.ts";
import { carriedGraph } from "./carried-graph.ts";
import type { ApiGraph } from "./graph-inputs.ts";

export async function readGraph({ call, atelier }: Pick<Asked, "call" | "atelier">): Promise<ApiGraph> {
  const [file = ""] = call.words;
  const saved = await savedGraph(atelier, file);
  if (saved !== null) return graphOf({ workflow: saved }, file);
  const value = (await carriedGraph(file)) ?? readJsonFile(file);
  if (!isRecord(value)) throw noWorkflow(file);
  // The editor's format: the server converts it into what it runs.
  if ("nodes" in value && Array.isArray(value.nodes)) return graphOf(await atelier.jobs.convert(value), file);
  return graphOf("workflow" in value ? value : { workflow: value }, file);
}

// A name without an ending that is no file may be that of a saved workflow.
async function savedGraph(atelier: Asked["atelier"], given: string): Promise<Graph | null> {
  if (given === "-" || extname(given) !== "" || existsSync(given)) return null;
  const { folder, name } = splitPath(given);
  const known = await findNamed(atelier, folder, name).catch(() => null);
  return known === null ? null : atelier.workflows.graph(known.id);
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
      hint: "fix it, or export it again",
    });
  }
}

function graphOf(holder: object, file: string): ApiGraph {
  const graph = "workflow" in holder ? holder.workflow : null;
  if (isGraph(graph)) return graph;
  throw noWorkflow(file);
}

const noWorkflow = (file: string): ClientProblem =>
  new ClientProblem("rejected_input", "invalid_workflow", `${file} contains no workflow.`, {
    hint: 'a workflow maps ids to nodes: {"1": {"class_type": "…", "inputs": {…}}, …}; export one from the editor',
  });

const isGraph = (value: unknown): value is ApiGraph => isRecord(value) && Object.values(value).every(isRecord);

// The server explains better what is wrong with a node, and for all nodes at once.
export function submittable(graph: ApiGraph): Graph {
  return Object.fromEntries(
    Object.entries(graph).map(([id, node]) => [id, Object({ ...node, inputs: node.inputs ?? {} })]),
  );
}
