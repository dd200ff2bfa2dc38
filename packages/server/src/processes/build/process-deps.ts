// What everything that a process is built of is given: settings, life, time, and where it tells what happened.
import type { Config } from "../../config.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { Log } from "../../foundation/log.ts";
import type { Tracer } from "../../foundation/tracing/index.ts";
import type { SharedSandbox } from "../run-sandbox.ts";

// One of several processes of a server, which share its ports.
export interface Among {
  // 0: the first one, which has the sandbox and runs graphs.
  readonly index: number;
  // What the first one runs, for the others.
  readonly sandbox: SharedSandbox | null;
}

export interface ProcessDeps {
  // Null: it is alone.
  readonly among?: Among | null;
  readonly config: Config;
  readonly life: Lifecycle;
  readonly clock: Clock;
  readonly log: Log;
  // Null or absent: no traces.
  readonly tracer?: Tracer | null;
}
