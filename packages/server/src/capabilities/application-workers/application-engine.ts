import type { Isolation } from "@atelier/engine/isolation";
import type { Clock } from "../../foundation/clock.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { Log } from "../../foundation/log.ts";
import {
  type Application,
  applicationRunner,
  descriptionWithoutFiles,
  openApplication,
} from "../applications/index.ts";
import { createShrinker } from "../assets/index.ts";
import { effectiveArguments, type RunningApplication } from "../environments/index.ts";
import type { WorkerId } from "../jobs/index.ts";
import type { RemoteEnvironment, RemoteWorkerOptions } from "../remote-work/index.ts";

export interface WorkerEngineDeps {
  readonly config: { readonly jobSecondsMax: number };
  readonly workerId: WorkerId;
  readonly life: Pick<Lifecycle, "onStop">;
  readonly clock: Clock;
  readonly log: Log;
  readonly isolation?: Isolation;
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
  waitMs = 0,
): Promise<RunningApplication | null> {
  const classes = (await application.whenUp(waitMs)) ? application.classes() : null;
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
