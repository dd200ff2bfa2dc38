// The providers of this process: definitions from files and from the process itself are read at start and end it when
// they are wrong; those of the admin API come and go while it runs.
import { readFile } from "node:fs/promises";
import type { Audit } from "../capabilities/audit/index.ts";
import {
  checkDefinition,
  createLiveProviders,
  createProviderBook,
  type LiveProviders,
  type ProviderBook,
  type ProviderDefinition,
  type ServedModel,
} from "../capabilities/providers/index.ts";
import type { Config } from "../config.ts";
import type { Bus } from "../foundation/bus/bus.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Database } from "../foundation/database/index.ts";
import { isLoopback } from "../foundation/http/loopback-guard.ts";
import type { Lifecycle } from "../foundation/lifecycle.ts";
import type { Log } from "../foundation/log.ts";
import type { Secret } from "../foundation/settings.ts";
import { UsageProblem } from "./command.ts";
import { priceChecks } from "./price-checks.ts";
import { createProviderCredentials, type ProviderCredentials } from "./provider-credentials.ts";
import { shippedProviders } from "./shipped-providers.ts";

export interface Providers {
  readonly book: ProviderBook;
  readonly live: LiveProviders;
  readonly credentials: ProviderCredentials;
}

export interface ProvidersDeps {
  readonly config: Config;
  readonly life: Lifecycle;
  readonly clock: Clock;
  readonly log: Log;
  readonly bus: Bus;
  readonly database: Database;
  readonly audit: Audit;
  readonly secrets: ReadonlyMap<string, Secret>;
  // Definitions that this process brings itself: the sandbox.
  readonly builtIn: readonly ProviderDefinition[];
  apply(models: readonly ServedModel[]): Promise<void>;
}

export async function buildProviders(deps: ProvidersDeps): Promise<Providers> {
  const { config, life, clock, log, bus, database, audit, builtIn, apply } = deps;
  const files = await readProviderFiles(config.providers);
  const shipped = await shippedProviders((setting) => deps.secrets.has(setting));
  const credentials = createProviderCredentials({
    secrets: deps.secrets,
    own: [...files, ...shipped, ...builtIn],
    isLocal: isLoopback(config.host),
  });
  const checks = { ...priceChecks, targetProblems: credentials.targetProblems };
  const book = createProviderBook({ database, audit, checks, changed: () => live.changed() });
  const { credentialOf } = credentials;
  const live = createLiveProviders({ book, checks, credentialOf, builtIn, shipped, files, apply, bus, clock, log });
  life.onStop("provider definitions", () => live.stop());
  return { book, live, credentials };
}

// Wrong files are told all at once, each problem with its file and field.
export async function readProviderFiles(paths: readonly string[]): Promise<ProviderDefinition[]> {
  const problems: string[] = [];
  const definitions: ProviderDefinition[] = [];
  for (const path of paths) {
    const value = await readJson(path);
    const checked = typeof value === "string" ? null : checkDefinition(priceChecks, value.document);
    if (typeof value === "string") problems.push(`The provider definition ${path} ${value}`);
    else if (!checked?.ok)
      problems.push(
        ...(checked?.problems ?? []).map((problem) => `The provider definition ${path} is wrong: ${problem}`),
      );
    else if (definitions.some(({ provider }) => provider === checked.definition.provider))
      problems.push(
        `The provider definition ${path} is wrong: /provider ${checked.definition.provider} has a file already`,
      );
    else definitions.push(checked.definition);
  }
  if (problems.length > 0) throw new UsageProblem(problems);
  return definitions;
}

async function readJson(path: string): Promise<{ readonly document: unknown } | string> {
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return "cannot be read.";
  try {
    return { document: JSON.parse(text) };
  } catch {
    return "is not JSON.";
  }
}
