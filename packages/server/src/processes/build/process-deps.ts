// What everything that a process is built of is given: settings, life, time, and where it tells what happened.
import type { Config } from "../../config.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { Log } from "../../foundation/log.ts";

export interface ProcessDeps {
  readonly config: Config;
  readonly life: Lifecycle;
  readonly clock: Clock;
  readonly log: Log;
}
