// What every part of a process gets: settings, lifecycle, clock, and where to report.
import type { Isolation } from "@atelier/engine/isolation";
import type { Config } from "../../config.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { Log } from "../../foundation/log.ts";
import type { Tracer } from "../../foundation/tracing/index.ts";
import type { SharedSandbox } from "../run-sandbox.ts";

// One of several processes of a server that share its ports.
export interface Among {
  // 0 for the first process, which has the sandbox and runs graphs.
  readonly index: number;
  // The first process's sandbox, for the others.
  readonly sandbox: SharedSandbox | null;
}

export interface ProcessDeps {
  // Null if it is the only process.
  readonly among?: Among | null;
  readonly config: Config;
  readonly life: Lifecycle;
  readonly clock: Clock;
  readonly log: Log;
  // How child processes are walled off. Processes of their own and nothing more if absent.
  readonly isolation?: Isolation;
  // Null or absent if tracing is off.
  readonly tracer?: Tracer | null;
}
