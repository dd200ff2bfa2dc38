// The providers of this process. Definitions from files and from the process itself are read at start, and an invalid one
// aborts it. Those of the admin API come and go while it runs.

import type { Audit } from "../../../capabilities/audit/index.ts";
import { priceChecks } from "../../../capabilities/prices/index.ts";
import {
  type BuiltInProviders,
  type CredentialWriting,
  checkDefinition,
  createLiveProviders,
  createProviderCatalog,
  createProviderCredentials,
  credentialWriting,
  type HeldCredentials,
  heldCredentials,
  type LiveProviders,
  type ProviderCatalog,
  type ProviderCredentials,
  type ProviderDefinition,
  problemText,
  providerRecords,
  type ServedModel,
} from "../../../capabilities/providers/index.ts";
import type { Sealer } from "../../../capabilities/secrets/index.ts";
import type { Config } from "../../../config.ts";
import type { Bus } from "../../../foundation/bus/bus.ts";
import type { Clock } from "../../../foundation/clock.ts";
import type { Database } from "../../../foundation/database/index.ts";
import type { Log } from "../../../foundation/log.ts";
import type { Secret } from "../../../foundation/settings.ts";
import { UsageProblem } from "../../commands/command.ts";
import { isDevelopment } from "../../development.ts";
import { allowancesOf } from "../egress-policies.ts";
import { readJsonFile } from "../open/json-file.ts";
import { shippedDefinition, shippedModelIds, shippedOnce, shippedProviders } from "./shipped-providers.ts";

export interface Providers {
  readonly catalog: ProviderCatalog;
  readonly live: LiveProviders;
  readonly credentials: ProviderCredentials;
  // Credentials that operators entered while the servers run.
  readonly held: HeldCredentials;
  readonly writing: CredentialWriting;
  // Whether a model is available to workspaces that bring their own credential, although this server has none for it.
  isForOwn(modelId: string): boolean;
  // Providers that accept a workspace's own credential.
  takers(): readonly string[];
}

export interface ProvidersDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly bus: Bus;
  readonly database: Database;
  readonly audit: Audit;
  readonly sealer: Sealer;
  // The operator's credentials.
  readonly secrets: ReadonlyMap<string, Secret>;
  // Providers that this process brings itself: the sandbox.
  readonly builtIn: BuiltInProviders;
  apply(models: readonly ServedModel[]): Promise<void>;
}

export async function buildProviders(deps: ProvidersDeps): Promise<Providers> {
  const { config, clock, log, bus, database, audit, builtIn, apply } = deps;
  const files = await readProviderFiles(config.providers);
  const shipped = await shippedProviders((setting) => deps.secrets.has(setting));
  const shippedIds = await shippedModelIds();
  const credentials = createProviderCredentials({
    secrets: deps.secrets,
    own: [...files, ...shipped],
    builtIn,
    isLocal: isDevelopment(config),
    allow: allowancesOf(config, "partners"),
  });
  const checks = { ...priceChecks, targetProblems: credentials.targetProblems };
  const held = heldCredentials({ database, sealer: deps.sealer });
  // Credentials from the environment come first.
  const credentialOf: ProviderCredentials["credentialOf"] = (setting, hosts) =>
    credentials.credentialOf(setting, hosts) ?? (deps.secrets.has(setting) ? null : held.find(setting, hosts));
  const live = createLiveProviders({
    ...{ catalog: providerRecords({ database, checks }), checks, credentialOf, files, apply, bus, clock, log },
    shipped: shippedOnce((setting) => deps.secrets.has(setting) || held.enteredAt(setting) !== null),
    loadCredentials: () => held.load(),
    builtIn: builtIn.definitions,
    shippedOf: shippedDefinition,
  });
  const catalog = createProviderCatalog({ database, audit, checks, changed: () => live.changed() });
  const writing = credentialWriting({
    ...{ database, clock, audit, sealer: deps.sealer },
    definitionOf: (provider) => live.definitionOf(provider),
    changed: () => live.changed(),
  });
  const isForOwn = (modelId: string) => {
    const [name] = modelId.split("/");
    const current = live.list().find(({ provider }) => provider === name);
    if (!current) return shippedIds.has(modelId);
    const takesOwn = current.definition?.workspace_credentials ?? false;
    return takesOwn && current.models.some(({ id, released }) => id === modelId && released);
  };
  const takers = () => {
    const current = live.list();
    const shippedNames = [...shippedIds].map((id) => id.slice(0, id.indexOf("/")));
    const idle = shippedNames.filter((name) => current.every(({ provider }) => provider !== name));
    const served = current.filter(({ definition }) => definition?.workspace_credentials);
    return [...new Set([...idle, ...served.map(({ provider }) => provider)])].sort();
  };
  return { catalog, live, credentials, held, writing, isForOwn, takers };
}

// Reports all invalid files together, each problem with its file, line and field.
export async function readProviderFiles(paths: readonly string[]): Promise<ProviderDefinition[]> {
  const problems: string[] = [];
  const definitions: ProviderDefinition[] = [];
  for (const path of paths) {
    const file = await readJsonFile(path).catch((error: unknown) => {
      if (!(error instanceof UsageProblem)) throw error;
      problems.push(...error.problems.map((problem) => `The provider definition ${problem}`));
      return null;
    });
    const checked = file && checkDefinition(priceChecks, file.value);
    if (!checked) continue;
    const wrong = (words: string) => problems.push(`The provider definition ${path} is wrong${words}`);
    if (!checked.ok)
      for (const field of checked.fields) wrong(`, line ${file.lineOf(field.path)}: ${problemText(field)}`);
    else if (definitions.some(({ provider }) => provider === checked.definition.provider))
      wrong(`: /provider ${checked.definition.provider} has a file already`);
    else definitions.push(checked.definition);
  }
  if (problems.length > 0) throw new UsageProblem(problems);
  return definitions;
}
