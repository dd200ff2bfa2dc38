// Reports what is wrong with a graph to its author. Every invalid node is named, up to a limit. Spec, v2: a graph runs whole or
// not at all. The message is also logged, so refused values appear only in the details; names of classes, inputs and choices
// appear in both.
import { limits } from "@atelier/contract";
import type { GraphProblem, Graphs, GraphVerdict, NodeProblems } from "../../../capabilities/graphs/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { isRecord, type JsonRecord, memberOf } from "../../../foundation/json/json-record.ts";

export function invalidGraph(
  { problem, nodeErrors }: Pick<GraphVerdict, "problem" | "nodeErrors">,
  graph: JsonRecord,
  graphs: Pick<Graphs, "fileInputs" | "wayOn">,
): Fault {
  const errors = Object.entries(nodeErrors);
  const shown = errors
    .slice(0, limits.validationEntriesMax)
    .map(([id, problems]): [string, NodeProblems] => [id, withFileHints(graph, id, problems, graphs)]);
  const [first] = shown;
  const whole = `The workflow cannot run: ${problem?.message ?? "it is not valid"}.`;
  const more = errors.length > 1 ? ` ${errors.length} nodes have problems.` : "";
  const message =
    first === undefined ? whole : `Node ${first[0].slice(0, 64)} cannot run: ${headline(first[1].errors[0])}${more}`;
  const unknown = unknownClasses(shown.map(([, problems]) => problems));
  return new Fault("validation_failed", `${message.replaceAll("..", ".")}${wayOnFor(unknown, graphs)}`, {
    details: {
      node_errors: Object.fromEntries(shown),
      ...(unknown.length === 0 ? {} : { unknown_classes: unknown }),
      ...(problem ? { problem } : {}),
    },
  });
}

function unknownClasses(nodes: readonly NodeProblems[]): string[] {
  const names = nodes.flatMap(({ errors }) => errors.map(({ extra_info }) => memberOf(extra_info, "unknown_class")));
  return [...new Set(names.filter((name) => typeof name === "string"))];
}

const namesInMessageMax = 5;

// Names the unknown classes and where they would run. Graphs from an editor mostly fail because of this.
export function wayOnFor(unknown: readonly string[], graphs: Pick<Graphs, "wayOn">): string {
  if (unknown.length === 0) return "";
  const named = unknown.slice(0, namesInMessageMax).map((name) => name.slice(0, 100));
  const rest = unknown.length > named.length ? ` and ${unknown.length - named.length} more` : "";
  const ways = graphs.wayOn?.(unknown) ?? "";
  return ` Unknown node classes: ${named.join(", ")}${rest}.${ways === "" ? "" : ` ${ways}`}`;
}

// The application's message, with the input and other details it is about.
function headline(problem: GraphProblem | undefined): string {
  if (problem === undefined) return "it is not valid.";
  const { message, extra_info: extra } = problem;
  const detail = (name: string) => {
    const value = memberOf(extra, name);
    return typeof value === "string" ? value.slice(0, 100) : null;
  };
  const [input, meant, given] = [detail("input_name"), detail("did_you_mean"), detail("given_name")];
  const about = input === null ? message : `${message}: ${input}`;
  const sentence = /[.?]$/.test(about) ? about : `${about}.`;
  if (given !== null) return `${sentence} Did you misspell it as "${given}"?`;
  if (detail("how_to_pass") !== null) return `${sentence} Upload the file and reference it; see details.`;
  return meant === null || message.includes(meant) ? sentence : `${sentence} Did you mean "${meant}"?`;
}

// A plain name works if a file was uploaded under it; most authors who write one have the file on their own disk.
function withFileHints(
  graph: JsonRecord,
  nodeId: string,
  problems: NodeProblems,
  graphs: Pick<Graphs, "fileInputs">,
): NodeProblems {
  const isFileProblem = ({ type, extra_info }: GraphProblem) => {
    const input = memberOf(extra_info, "input_name");
    const isOfFile = type === "custom_validation_failed" && typeof input === "string";
    return isOfFile && graphs.fileInputs(problems.class_type).includes(input);
  };
  if (!problems.errors.some(isFileProblem)) return problems;
  return {
    ...problems,
    errors: problems.errors.map((each) => (isFileProblem(each) ? hinted(graph, nodeId, each) : each)),
  };
}

function hinted(graph: JsonRecord, nodeId: string, problem: GraphProblem): GraphProblem {
  const input = String(problem.extra_info["input_name"]);
  const node = memberOf(graph, nodeId);
  const inputs = isRecord(node) ? memberOf(node, "inputs") : undefined;
  const value = isRecord(inputs) ? memberOf(inputs, input) : undefined;
  const how =
    `There is no such asset. Upload the file with POST /api/v2/assets and give its path, or ` +
    `{"__type": "core/ASSET", "info": {"id": "<the asset's id>"}}. The command line does both: atelier run <workflow> ` +
    `-i ${assignment(nodeId, input, value)}`;
  const extra_info = { ...problem.extra_info, how_to_pass: how };
  return { ...problem, details: `${problem.details}. ${how}`, extra_info };
}

function assignment(nodeId: string, input: string, value: unknown): string {
  const [name = ""] = /[^/\\]*$/.exec(typeof value === "string" ? value.slice(0, 200) : "") ?? [];
  const text = `${nodeId.slice(0, 64)}.${input}=@${name === "" ? "<file>" : name}`;
  return /^[\w.=@<>-]+$/.test(text) ? text : `'${text.replaceAll("'", "")}'`;
}
