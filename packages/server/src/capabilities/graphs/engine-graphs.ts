// Which graphs the embedded engine can run. Nodes that call a model are also checked against the router's catalog, so an
// unavailable model is reported at submission and not after a wait in the queue.

import type { Badge } from "@atelier/contract";
import {
  type ApplicationProfile,
  builtInSet,
  type ClassSet,
  conversionOf,
  describeClasses,
  editorClassesOf,
  isUiGraph,
  validateGraph,
} from "@atelier/engine";
import { type NearWords, nearWords } from "@atelier/engine/near-word";
import type { DescribedClasses, GraphProblem, Graphs, GraphVerdict } from "./graphs.ts";
import { modelsOfNode } from "./price-declared.ts";
import type { GraphModels } from "./price-graph.ts";

interface ServedModels extends Pick<GraphModels, "priceOf" | "served"> {
  // The engine's classes if absent.
  readonly classes?: ClassSet;
  // What declared classes show as their price, by name; the same object while no price changes.
  badges?(): ReadonlyMap<string, Badge>;
}

export function engineGraphs(models: ServedModels, profile: ApplicationProfile): Graphs {
  const { classes = builtInSet } = models;
  const [known, inEditor] = [classesOf(models, classes, profile), editorClassesOf(classes.of(profile))];
  const fileInputs = fileInputsOf(classes);
  return {
    isEditorFormat: isUiGraph,
    convert: (workflow) => conversionOf(workflow, inEditor),
    check(graph) {
      // Names of the caller's uploads have already been replaced by references, so any remaining name refers to nothing.
      const { ok, problem, nodeErrors, nodes } = validateGraph(graph, {
        profile,
        classes: classes.of(profile),
        fileExists: () => false,
      });
      const verdict: GraphVerdict = { ok, problem, nodeErrors, nodes };
      return ok ? withModels(verdict, graph, { ...models, classes }) : verdict;
    },
    classes: known,
    fileInputs: (classType) => fileInputs.get(classType) ?? [],
    wayOn: () => waysBesideEngine,
  };
}

const waysBesideEngine =
  "The built-in engine runs classes that need no model weights (GET /api/v2/node-classes lists them). An application brings " +
  "the others: connect a worker beside it (docs/WORKERS.md), or run the graph on a proxy in front of it (docs/SELF-HOSTED.md).";

const inEngine = { engine: true, pools: [], application: false };
const noBadges: ReadonlyMap<string, Badge> = new Map();

// Made again only when a price changed.
function classesOf(models: ServedModels, classes: ClassSet, profile: ApplicationProfile): () => DescribedClasses {
  const plain = Object.entries(describeClasses(classes.of(profile), [], { isExact: true }));
  let made: { readonly of: ReadonlyMap<string, Badge>; readonly described: DescribedClasses } | null = null;
  return () => {
    const badges = models.badges?.() ?? noBadges;
    if (made?.of === badges) return made.described;
    const entries = plain.map(([name, entry]): [string, unknown] => {
      const badge = badges.get(name);
      return [name, badge === undefined ? entry : { ...entry, price_badge: badge }];
    });
    made = { of: badges, described: { descriptions: new Map(entries), locationOf: () => inEngine } };
    return made.described;
  };
}

// Inputs whose values are the caller's files.
function fileInputsOf(classes: ClassSet): ReadonlyMap<string, readonly string[]> {
  return new Map(
    classes.names.map((name) => [
      name,
      (classes.get(name)?.inputs ?? [])
        .filter((input) => input.type === "COMBO" && input.options === null)
        .map((input) => input.name),
    ]),
  );
}

interface ModelNode {
  readonly nodeId: string;
  readonly classType: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

function modelNodes(graph: unknown, classes: ClassSet): ModelNode[] {
  if (typeof graph !== "object" || graph === null) return [];
  return Object.entries(graph).flatMap(([nodeId, node]: [string, unknown]) => {
    if (typeof node !== "object" || node === null || !("class_type" in node) || !("inputs" in node)) return [];
    const { class_type: classType, inputs } = node;
    if (typeof classType !== "string" || typeof inputs !== "object" || inputs === null) return [];
    return classes.get(classType)?.callsModel === true ? [{ nodeId, classType, inputs: { ...inputs } }] : [];
  });
}

type ServedModelsAndClasses = ServedModels & { readonly classes: ClassSet };

function withModels(verdict: GraphVerdict, graph: unknown, models: ServedModelsAndClasses): GraphVerdict {
  const [near, known] = [nearWords(), () => models.served().map(({ id }) => id)];
  const wrong = modelNodes(graph, models.classes).flatMap(({ nodeId, classType, inputs }) => {
    const declaration = models.classes.declaration(classType);
    const asked = declaration ? modelsOfNode(declaration, inputs) : [inputs["model"]];
    const missing = asked.filter(
      (model): model is string => typeof model === "string" && models.priceOf(model) === null,
    );
    const isUncallable = declaration !== undefined && asked.length === 0;
    if (!isUncallable && (missing.length === 0 || missing.length < asked.length)) return [];
    const errors = declaration
      ? [isUncallable ? noCallFits(declaration.name) : notServed(declaration.name, missing)]
      : missing.map((model) => noSuchModel(model, near, known()));
    return [[nodeId, { errors, dependent_outputs: [], class_type: classType }] as const];
  });
  if (wrong.length === 0) return verdict;
  const nodeErrors = Object.fromEntries(wrong);
  const problem = {
    type: "prompt_outputs_failed_validation",
    message: "The graph uses a model that this server does not serve.",
    details: "",
    extra_info: {},
  };
  return { ...verdict, ok: false, problem, nodeErrors };
}

function noCallFits(name: string): GraphProblem {
  return {
    type: "no_call_fits",
    message: "No model can be called with these values",
    details: `${name} is not declared for this combination of inputs`,
    extra_info: {},
  };
}

function notServed(name: string, models: readonly string[]): GraphProblem {
  const [provider = ""] = models[0]?.split("/") ?? [];
  return {
    type: "model_not_served",
    message: "The model behind this class is not served here",
    details: `${name} calls ${models.join(" or ")}. The server needs a credential for ${provider}, or the workspace its own`,
    extra_info: { models, provider },
  };
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
