// Which graphs the embedded engine can run. Nodes that call a model are also checked against the router's catalog, so an
// unavailable model is reported at submission and not after a wait in the queue.
import {
  type ApplicationProfile,
  builtInClasses,
  builtInClassesOf,
  builtInEditorClassesOf,
  conversionOf,
  describeClasses,
  isUiGraph,
  validateGraph,
} from "@atelier/engine";
import { type NearWords, nearWords } from "@atelier/engine/near-word";
import type { DescribedClasses, GraphProblem, Graphs, GraphVerdict } from "./graphs.ts";
import type { GraphModels } from "./price-graph.ts";

type ServedModels = Pick<GraphModels, "priceOf" | "served">;

export function engineGraphs(models: ServedModels, profile: ApplicationProfile): Graphs {
  const [known, inEditor] = [classesOf(profile), builtInEditorClassesOf(profile)];
  return {
    isEditorFormat: isUiGraph,
    convert: (workflow) => conversionOf(workflow, inEditor),
    check(graph) {
      // Names of the caller's uploads have already been replaced by references, so any remaining name refers to nothing.
      const { ok, problem, nodeErrors, nodes } = validateGraph(graph, { profile, fileExists: () => false });
      const verdict: GraphVerdict = { ok, problem, nodeErrors, nodes };
      return ok ? withModels(verdict, graph, models) : verdict;
    },
    classes: () => known,
    fileInputs: (classType) => fileInputs.get(classType) ?? [],
    wayOn: () => waysBesideEngine,
  };
}

const waysBesideEngine =
  "The built-in engine runs classes that need no model weights (GET /api/v2/node-classes lists them). An application brings " +
  "the others: connect a worker beside it (docs/WORKERS.md), or run the graph on a proxy in front of it (docs/SELF-HOSTED.md).";

const inEngine = { engine: true, pools: [], application: false };
const classesOf = (profile: ApplicationProfile): DescribedClasses => ({
  descriptions: new Map(Object.entries(describeClasses(builtInClassesOf(profile), [], { isExact: true }))),
  locationOf: () => inEngine,
});

// Inputs whose values are the caller's files.
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

function withModels(verdict: GraphVerdict, graph: unknown, models: ServedModels): GraphVerdict {
  const wrong = modelNodes(graph).filter(
    ({ inputs }) => typeof inputs["model"] === "string" && models.priceOf(inputs["model"]) === null,
  );
  if (wrong.length === 0) return verdict;
  const [near, known] = [nearWords(), models.served().map(({ id }) => id)];
  const nodeErrors = Object.fromEntries(
    wrong.map(({ nodeId, classType, inputs }) => [
      nodeId,
      { errors: [noSuchModel(String(inputs["model"]), near, known)], dependent_outputs: [], class_type: classType },
    ]),
  );
  const problem = {
    type: "prompt_outputs_failed_validation",
    message: "The graph uses a model that this server does not serve.",
    details: "",
    extra_info: {},
  };
  return { ...verdict, ok: false, problem, nodeErrors };
}

function noSuchModel(model: string, near: NearWords, known: readonly string[]): GraphProblem {
  const meant = near.to(model, known);
  const suggestion = meant === null ? "" : `. Did you mean '${meant}'?`;
  return {
    type: "value_not_in_list",
    message: "There is no such model",
    details: `model: '${model.slice(0, 200)}' is not served here; GET /v1/models lists what is${suggestion}`,
    extra_info: {
      input_name: "model",
      received_value: model.slice(0, 200),
      ...(meant === null ? {} : { did_you_mean: meant }),
    },
  };
}
