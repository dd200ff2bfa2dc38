// How long running requests may take to finish after a stop signal (decisions, section 1): on loopback somebody waits at
// the terminal; elsewhere a held invocation is worth its whole deadline.
import type { Config } from "../config.ts";
import { isLoopback } from "../foundation/http/loopback-guard.ts";

export function drainSecondsOf(config: Pick<Config, "drainSeconds" | "host" | "routerDeadlineSeconds">): number {
  return config.drainSeconds ?? (isLoopback(config.host) ? 5 : config.routerDeadlineSeconds + 30);
}
