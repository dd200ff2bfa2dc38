// The node registry of this process: nodes, versions and their checks, descriptors, and the node class policies that
// submissions consult. Built before the content origin, which accepts its archives.
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { versionNotices } from "../../capabilities/notices/index.ts";
import {
  addressProblems,
  builtInRules,
  createArchiveChecks,
  createRegistry,
  extendRules,
  type Registry,
  type RegistryAddresses,
  type RuleSet,
  registryPolicy,
} from "../../capabilities/registry/index.ts";
import type { Config } from "../../config.ts";
import { createGuardedClient } from "../../foundation/http/outgoing/guarded-client.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { openScratchFolder } from "../../foundation/threads/scratch-folder.ts";
import { isDevelopment, type Reach } from "../development.ts";
import type { ServingDeps } from "./serving-deps.ts";

export interface RegistryBuildDeps extends ServingDeps {
  readonly contentUrl: () => string;
}

const defaultCodeHostApi = "https://api.github.com";

export async function buildRegistry(deps: RegistryBuildDeps): Promise<Registry> {
  const { config, life, clock, log, capabilities, paying } = deps;
  const checks = await openChecks(deps);
  const client = createGuardedClient({ policy: registryPolicy(config), clock });
  life.onStop("connections of the registry", () => client.close());
  const registry = createRegistry({
    ...capabilities,
    database: deps.storage.database,
    clock,
    log,
    bus: paying.bus,
    blobs: paying.blobs,
    checks,
    client,
    people: capabilities.identity.members,
    contentUrl: deps.contentUrl,
    stopping: life.stopping,
    upstream: upstreamOf(config),
    installable: config.registryInstallable,
    deletedDays: config.registryDeletedDays,
    requiredFields: (["repository", "license"] as const).filter((name) => config.registryRequiredFields.includes(name)),
    publishersPerPersonMax: config.registryPublishersMax,
    codeHostApiUrl: config.codeHostApiUrl ?? defaultCodeHostApi,
    codeHostName: config.codeHostName ?? "",
    notices: versionNotices(deps.webhooks),
  });
  await registry.load();
  life.work("work on the registry", registry);
  return registry;
}

export function requireReachable(config: Reach & RegistryAddresses): void {
  const problems = addressProblems(config, isDevelopment(config));
  if (problems.length > 0) throw new UsageProblem(problems);
}

function upstreamOf(config: Config) {
  if (config.registryUpstream === null) return null;
  return {
    url: config.registryUpstream,
    seconds: config.registryUpstreamSeconds,
    archives: config.registryUpstreamArchives,
    archiveBytes: config.registryUpstreamArchiveBytes,
  };
}

async function openChecks({ config, life, log, isolation }: RegistryBuildDeps) {
  const scratch = openScratchFolder(join(resolve(config.home), "archives"));
  const checks = await createArchiveChecks({
    folder: scratch.path,
    ruleSet: await readRules(config),
    log,
    atOnce: config.registryChecks,
    ...(isolation === undefined ? {} : { isolation }),
  });
  life.onStop("folder of archives", async () => scratch.remove());
  life.onStop("checks of archives", () => checks.close());
  return checks;
}

// Invalid rules abort the start: a registry that checks less than its operator specified is worse than none.
export async function readRules(config: Pick<Config, "registryRules">): Promise<RuleSet> {
  if (config.registryRules === null) return builtInRules;
  const path = resolve(config.registryRules);
  let file: unknown;
  try {
    file = JSON.parse(await readFile(path, "utf8"));
  } catch {
    throw new UsageProblem([`ATELIER_REGISTRY_RULES: ${path} is missing or not valid JSON.`]);
  }
  const read = extendRules(builtInRules, file);
  if (!read.ok) throw new UsageProblem(read.problems.map((problem) => `ATELIER_REGISTRY_RULES: ${path}: ${problem}`));
  return read.ruleSet;
}
