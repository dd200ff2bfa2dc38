// What a template needs that is not here: classes, weights, models of providers without a credential. A template that needs
// nothing runs, once a person gave it its files.
import { isRecord } from "../../foundation/json/json-record.ts";
import { baseName, isWeights, type TemplateFacts } from "./template-facts.ts";

export interface ServedHere {
  hasClass(name: string): boolean;
  // Whether any class offers these weights.
  hasWeights(name: string): boolean;
  // The models that a class may call. Empty: it calls none.
  modelsOf(className: string): readonly string[];
  canCall(modelId: string): boolean;
}

export interface Needs {
  readonly classes: readonly string[];
  readonly weights: readonly string[];
  readonly providers: readonly string[];
}

export function needsOf({ classes, weights }: TemplateFacts, here: ServedHere): Needs {
  const providers = classes.flatMap((name) => {
    const models = here.modelsOf(name);
    return models.some((id) => here.canCall(id)) ? [] : models.slice(0, 1).map((id) => id.split("/")[0] ?? id);
  });
  return {
    classes: classes.filter((name) => !here.hasClass(name)),
    weights: weights.filter((name) => !here.hasWeights(name)),
    providers: [...new Set(providers)].sort(),
  };
}

// The classes in the format of an application's object_info, where the weights of a loader are its choices.
export interface DescribedHere {
  readonly descriptions: ReadonlyMap<string, unknown>;
}

// The same object while nothing has changed, so its weights are collected once.
const weightsIn = new WeakMap<DescribedHere, ReadonlySet<string>>();

export function servedHere(described: DescribedHere, models: Pick<ServedHere, "modelsOf" | "canCall">): ServedHere {
  const weights = weightsIn.get(described) ?? collectWeights(described);
  weightsIn.set(described, weights);
  return {
    ...models,
    hasClass: (name) => described.descriptions.has(name),
    hasWeights: (name) => weights.has(name),
  };
}

function collectWeights({ descriptions }: DescribedHere): ReadonlySet<string> {
  const found = new Set<string>();
  const collect = (value: unknown, depth: number): void => {
    if (typeof value === "string") {
      if (isWeights(value)) found.add(baseName(value));
    } else if (typeof value === "object" && value !== null && depth < 8)
      for (const item of Object.values(value)) collect(item, depth + 1);
  };
  for (const description of descriptions.values()) if (isRecord(description)) collect(description["input"], 0);
  return found;
}
