// The providers that ship with the server, as definitions in files of the package. One is served only when its credential
// is configured, or to a workspace that brought its own. A stored definition or a file of the same provider takes its place.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { priceChecks } from "../../../capabilities/prices/index.ts";
import { checkDefinition, type ProviderDefinition } from "../../../capabilities/providers/index.ts";

// Beside `src` in a checkout, beside `dist` in a package.
export const shippedFolder = join(import.meta.dirname, "../../../../providers");

const fixturesEnd = ".fixtures.json";

export async function shippedNames(): Promise<string[]> {
  const files = await readdir(shippedFolder);
  return files
    .filter((file) => file.endsWith(".json") && !file.endsWith(fixturesEnd))
    .map((file) => file.slice(0, -".json".length))
    .sort();
}

// Null: nothing of this name ships.
export async function shippedDefinition(name: string): Promise<ProviderDefinition | null> {
  if (!(await shippedNames()).includes(name)) return null;
  const text = await readFile(join(shippedFolder, `${name}.json`), "utf8");
  const checked = checkDefinition(priceChecks, JSON.parse(text));
  // The tests check every one of them: a wrong one was changed on this machine.
  if (!checked.ok) throw new Error(`The shipped definition of ${name} is wrong: ${checked.problems.join("; ")}`);
  return checked.definition;
}

// Those whose credential is configured.
export async function shippedProviders(hasSetting: (setting: string) => boolean): Promise<ProviderDefinition[]> {
  const found: ProviderDefinition[] = [];
  for (const name of await shippedNames()) {
    const { setting } = (await outlineOf(name)).credential;
    if (setting === undefined || !hasSetting(setting)) continue;
    const definition = await shippedDefinition(name);
    if (definition) found.push(definition);
  }
  return found;
}

// The same, asked again and again: each is read once, and stays the same value.
export function shippedOnce(hasSetting: (setting: string) => boolean): () => Promise<readonly ProviderDefinition[]> {
  const known = new Map<string, ProviderDefinition>();
  let outlines: Awaited<ReturnType<typeof shippedSettings>> | null = null;
  return async () => {
    outlines ??= await shippedSettings();
    const names = outlines.filter(({ setting }) => hasSetting(setting)).map(({ provider }) => provider);
    for (const name of names) {
      const definition = known.has(name) ? null : await shippedDefinition(name);
      if (definition) known.set(name, definition);
    }
    return names.flatMap((name) => known.get(name) ?? []);
  };
}

// By name: the setting that holds its credential, and how many models it has.
export async function shippedSettings(): Promise<readonly { provider: string; setting: string; models: number }[]> {
  const outlines = await Promise.all((await shippedNames()).map(outlineOf));
  return outlines.flatMap(({ provider, credential, models }) =>
    credential.setting === undefined ? [] : [{ provider, setting: credential.setting, models: models.length }],
  );
}

// Of those that take a workspace's own credential.
export async function shippedModelIds(): Promise<ReadonlySet<string>> {
  const outlines = await Promise.all((await shippedNames()).map(outlineOf));
  return new Set(
    outlines.flatMap(({ provider, workspace_credentials, models }) =>
      workspace_credentials ? models.map(({ model }) => `${provider}/${model}`) : [],
    ),
  );
}

// Of a file that the tests check: enough to know whether it is worth checking here.
interface Outline {
  readonly provider: string;
  readonly credential: { readonly setting?: string };
  readonly workspace_credentials?: boolean;
  readonly models: readonly { readonly model: string }[];
}

async function outlineOf(name: string): Promise<Outline> {
  const outline: Outline = JSON.parse(await readFile(join(shippedFolder, `${name}.json`), "utf8"));
  return outline;
}

export function fixturesBeside(path: string): string {
  return path.endsWith(".json") ? `${path.slice(0, -".json".length)}${fixturesEnd}` : `${path}${fixturesEnd}`;
}
