// A remote worker's own engine, for one without an application. It describes what it can run as an application does.
import { join, resolve } from "node:path";
import { type ApplicationProfile, builtInClassesOf, describeClasses } from "@atelier/engine";
import type { WorkerEngine } from "../../capabilities/application-workers/index.ts";
import { embeddedRunner, openEngine } from "../../capabilities/graph-runs/index.ts";
import { describeEnvironment } from "../../capabilities/pools/index.ts";
import type { ProcessDeps } from "../build/process-deps.ts";
import { serverVersion } from "../server-version.ts";

interface EmbeddedEngineDeps extends ProcessDeps {
  readonly slots: number;
}

// Nodes that call a model pay through the router, which a remote worker cannot do, so it does not offer them.
const outsideClassesOf = (profile: ApplicationProfile) =>
  new Map([...builtInClassesOf(profile)].filter(([, { callsModel }]) => callsModel !== true));

export function embeddedEngine(deps: EmbeddedEngineDeps): WorkerEngine {
  const { config, slots } = deps;
  const folder = join(resolve(config.home), "worker", "engine");
  const { engine, limits } = openEngine(deps, { ...config, folder, slots });
  const outsideClasses = outsideClassesOf(config.applicationProfile);
  const descriptions = describeClasses(outsideClasses, [], { isExact: true });
  const known = describeEnvironment("embedded", serverVersion, describeClasses(outsideClasses));
  const environment = { ...known, descriptions };
  return {
    environment: async () => environment,
    modelsLoaded: () => [],
    running: async () => null,
    runner: (openFile) =>
      embeddedRunner({
        engine,
        openFile,
        callModel: () => Promise.reject(new Error("A remote worker cannot call models.")),
        isAlone: () => config.engineSharing === "workspace",
        limits,
        clock: deps.clock,
      }),
  };
}
