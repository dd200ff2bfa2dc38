// Stand-ins of partners for trying without a key: the shipped definitions led to the sandbox, which answers what the providers'
// documentation shows, with its own pictures, films and sounds. Prices and schemas are the real ones.
import { join } from "node:path";
import type { ClassSet, DeclaredOutput } from "@atelier/engine";
import type { StandInAnswer, StandInMedia, StandInModel } from "@atelier/sandbox/beside";
import { readJsonFile } from "../../foundation/json/json-file.ts";
import { fixturesBeside, shippedDefinition, shippedFolder, shippedNames } from "../model-calls/index.ts";
import { type ModelDefinition, type ProviderDefinition, valueAt } from "../providers/index.ts";
import { type FixtureCase, readFixtures } from "./fixtures.ts";

export interface StandIns {
  readonly models: readonly StandInModel[];
  // The definitions, led to a sandbox at this address.
  definitionsAt(url: string, credential: ProviderDefinition["credential"]): ProviderDefinition[];
}

// Of shipped providers for which the server has no credential.
export async function standInsOf(classes: ClassSet, hasSetting: (setting: string) => boolean): Promise<StandIns> {
  const providers: ProviderDefinition[] = [];
  const models: StandInModel[] = [];
  for (const name of await shippedNames()) {
    const definition = await shippedDefinition(name);
    if (definition === null || definition.credential.kind === "none") continue;
    if (hasSetting(definition.credential.setting)) continue;
    const file = await readJsonFile(fixturesBeside(join(shippedFolder, `${name}.json`)));
    const read = readFixtures(file.value);
    const known = definition.models.flatMap((model) => {
      const documented = read.ok ? read.fixtures.models[model.model]?.cases : undefined;
      const completed = documented?.find(({ means }) => means === "completed");
      return completed ? [standInOf(definition.provider, model, completed, classes)] : [];
    });
    models.push(...known);
    const served = new Set(known.map(({ model }) => model));
    providers.push({ ...definition, models: definition.models.filter(({ model }) => served.has(model)) });
  }
  return {
    models,
    definitionsAt: (url, credential) => providers.map((provider) => ledHome(provider, url, credential)),
  };
}

// No host but the sandbox's remains: addresses in answers are replaced by paths, and workspaces bring no key of their own.
function ledHome(
  provider: ProviderDefinition,
  url: string,
  credential: ProviderDefinition["credential"],
): ProviderDefinition {
  const { workspace_credentials: _, headers: __, ...rest } = provider;
  return {
    ...rest,
    title: `${provider.title ?? provider.provider} (stand-in)`,
    base_url: `${url}/stand-ins/${provider.provider}`,
    credential,
    models: provider.models.map((model) => ({ ...model, ...pollOf(model), recovery: "neither" })),
  };
}

function pollOf({ poll }: ModelDefinition): Pick<ModelDefinition, "poll"> {
  if (poll === undefined) return {};
  const { hosts: _, url: __, fetch, ...rest } = poll;
  const led = fetch === undefined ? {} : { fetch: { ...(fetch.path === undefined ? {} : { path: fetch.path }) } };
  return { poll: { ...rest, ...led, interval_ms: 100, interval_ms_max: 500 } };
}

function standInOf(provider: string, model: ModelDefinition, documented: FixtureCase, classes: ClassSet): StandInModel {
  const answers = documented.answers.map(
    ({ status = 200, headers = {}, body, text }): StandInAnswer => ({
      status,
      headers,
      ...(text === undefined ? { body: body ?? {} } : {}),
    }),
  );
  const { poll } = model;
  const handle = typeof poll?.handle === "string" ? valueAt(answers[0]?.body, poll.handle) : null;
  return {
    provider,
    model: model.model,
    submitPath: model.submit.path,
    member: model.submit.model_member ?? null,
    pollPath: poll?.path ?? null,
    fetchPath: poll?.fetch?.path ?? null,
    handle: typeof handle === "string" ? handle : null,
    answers,
    media: mediaOf(`${provider}/${model.model}`, model, classes),
  };
}

const kinds: Readonly<Record<DeclaredOutput["type"], StandInMedia["kind"]>> = {
  IMAGE: "image",
  VIDEO: "video",
  AUDIO: "audio",
  STRING: "text",
  SVG: "vector",
  FILE_3D_GLB: "model",
};

// Where the answer has something to show: as node classes read it, else where the definition says that the result is.
function mediaOf(id: string, model: ModelDefinition, classes: ClassSet): StandInMedia[] {
  const declared = classes.declarations
    .filter(({ calls }) => calls.some((call) => call.model === id))
    .flatMap(({ outputs }) =>
      outputs.flatMap(({ type, from }) => from.map((pointer) => ({ pointer, kind: kinds[type] }))),
    );
  const kind = model.kind === undefined || model.kind === "other" ? "text" : model.kind;
  const whole = model.output_types === undefined ? [] : [{ pointer: "", kind }];
  const found =
    declared.length > 0 ? declared : [...(model.result ?? []).map((pointer) => ({ pointer, kind })), ...whole];
  return [...new Map(found.map((media) => [media.pointer, media])).values()];
}
