// What the embedded engine can run, as the v2 area asks it. A node that calls a model is also held against the router's
// catalog: a model that is not served is told at submission and not after a wait in the queue.
import { builtInClasses, convertUiGraph, isUiGraph, validateGraph } from "@atelier/engine";
import type { GraphProblem, Graphs, GraphVerdict, PriceGraph, PricePart } from "../../areas/workflows/index.ts";
import { holdBound, type Price } from "../../capabilities/prices/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";

export interface GraphModels {
  // The price of a model that is served now; null when none is.
  priceOf(modelId: string): Price | null;
  // What a call of this workspace costs: nothing under a credential of its own.
  priceFor(modelId: string, workspaceId: WorkspaceId): Price | null | Promise<Price | null>;
}

export function engineGraphs(models: GraphModels): Graphs {
  return {
    isEditorFormat: isUiGraph,
    convert: (workflow) => convertUiGraph(workflow, builtInClasses),
    check(graph) {
      // Names of the caller's uploads were replaced by references before; a name that is left names nothing.
      const { ok, problem, nodeErrors, nodes } = validateGraph(graph, { fileExists: () => false });
      const verdict: GraphVerdict = { ok, problem, nodeErrors, nodes };
      return ok ? withModels(verdict, graph, models) : verdict;
    },
    fileInputs: (classType) => fileInputs.get(classType) ?? [],
  };
}

// Inputs whose values are the caller's own files.
const fileInputs: ReadonlyMap<string, readonly string[]> = new Map(
  [...builtInClasses.values()].map(({ name, inputs }) => [
    name,
    inputs.filter((input) => input.type === "COMBO" && input.options === null).map((input) => input.name),
  ]),
);

interface ModelNode {
  readonly nodeId: string;
  readonly classType: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

function modelNodes(graph: unknown): ModelNode[] {
  if (typeof graph !== "object" || graph === null) return [];
  return Object.entries(graph).flatMap(([nodeId, node]: [string, unknown]) => {
    if (typeof node !== "object" || node === null || !("class_type" in node) || !("inputs" in node)) return [];
    const { class_type: classType, inputs } = node;
    if (typeof classType !== "string" || typeof inputs !== "object" || inputs === null) return [];
    return builtInClasses.get(classType)?.callsModel === true ? [{ nodeId, classType, inputs: { ...inputs } }] : [];
  });
}

function withModels(verdict: GraphVerdict, graph: unknown, models: GraphModels): GraphVerdict {
  const wrong = modelNodes(graph).filter(
    ({ inputs }) => typeof inputs["model"] === "string" && models.priceOf(inputs["model"]) === null,
  );
  if (wrong.length === 0) return verdict;
  const nodeErrors = Object.fromEntries(
    wrong.map(({ nodeId, classType, inputs }) => [
      nodeId,
      { errors: [noSuchModel(String(inputs["model"]))], dependent_outputs: [], class_type: classType },
    ]),
  );
  const problem = {
    type: "prompt_outputs_failed_validation",
    message: "The graph names a model that this server does not run.",
    details: "",
    extra_info: {},
  };
  return { ...verdict, ok: false, problem, nodeErrors };
}

function noSuchModel(model: string): GraphProblem {
  return {
    type: "value_not_in_list",
    message: "There is no such model",
    details: `model: '${model.slice(0, 200)}' is not served here; GET /v1/models lists what is`,
    extra_info: { input_name: "model", received_value: model.slice(0, 200) },
  };
}

// The most that a graph can cost: what its model nodes can cost by the values that stand in the graph, and its run.
export function priceGraph(models: Pick<GraphModels, "priceFor">, runPart: bigint): PriceGraph {
  return async (graph, workspaceId) => {
    const parts: PricePart[] = [];
    for (const { nodeId, inputs } of modelNodes(graph)) {
      const { model } = inputs;
      const price = typeof model === "string" ? await models.priceFor(model, workspaceId) : null;
      const amount = price === null ? 0n : holdBound(price, modelInput(inputs));
      if (amount > 0n) parts.push({ part: nodeId, amount });
    }
    return runPart > 0n ? [...parts, { part: "run", amount: runPart }] : parts;
  };
}

// As the node will ask: its own inputs, and the members of `parameters` over them. What comes through a link is not
// known yet; the call itself holds what it really needs.
function modelInput(inputs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { model: _model, parameters, ...rest } = inputs;
  const literal = Object.entries(rest).filter(([, value]) => typeof value !== "object");
  return { ...Object.fromEntries(literal), ...membersOf(parameters) };
}

function membersOf(parameters: unknown): object {
  if (typeof parameters !== "string") return {};
  try {
    const value: unknown = JSON.parse(parameters);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
