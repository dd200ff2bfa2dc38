// Judges whether an application can run a graph, as far as its class descriptions tell. The application has the last word
// when the graph is submitted to it.
import { type GraphProblem, type GraphVerdict, type NodeProblems, notInList, validateGraph } from "@atelier/engine";
import { type NearWords, nearWords } from "@atelier/engine/near-word";
import { isModelFile } from "../../jobs/index.ts";
import { isRecord, type JsonRecord, memberOf } from "../line/json-record.ts";
import type { ApplicationClasses } from "./application-classes.ts";

export interface JudgeOptions {
  // Whether a graph may name files in the application's own folders. Asset references are not checked here.
  readonly allowsApplicationFiles: boolean;
}

export function judgeGraph(graph: unknown, classes: ApplicationClasses, options: JudgeOptions): GraphVerdict {
  const fileExists = options.allowsApplicationFiles ? knownFiles(classes) : () => false;
  const verdict = validateGraph(graph, { classes: classes.judged, fileExists });
  if (!verdict.ok || !isRecord(graph)) return verdict;
  const near = nearWords();
  const mismatched = verdict.nodes.flatMap((id) => [
    ...mismatches(graph, id, classes),
    ...missingModels(graph, id, classes, near),
  ]);
  if (mismatched.length === 0) return verdict;
  return {
    ...verdict,
    ok: false,
    problem: {
      type: "prompt_outputs_failed_validation",
      message: "Prompt outputs failed validation",
      details: "",
      extra_info: {},
    },
    nodeErrors: byNode(mismatched),
  };
}

// Only the application can look up names with a folder; plain names are in the loaders' lists.
function knownFiles(classes: ApplicationClasses): (name: string) => boolean {
  const inputs = [...classes.fileInputs.values()].flat();
  return (name) => {
    const plain = name.endsWith(" [input]") ? name.slice(0, -" [input]".length) : name;
    return / \[(output|temp)\]$/.test(name) || plain.includes("/") || inputs.some(({ listed }) => listed.has(plain));
  };
}

interface Mismatch {
  readonly nodeId: string;
  readonly classType: string;
  readonly problem: GraphProblem;
}

// Checks types that the engine does not know and therefore let through.
function mismatches(graph: JsonRecord, nodeId: string, classes: ApplicationClasses): Mismatch[] {
  const node = memberOf(graph, nodeId);
  const [classType, inputs] = isRecord(node) ? [memberOf(node, "class_type"), memberOf(node, "inputs")] : [];
  if (typeof classType !== "string" || !isRecord(inputs)) return [];
  const wanted = classes.sockets.get(classType)?.inputs;
  return Object.entries(inputs).flatMap(([input, value]) => {
    const type = wanted?.get(input);
    const received = typeOfLink(graph, value, classes);
    if (type === undefined || received === null || fitsSocket(received, type)) return [];
    return [{ nodeId, classType, problem: mismatch(input, received, type, value) }];
  });
}

// Checks model files in lists that judge nothing else.
function missingModels(graph: JsonRecord, nodeId: string, classes: ApplicationClasses, near: NearWords): Mismatch[] {
  const node = memberOf(graph, nodeId);
  const [classType, inputs] = isRecord(node) ? [memberOf(node, "class_type"), memberOf(node, "inputs")] : [];
  if (typeof classType !== "string" || !isRecord(inputs)) return [];
  return (classes.modelInputs.get(classType) ?? []).flatMap(({ name, listed }) => {
    const value = memberOf(inputs, name);
    if (typeof value !== "string" || !isModelFile(value) || listed.includes(value)) return [];
    return [{ nodeId, classType, problem: notInList({ name, options: listed }, value, near) }];
  });
}

function typeOfLink(graph: JsonRecord, value: unknown, classes: ApplicationClasses): string | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [source, slot]: readonly unknown[] = value;
  const node = typeof source === "string" ? memberOf(graph, source) : undefined;
  const classType = isRecord(node) ? memberOf(node, "class_type") : undefined;
  if (typeof classType !== "string" || typeof slot !== "number") return null;
  return classes.sockets.get(classType)?.outputs[slot] ?? null;
}

// A type may be several ("INT,FLOAT"); one in common is enough. Computed types fit everything.
function fitsSocket(received: string, wanted: string): boolean {
  const [given, asked] = [received, wanted].map((type) => type.split(",").map((each) => each.trim()));
  const isOpen = (types: readonly string[] = []) => types.some((each) => each === "*" || each.startsWith("COMFY_"));
  return isOpen(given) || isOpen(asked) || (given ?? []).some((each) => asked?.includes(each));
}

function mismatch(input: string, received: string, wanted: string, link: unknown): GraphProblem {
  return {
    type: "return_type_mismatch",
    message: "Return type mismatch between linked nodes",
    details: `${input}, received_type(${received}) mismatch input_type(${wanted})`,
    extra_info: { input_name: input, received_type: received, linked_node: link },
  };
}

const nodesReportedMax = 100;

function byNode(mismatched: readonly Mismatch[]): Record<string, NodeProblems> {
  const nodes = [...Map.groupBy(mismatched, ({ nodeId }) => nodeId)].slice(0, nodesReportedMax);
  return Object.fromEntries(
    nodes.map(([nodeId, found]): [string, NodeProblems] => [
      nodeId,
      {
        errors: found.map(({ problem }) => problem),
        dependent_outputs: [],
        class_type: found[0]?.classType ?? "",
      },
    ]),
  );
}
