// Decides whether a graph can run, and reports everything that is wrong in one go, per node, in the application's words. It is
// cheap and needs no picture code, so a gateway can call it before a job is recorded.

import { type ApplicationProfile, defaultProfile } from "../application-profile.ts";
import { type NearWords, nearWords, nothingNear } from "../near-word.ts";
import { builtInClassesOf } from "./built-in-classes.ts";
import { type Graph, isLink, isRecord, unwrapped } from "./graph.ts";
import type { GraphProblem, GraphVerdict, NodeProblems } from "./graph-problem.ts";
import type { ClassDescriptions, InputDescription } from "./node-class.ts";
import { cycleProblems, incompleteNode, laterProblem, unknownClass } from "./profile-words.ts";
import {
  badLink,
  type ConstantRules,
  constantProblem,
  fits,
  mismatch,
  missingInput,
  problemOf,
} from "./validate-input.ts";
import { nodeOf, orderFor, reachable, usersOf } from "./walk-graph.ts";

interface ValidateOptions {
  // Default: the profile's built-in classes.
  readonly classes?: ClassDescriptions;
  // Whose wording to use for problems.
  readonly profile?: ApplicationProfile;
  // Default: 10,000.
  readonly nodesMax?: number;
  // Only these output nodes are wanted.
  readonly outputs?: readonly string[];
  // Whether a loader's plain file name exists; not checked if absent. (The caller checks asset references.)
  readonly fileExists?: (name: string) => boolean;
}

const nodesMaxDefault = 10_000;
// A graph may be wrong in ten thousand places; no one would read more than these.
const nodesReportedMax = 100;

export function validateGraph(graph: unknown, options: ValidateOptions = {}): GraphVerdict {
  const { profile = defaultProfile } = options;
  const classes = options.classes ?? builtInClassesOf(profile);
  const refused = shapeProblem(graph, options.nodesMax ?? nodesMaxDefault);
  if (refused) return refusal(refused);
  const shaped = graphOf(graph, profile);
  if (!isGraph(shaped.graph)) return refusal(shaped.problem, shaped.nodeErrors);
  const near = nearWords();
  const unknown = unknownClasses(shaped.graph, classes, near, profile);
  if (unknown) return unknown;
  return judge(shaped.graph, classes, { ...options, near });
}

function refusal(problem: GraphProblem | null, nodeErrors: Record<string, NodeProblems> = {}): GraphVerdict {
  return { ok: false, problem, nodeErrors, outputs: [], nodes: [] };
}

function shapeProblem(graph: unknown, nodesMax: number): GraphProblem | null {
  if (!isRecord(graph)) return problemOf("no_prompt", "No prompt provided", "No prompt provided");
  const count = Object.keys(graph).length;
  if (count === 0) return problemOf("prompt_no_outputs", "Prompt has no outputs", "");
  if (count <= nodesMax) return null;
  return problemOf("graph_too_large", "The graph has too many nodes", `${count} nodes, at most ${nodesMax}`);
}

interface Shaped {
  readonly graph: unknown;
  readonly problem: GraphProblem | null;
  readonly nodeErrors: Record<string, NodeProblems>;
}

function isGraph(graph: unknown): graph is Graph {
  return graph !== null;
}

// Every node must have a class and inputs before anything else can be checked.
function graphOf(graph: unknown, profile: ApplicationProfile): Shaped {
  const nodeErrors: Record<string, NodeProblems> = {};
  for (const [id, node] of isRecord(graph) ? Object.entries(graph) : []) {
    const classType = isRecord(node) ? node["class_type"] : undefined;
    const lacks =
      typeof classType !== "string" ? "class_type" : isRecord(node) && isRecord(node["inputs"]) ? null : "inputs";
    if (lacks === null || Object.keys(nodeErrors).length >= nodesReportedMax) continue;
    const problem = incompleteNode(id, node, lacks, profile);
    nodeErrors[id] = {
      errors: [problem],
      dependent_outputs: [],
      class_type: typeof classType === "string" ? classType : "",
    };
  }
  const first = Object.values(nodeErrors)[0]?.errors[0] ?? null;
  return { graph: first ? null : graph, problem: first, nodeErrors };
}

function unknownClasses(
  graph: Graph,
  classes: ClassDescriptions,
  near: NearWords,
  profile: ApplicationProfile,
): GraphVerdict | null {
  const nodeErrors: Record<string, NodeProblems> = {};
  let count = 0;
  for (const [id, { class_type }] of Object.entries(graph)) {
    if (classes.has(class_type) || count >= nodesReportedMax) continue;
    count++;
    nodeErrors[id] = {
      errors: [unknownClass(graph, id, near.to(class_type, classes), profile)],
      dependent_outputs: [],
      class_type: class_type.slice(0, 200),
    };
  }
  const first = Object.values(nodeErrors)[0]?.errors[0];
  return first ? refusal(first, nodeErrors) : null;
}

interface JudgeOptions extends ValidateOptions {
  readonly near: NearWords;
}

function judge(graph: Graph, classes: ClassDescriptions, options: JudgeOptions): GraphVerdict {
  const wanted = options.outputs ? new Set(options.outputs) : null;
  const outputs = Object.keys(graph).filter((id) => {
    const isOutput = classes.get(nodeOf(graph, id)?.class_type ?? "")?.isOutputNode === true;
    return isOutput && (wanted === null || wanted.has(id));
  });
  if (outputs.length === 0) return refusal(problemOf("prompt_no_outputs", "Prompt has no outputs", ""));
  const { nodes, cycles } = orderFor(graph, outputs);
  const errors = new Map<string, GraphProblem[]>();
  const { fileExists } = options;
  for (const id of nodes) {
    // Problems that are not reported need no suggestion.
    const near = errors.size < nodesReportedMax ? options.near : nothingNear;
    const found = nodeProblems(graph, id, classes, { fileExists, near });
    if (found.length > 0) errors.set(id, found);
  }
  for (const cycle of cycles) {
    for (const [id, problem] of cycleProblems(graph, cycle, options.profile ?? defaultProfile)) {
      errors.set(id, [...(errors.get(id) ?? []), problem]);
    }
  }
  return verdict(graph, outputs, nodes, errors);
}

function verdict(
  graph: Graph,
  outputs: readonly string[],
  nodes: readonly string[],
  errors: ReadonlyMap<string, GraphProblem[]>,
): GraphVerdict {
  const users = usersOf(graph, nodes);
  const spoilt = reachable(errors.keys(), users);
  const good = outputs.filter((id) => !spoilt.has(id));
  const nodeErrors: Record<string, NodeProblems> = {};
  for (const [id, found] of [...errors].slice(0, nodesReportedMax)) {
    const affected = reachable([id], users);
    const dependent_outputs = outputs.filter((output) => affected.has(output));
    nodeErrors[id] = { errors: found, dependent_outputs, class_type: nodeOf(graph, id)?.class_type ?? "" };
  }
  const needed = errors.size === 0 ? nodes : orderFor(graph, good).nodes;
  const problem =
    errors.size === 0 ? null : problemOf("prompt_outputs_failed_validation", "Prompt outputs failed validation", "");
  return { ok: problem === null, problem, nodeErrors, outputs: good, nodes: needed };
}

function nodeProblems(graph: Graph, id: string, classes: ClassDescriptions, rules: ConstantRules): GraphProblem[] {
  const node = nodeOf(graph, id);
  const description = classes.get(node?.class_type ?? "");
  const found = (description?.laterInputs ?? []).flatMap((later) => laterProblem(later, node?.inputs ?? {}) ?? []);
  let unknown: readonly string[] | null = null;
  for (const input of description?.inputs ?? []) {
    const given = Object.hasOwn(node?.inputs ?? {}, input.name) ? node?.inputs[input.name] : undefined;
    const isChosen = chosen(input, node?.inputs ?? {});
    if (isChosen === false) continue;
    const isOptional = input.optional === true && (isChosen === null || input.onlyFor?.mayBeAbsent === true);
    const isAbsent = given === undefined || (given === null && isOptional);
    if (isAbsent) {
      if (isOptional) continue;
      unknown ??= unknownInputs(node?.inputs ?? {}, description?.inputs ?? []);
      found.push(missingInput(input.name, unknown, rules.near));
      continue;
    }
    const problem = Array.isArray(given)
      ? linkProblem(graph, input, given, classes)
      : constantProblem(input, unwrapped(given), rules);
    if (problem) found.push(problem);
  }
  return found;
}

// Whether the choice that an input belongs to was made; null if it belongs to none, or the choice comes over a link.
function chosen({ onlyFor }: InputDescription, given: Readonly<Record<string, unknown>>): boolean | null {
  if (!onlyFor) return null;
  const choice = Object.hasOwn(given, onlyFor.input) ? unwrapped(given[onlyFor.input]) : undefined;
  if (Array.isArray(choice)) return null;
  return typeof choice === "string" && onlyFor.choices.includes(choice);
}

function unknownInputs(given: Readonly<Record<string, unknown>>, described: readonly InputDescription[]): string[] {
  const known = new Set(described.map(({ name }) => name));
  return Object.keys(given).filter((name) => !known.has(name));
}

function linkProblem(
  graph: Graph,
  input: InputDescription,
  given: readonly unknown[],
  classes: ClassDescriptions,
): GraphProblem | null {
  if (!isLink(given)) return badLink(input, "must be a length-2 list of [node_id, slot_index]", given);
  const [source, index] = given;
  const node = nodeOf(graph, source);
  if (!node) return badLink(input, `there is no node '${source.slice(0, 100)}'`, given);
  const output = classes.get(node.class_type)?.outputs[index];
  if (!output) return badLink(input, `node '${source.slice(0, 100)}' has no output ${index}`, given);
  return fits(output.type, input) ? null : mismatch(input, output.type, given);
}
