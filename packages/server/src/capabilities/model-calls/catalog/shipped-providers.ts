// The shipped providers, as definitions in files of the package. One is served only if its credential is configured, or to a
// workspace that brought its own. A stored definition or a file for the same provider replaces it.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { priceChecks } from "../../prices/index.ts";
import { checkDefinition, type ProviderDefinition } from "../../providers/index.ts";

// Next to `src` in a checkout, next to `dist` in a package.
export const shippedFolder = join(import.meta.dirname, "../../../../providers");

const fixturesEnd = ".fixtures.json";

export async function shippedNames(): Promise<string[]> {
  const files = await readdir(shippedFolder);
  return files
    .filter((file) => file.endsWith(".json") && !file.endsWith(fixturesEnd))
    .map((file) => file.slice(0, -".json".length))
    .sort();
}

// Null if no provider of this name ships.
export async function shippedDefinition(name: string): Promise<ProviderDefinition | null> {
  if (!(await shippedNames()).includes(name)) return null;
  const text = await readFile(join(shippedFolder, `${name}.json`), "utf8");
  const checked = checkDefinition(priceChecks, JSON.parse(text));
  // The tests check all of them, so an invalid one was changed on this machine.
  if (!checked.ok) throw new Error(`The shipped definition of ${name} is invalid: ${checked.problems.join("; ")}`);
  return checked.definition;
}

// The shipped providers whose credential is configured.
export async function shippedProviders(hasSetting: (setting: string) => boolean): Promise<ProviderDefinition[]> {
  const found: ProviderDefinition[] = [];
  for (const name of await shippedNames()) {
    const { setting } = (await readOutline(name)).credential;
    if (setting === undefined || !hasSetting(setting)) continue;
    const definition = await shippedDefinition(name);
    if (definition) found.push(definition);
  }
  return found;
}

// The same, for repeated calls: each definition is read once and stays the same object.
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

// Sorted by name: the setting that holds its credential, and how many models it has.
export async function shippedSettings(): Promise<readonly { provider: string; setting: string; models: number }[]> {
  const outlines = await Promise.all((await shippedNames()).map(readOutline));
  return outlines.flatMap(({ provider, credential, models }) =>
    credential.setting === undefined ? [] : [{ provider, setting: credential.setting, models: models.length }],
  );
}

// The models of shipped providers that accept a workspace's own credential.
export async function shippedModelIds(): Promise<ReadonlySet<string>> {
  const outlines = await Promise.all((await shippedNames()).map(readOutline));
  return new Set(
    outlines.flatMap(({ provider, workspace_credentials, models }) =>
      workspace_credentials ? models.map(({ model }) => `${provider}/${model}`) : [],
    ),
  );
}

// The outline of a file that the tests check: enough to decide whether to validate it here.
interface Outline {
  readonly provider: string;
  readonly credential: { readonly setting?: string };
  readonly workspace_credentials?: boolean;
  readonly models: readonly { readonly model: string }[];
}

async function readOutline(name: string): Promise<Outline> {
  const outline: Outline = JSON.parse(await readFile(join(shippedFolder, `${name}.json`), "utf8"));
  return outline;
}

export function fixturesBeside(path: string): string {
  return path.endsWith(".json") ? `${path.slice(0, -".json".length)}${fixturesEnd}` : `${path}${fixturesEnd}`;
}
