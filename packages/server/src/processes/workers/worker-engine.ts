// What runs a worker's graphs: the application beside it, or our own engine. Both describe what they can run in the same form.
import { join, resolve } from "node:path";
import { type ApplicationProfile, builtInClassesOf, describeClasses } from "@atelier/engine";
import {
  type Application,
  applicationRunner,
  descriptionWithoutFiles,
  openApplication,
} from "../../capabilities/applications/index.ts";
import { createShrinker } from "../../capabilities/assets/index.ts";
import { effectiveArguments, type RunningApplication } from "../../capabilities/environments/index.ts";
import { embeddedRunner, openEngine } from "../../capabilities/graph-runs/index.ts";
import type { WorkerId } from "../../capabilities/jobs/index.ts";
import { describeEnvironment } from "../../capabilities/pools/index.ts";
import type { RemoteEnvironment, RemoteWorkerOptions } from "../../capabilities/remote-work/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { ProcessDeps } from "../build/process-deps.ts";
import { serverVersion } from "../server-version.ts";

export interface WorkerEngineDeps extends ProcessDeps {
  readonly workerId: WorkerId;
  readonly slots: number;
}

export interface WorkerEngine extends Pick<RemoteWorkerOptions, "environment" | "modelsLoaded" | "runner"> {
  // What the application says of itself, for its lock. Null while it is away.
  running(): Promise<RunningApplication | null>;
}

export function applicationEngine(deps: WorkerEngineDeps, url: string): WorkerEngine {
  const { config, life, log, clock, workerId } = deps;
  // Uses the worker's own id, so that after a restart the application keeps reporting on its prompts.
  const application = openApplication({ url, clock, log, clientId: workerId });
  life.onStop("application", () => application.close());
  const shrinker = createShrinker(deps);
  life.onStop("small pictures", () => shrinker.close());
  return {
    environment: environmentOfApplication(application, clock),
    modelsLoaded: () => application.modelsLoaded(),
    running: () => runningApplication(application),
    runner: (openFile) =>
      applicationRunner({
        application,
        openFile,
        clock,
        log,
        timing: { runMsMax: config.jobSecondsMax * 1000 },
        shrinkPicture: (bytes, side) => shrinker.shrink(bytes, side),
      }),
  };
}

export async function runningApplication(
  application: Pick<Application, "whenUp" | "classes" | "describe">,
): Promise<RunningApplication | null> {
  const classes = (await application.whenUp(0)) ? application.classes() : null;
  if (classes === null) return null;
  const { version, startArguments } = await application.describe();
  return { version, classes: classes.fingerprints, arguments: effectiveArguments(startArguments) };
}

const upWaitMs = 5_000;
// Files added next to an application appear in its lists when we ask again. Asking makes it scan all its folders.
const lookAgainMs = 300_000;

// Read again whenever the application's classes were reloaded.
export function environmentOfApplication(
  application: Pick<Application, "whenUp" | "classes" | "describe" | "refreshClasses">,
  clock: Clock,
): () => Promise<RemoteEnvironment | null> {
  let known: { readonly of: object; readonly environment: RemoteEnvironment } | null = null;
  let nextMs = clock.monotonicMs() + lookAgainMs;
  return async () => {
    if (!(await application.whenUp(upWaitMs))) return null;
    if (clock.monotonicMs() >= nextMs) {
      nextMs = clock.monotonicMs() + lookAgainMs;
      application.refreshClasses();
    }
    const classes = application.classes();
    if (classes === null) return null;
    if (known?.of === classes) return known.environment;
    const { version } = await application.describe();
    const names = Object.keys(classes.fingerprints).sort();
    const environment: RemoteEnvironment = {
      engine: "application",
      version: version.slice(0, 100) || "unknown",
      classes: Object.fromEntries(names.map((name) => [name, classes.fingerprints[name] ?? ""])),
      // Only the ones we could parse: the others cannot be checked. By name, because an application lists them in the order
      // in which its packs happened to load: equal machines describe themselves in equal bytes.
      descriptions: Object.fromEntries(names.map((name) => [name, descriptionWithoutFiles(classes, name)])),
    };
    known = { of: classes, environment };
    return environment;
  };
}

// Nodes that call a model pay through the router, which a remote worker cannot do, so it does not offer them.
const outsideClassesOf = (profile: ApplicationProfile) =>
  new Map([...builtInClassesOf(profile)].filter(([, { callsModel }]) => callsModel !== true));

export function embeddedEngine(deps: WorkerEngineDeps): WorkerEngine {
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
