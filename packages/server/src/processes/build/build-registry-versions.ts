// Versions of registry nodes in this process: publishing, archives and their checks, descriptors, and the policies of
// node classes that submissions ask about. It is built before the content origin, which takes archives in, and started
// when the registry it belongs to is there.
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  builtInRules,
  createArchiveChecks,
  createRegistryVersions,
  extendRules,
  type NodeRegistry,
  type RegistryVersions,
  type RuleSet,
} from "../../areas/node-registry/index.ts";
import { createNodePolicies, type NodePolicies } from "../../capabilities/node-policy/index.ts";
import type { Config } from "../../config.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { Log } from "../../foundation/log.ts";
import { UsageProblem } from "../commands/command.ts";
import type { Paying } from "./build-calls.ts";
import type { Capabilities } from "./build-capabilities.ts";
import { openScratchFolder } from "./scratch-folder.ts";

export interface RegistryVersionsBuildDeps {
  readonly config: Config;
  readonly life: Lifecycle;
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Database;
  readonly capabilities: Capabilities;
  readonly paying: Paying;
  readonly contentUrl: () => string;
  readonly nodesChanged: (folded: readonly string[]) => void;
  readonly mirroredArchive: NodeRegistry["mirroredArchive"];
  readonly mirroredVersion: NodeRegistry["mirroredVersion"];
}

export interface BuiltRegistryVersions {
  readonly versions: RegistryVersions;
  readonly policies: NodePolicies;
  start(): void;
}

export async function buildRegistryVersions(deps: RegistryVersionsBuildDeps): Promise<BuiltRegistryVersions> {
  const { config, life, log, database, capabilities, paying } = deps;
  const policies = createNodePolicies({ database, bus: paying.bus });
  await policies.load();
  const scratch = openScratchFolder(join(resolve(config.home), "archives"));
  const checks = await createArchiveChecks({
    folder: scratch.path,
    ruleSet: await readRules(config),
    log,
    atOnce: config.registryChecks,
  });
  life.onStop("folder of archives", async () => scratch.remove());
  life.onStop("checks of archives", () => checks.close());
  const versions = createRegistryVersions({
    ...deps,
    ...capabilities,
    blobs: paying.blobs,
    checks,
    policies,
    installable: config.registryInstallable,
    deletedDays: config.registryDeletedDays,
    stopping: life.stopping,
  });
  return {
    versions,
    policies,
    start() {
      const running = Promise.all([
        versions.run(life.background, life.stopping),
        policies.run(life.background, life.stopping),
      ]);
      life.onStop("work on versions of nodes", async () => void (await running));
    },
  };
}

// Wrong rules end the start: a registry that checks less than its operator wrote down is worse than none.
export async function readRules(config: Pick<Config, "registryRules">): Promise<RuleSet> {
  if (config.registryRules === null) return builtInRules;
  const path = resolve(config.registryRules);
  let file: unknown;
  try {
    file = JSON.parse(await readFile(path, "utf8"));
  } catch {
    throw new UsageProblem([`ATELIER_REGISTRY_RULES: ${path} cannot be read as JSON.`]);
  }
  const read = extendRules(builtInRules, file);
  if (!read.ok) throw new UsageProblem(read.problems.map((problem) => `ATELIER_REGISTRY_RULES: ${path}: ${problem}`));
  return read.ruleSet;
}
