// The models that one prompt is enough for, grouped by what they make, and the one to begin with.
import type { AccountModel } from "@atelier/sdk";
import { isRecord } from "../../api/json-record.ts";
import type { Schema } from "../../api/json-schema.ts";
import type { Input } from "../../api/model-calls/model-run.ts";
import { type ModelKind, modelKinds } from "../../api/model-document.ts";

export interface PromptModel extends AccountModel {
  readonly prompt_input: string;
  readonly kind: ModelKind;
}

export function promptModels(models: readonly AccountModel[]): readonly PromptModel[] {
  return models.flatMap((model) =>
    model.prompt_input === null ? [] : [{ ...model, prompt_input: model.prompt_input, kind: model.kind ?? "other" }],
  );
}

export function byKind(models: readonly PromptModel[]): readonly (readonly [ModelKind, readonly PromptModel[]])[] {
  return modelKinds
    .map((kind) => [kind, models.filter((model) => model.kind === kind)] as const)
    .filter(([, found]) => found.length > 0);
}

// The one that was used last; otherwise a picture that costs nothing, then any picture.
export function firstModel(models: readonly PromptModel[], last: unknown): PromptModel | null {
  const pictures = models.filter(({ kind }) => kind === "image");
  return (
    models.find(({ id }) => id === last) ??
    pictures.find(({ price }) => price === "0") ??
    pictures[0] ??
    models[0] ??
    null
  );
}

const seedMax = 2_147_483_647;

// A seed of ours instead of the model's own, so that the page knows it. Nothing if the model takes none.
export function seedFor(schema: Schema | undefined, random: () => number = Math.random): Input {
  const properties = isRecord(schema?.["properties"]) ? schema["properties"] : {};
  const { seed } = properties;
  if (!isRecord(seed) || seed["type"] !== "integer") return {};
  const bound = (name: string, otherwise: number) => {
    const given = seed[name];
    return typeof given === "number" ? Math.min(Math.max(given, 0), seedMax) : otherwise;
  };
  const [least, most] = [bound("minimum", 0), bound("maximum", seedMax)];
  return { seed: least + Math.floor(random() * (most - least + 1)) };
}
