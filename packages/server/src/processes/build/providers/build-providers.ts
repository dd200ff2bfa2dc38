// The providers of this process. Definitions from files and from the process itself are read at start, and an invalid one
// aborts it. Those of the admin API come and go while it runs.

import type { Audit } from "../../../capabilities/audit/index.ts";
import {
  type OpenToOwn,
  openToOwn,
  readProviderFiles,
  shippedDefinition,
  shippedModelIds,
  shippedOnce,
  shippedProviders,
} from "../../../capabilities/model-calls/index.ts";
import { priceChecks } from "../../../capabilities/prices/index.ts";
import {
  type BuiltInProviders,
  type CredentialWriting,
  createLiveProviders,
  createProviderCatalog,
  createProviderCredentials,
  credentialWriting,
  type HeldCredentials,
  heldCredentials,
  type LiveProviders,
  type ProviderCatalog,
  type ProviderCredentials,
  providerRecords,
  type ServedModel,
} from "../../../capabilities/providers/index.ts";
import type { Sealer } from "../../../capabilities/secrets/index.ts";
import type { Config } from "../../../config.ts";
import type { Bus } from "../../../foundation/bus/bus.ts";
import type { Clock } from "../../../foundation/clock.ts";
import type { Database } from "../../../foundation/database/index.ts";
import { allowancesOf } from "../../../foundation/http/outgoing/egress-policies.ts";
import type { Log } from "../../../foundation/log.ts";
import type { Secret } from "../../../foundation/settings.ts";
import { isDevelopment } from "../../development.ts";

export interface Providers extends OpenToOwn {
  readonly catalog: ProviderCatalog;
  readonly live: LiveProviders;
  readonly credentials: ProviderCredentials;
  // Credentials that operators entered while the servers run.
  readonly held: HeldCredentials;
  readonly writing: CredentialWriting;
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
  return { catalog, live, credentials, held, writing, ...openToOwn(live, await shippedModelIds()) };
}
