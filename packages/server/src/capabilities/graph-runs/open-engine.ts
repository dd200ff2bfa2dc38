// The embedded engine of a process that runs graphs: its children, their scratch folder, and the limits of one job.
import { type ApplicationProfile, type EngineLimits, type EnginePool, openEnginePool } from "@atelier/engine";
import type { Isolation } from "@atelier/engine/isolation";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { Log } from "../../foundation/log.ts";
import { openScratchFolder } from "../../foundation/threads/scratch-folder.ts";

export interface EngineOptions {
  // Where its scratch folder is created.
  readonly folder: string;
  readonly slots: number;
  readonly jobSecondsMax: number;
  readonly nodeSecondsMax: number;
  readonly jobMemoryMegabytesMax: number;
  readonly applicationProfile: ApplicationProfile;
}

export interface OpenEngine {
  readonly engine: EnginePool;
  readonly limits: Pick<EngineLimits, "seconds" | "nodeSeconds" | "memoryBytes" | "profile">;
}

interface EngineDeps {
  readonly life: Lifecycle;
  readonly log: Log;
  readonly isolation?: Isolation;
}

export function openEngine({ life, log, isolation }: EngineDeps, options: EngineOptions): OpenEngine {
  const limits = {
    seconds: options.jobSecondsMax,
    nodeSeconds: options.nodeSecondsMax,
    memoryBytes: options.jobMemoryMegabytesMax * 1024 * 1024,
    profile: options.applicationProfile,
  };
  const scratch = openScratchFolder(options.folder);
  life.onStop("scratch folder", async () => scratch.remove());
  const engine = openEnginePool({
    size: options.slots,
    scratchDirectory: scratch.path,
    memoryMegabytesMax: options.jobMemoryMegabytesMax * 2,
    limits,
    log,
    ...(isolation === undefined ? {} : { isolation }),
  });
  life.onStop("engine", () => engine.close(), 10);
  return { engine, limits };
}
