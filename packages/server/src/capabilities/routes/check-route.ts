// Whether a route can work: its targets exist, make the same kind of output, and get what they require. Pure. Each problem names
// its place, so that an editor can point at it.
import type { RouteInputs, RouteTarget } from "@atelier/contract";
import { isRecord } from "../../foundation/json/json-record.ts";
import { isRouteId, isWorkId, routeIdOf } from "../providers/index.ts";
import { renamed } from "./map-input.ts";
import type { RouteDefinition } from "./model-route.ts";

export interface RouteProblem {
  // A JSON pointer into the route.
  readonly path: string;
  readonly message: string;
  readonly type:
    | "circle"
    | "nested_route"
    | "unknown_target"
    | "repeated_target"
    | "mixed_outputs"
    | "unknown_input"
    | "lost_input"
    | "first_target_mapped";
}

// What we need to know about a model.
export interface TargetModel {
  readonly definition: {
    readonly kind?: string;
    readonly output_types?: readonly string[];
    readonly input_schema: Readonly<Record<string, unknown>> | null;
    readonly submit: { readonly model_member?: { readonly name: string } };
  };
}

type Find = (modelId: string) => TargetModel | null;

export function checkRoute(name: string, { targets }: RouteDefinition, find: Find): readonly RouteProblem[] {
  const problems = targets.flatMap((target, at) => targetProblems(name, targets, target, at, find));
  const [first] = targets;
  const base = first ? find(first.model) : null;
  if (problems.length > 0 || !first || base === null) return problems;
  return [
    ...firstProblems(first, base),
    ...targets.slice(1).flatMap((target, index) => {
      const model = find(target.model);
      const path = `/targets/${index + 1}`;
      return model ? [...outputProblems(base, model, path), ...inputProblems(base, model, target.inputs, path)] : [];
    }),
  ];
}

function targetProblems(
  name: string,
  targets: readonly RouteTarget[],
  { model, credential }: RouteTarget,
  at: number,
  find: Find,
): RouteProblem[] {
  const path = `/targets/${at}/model`;
  if (model === routeIdOf(name)) return [{ path, type: "circle", message: "is this route itself" }];
  if (isRouteId(model))
    return [{ path, type: "nested_route", message: "is a route; list the models that it stands for" }];
  if (isWorkId(model))
    return [{ path, type: "unknown_target", message: "is a work; only providers' models can be targets" }];
  if (find(model) === null)
    return [{ path, type: "unknown_target", message: "is not a model that can be called here" }];
  const isRepeated = targets.slice(0, at).some((other) => other.model === model && other.credential === credential);
  return isRepeated
    ? [{ path, type: "repeated_target", message: "is a target already, with the same credential" }]
    : [];
}

// The route takes the first target's inputs, so only constants make sense there.
function firstProblems({ inputs = {} }: RouteTarget, base: TargetModel): RouteProblem[] {
  const path = "/targets/0/inputs";
  const mapped = (["rename", "drop", "choices"] as const).filter((member) => inputs[member] !== undefined);
  return [
    ...mapped.map((member) => ({
      path: `${path}/${member}`,
      type: "first_target_mapped" as const,
      message: "cannot be used on the first target, because the route takes its inputs as they are",
    })),
    ...constantProblems(inputs, shapeOf(base), path),
  ];
}

function outputProblems(base: TargetModel, model: TargetModel, path: string): RouteProblem[] {
  const [one, other] = [base.definition, model.definition];
  const isOtherKind = one.kind !== undefined && other.kind !== undefined && one.kind !== other.kind;
  const isRaw = ({ output_types: types = [] }: TargetModel["definition"]) => types.length > 0;
  if (!isOtherKind && isRaw(one) === isRaw(other)) return [];
  const made = (given: TargetModel["definition"]) => `${given.kind ?? "other"}, as ${isRaw(given) ? "bytes" : "JSON"}`;
  const message = `makes another kind of output (${made(other)}) than the first target (${made(one)})`;
  return [{ path: `${path}/model`, type: "mixed_outputs", message }];
}

function inputProblems(base: TargetModel, model: TargetModel, inputs: RouteInputs = {}, path: string): RouteProblem[] {
  const [from, to] = [shapeOf(base), shapeOf(model)];
  const at = `${path}/inputs`;
  const named = [
    ...Object.keys(inputs.rename ?? {}).map((name) => ({ name, path: `${at}/rename/${name}` })),
    ...(inputs.drop ?? []).map((name, index) => ({ name, path: `${at}/drop/${index}` })),
    ...Object.keys(inputs.choices ?? {}).map((name) => ({ name, path: `${at}/choices/${name}` })),
  ];
  const strange = named.filter(({ name }) => from.isClosed && !from.names.has(name));
  const silent = base.definition.submit.model_member?.name;
  const kept = [...from.names].filter((name) => name !== silent && !inputs.drop?.includes(name));
  const unknown = kept.filter((name) => to.isClosed && !to.names.has(renamed(inputs, name)));
  const given = new Set([...kept.map((name) => renamed(inputs, name)), ...Object.keys(inputs.constants ?? {})]);
  const lost = from.isKnown ? [...to.required].filter((name) => !given.has(name)) : [];
  return [
    ...strange.map(({ path: where }) => ({
      path: where,
      type: "unknown_input" as const,
      message: "is not an input of the first target",
    })),
    ...unknown.map((name) => ({
      path: at,
      type: "unknown_input" as const,
      message: `the target has no input ${renamed(inputs, name)}: rename ${name}, or list it under drop`,
    })),
    ...lost.map((name) => ({
      path: at,
      type: "lost_input" as const,
      message: `the target requires ${name}, which no input of the route becomes: rename one, or add a constant`,
    })),
    ...constantProblems(inputs, to, at),
  ];
}

function constantProblems({ constants = {} }: RouteInputs, shape: InputShape, path: string): RouteProblem[] {
  return Object.keys(constants)
    .filter((name) => shape.isClosed && !shape.names.has(name))
    .map((name) => ({
      path: `${path}/constants/${name}`,
      type: "unknown_input" as const,
      message: "is not an input of the target",
    }));
}

interface InputShape {
  readonly isKnown: boolean;
  readonly isClosed: boolean;
  readonly names: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
}

// A schema that combines others may accept more than its own members show.
function shapeOf({ definition: { input_schema: schema } }: TargetModel): InputShape {
  const properties = schema?.["properties"];
  const isCombined = ["allOf", "anyOf", "oneOf", "$ref"].some((word) => schema?.[word] !== undefined);
  const isKnown = isRecord(properties) && !isCombined;
  const required = schema?.["required"];
  return {
    isKnown,
    isClosed: isKnown && schema?.["additionalProperties"] === false,
    names: new Set(isRecord(properties) ? Object.keys(properties) : []),
    required: new Set(
      Array.isArray(required) ? required.filter((name): name is string => typeof name === "string") : [],
    ),
  };
}
