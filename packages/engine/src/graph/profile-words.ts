// What the application's versions word differently: a missing class, and nodes that wait for each other.
import type { ApplicationProfile } from "../application-profile.ts";
import { type Graph, isRecord, unwrapped } from "./graph.ts";
import type { GraphProblem } from "./graph-problem.ts";
import { problemOf } from "./validate-input.ts";
import { nodeOf } from "./walk-graph.ts";

const wordsMax = 200;
const shownMax = 100;

const titleOf = (node: unknown): string | null => {
  const meta = isRecord(node) ? node["_meta"] : undefined;
  const title = isRecord(meta) ? meta["title"] : undefined;
  return typeof title === "string" ? title.slice(0, wordsMax) : null;
};

// `meant`: an existing class with nearly the same name.
export function unknownClass(
  graph: Graph,
  id: string,
  meant: string | null,
  profile: ApplicationProfile,
): GraphProblem {
  const classType = (nodeOf(graph, id)?.class_type ?? "").slice(0, wordsMax);
  const suggestion = meant === null ? "" : ` Did you mean ${meant}?`;
  const extra = { unknown_class: classType, ...(meant === null ? {} : { did_you_mean: meant }) };
  const details = `Node ID '#${id}'`;
  if (profile === "0.7") {
    const message = `Cannot execute because node ${classType} does not exist.${suggestion}`;
    return problemOf("invalid_prompt", message, details, extra);
  }
  const title = titleOf(nodeOf(graph, id)) ?? classType;
  const message = `Node '${title}' not found. The custom node may not be installed.${suggestion}`;
  const of = { node_id: id, class_type: classType, node_title: title };
  return problemOf("missing_node_type", message, details, { ...of, ...extra });
}

export function incompleteNode(
  id: string,
  node: unknown,
  lacks: "class_type" | "inputs",
  profile: ApplicationProfile,
): GraphProblem {
  const details = `Node ID '#${id}'`;
  if (profile === "0.7" || lacks === "inputs") {
    return problemOf("invalid_prompt", `Cannot execute because a node is missing the ${lacks} property.`, details);
  }
  const title = titleOf(node);
  const message = `Node '${title ?? `ID #${id}`}' has no class_type. The workflow may be corrupted or a custom node is missing.`;
  return problemOf("missing_node_type", message, details, { node_id: id, class_type: null, node_title: title });
}

// `null` if the input is absent, or changes nothing.
export function laterProblem(
  { name, harmless }: { readonly name: string; readonly harmless: unknown },
  given: Readonly<Record<string, unknown>>,
): GraphProblem | null {
  const value = Object.hasOwn(given, name) ? unwrapped(given[name]) : undefined;
  if (value === undefined || value === null || value === harmless) return null;
  const details = `${name} - Only version 0.30 of the application has it; this server follows 0.7 (ATELIER_APPLICATION_PROFILE)`;
  return problemOf("custom_validation_failed", "Custom validation failed for node", details, { input_name: name });
}

// The nodes that get an error about a cycle, and its text: the first of them, or in newer versions all.
export function cycleProblems(
  graph: Graph,
  cycle: readonly string[],
  profile: ApplicationProfile,
): [id: string, problem: GraphProblem][] {
  const message = "Dependency cycle detected";
  const [first = ""] = cycle;
  const nodes = cycle.slice(0, shownMax);
  if (profile === "0.7") {
    return [[first, problemOf("dependency_cycle", message, cycle.slice(0, 20).join(" → "), { nodes })]];
  }
  const path = [...cycle.slice(0, 20), first]
    .map((id) => `${id} (${nodeOf(graph, id)?.class_type ?? ""})`)
    .join(" -> ");
  return nodes.map((id) => [id, problemOf("dependency_cycle", message, path, { node_id: id, cycle_nodes: nodes })]);
}
