// How long running requests can take to finish after a stop signal (decisions, section 1). In development a person waits at the
// terminal; elsewhere a held invocation is worth its whole deadline.
import type { Config } from "../config.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Lifecycle } from "../foundation/lifecycle.ts";
import { isDevelopment, type Reach } from "./development.ts";

export function drainSecondsOf(config: Reach & Pick<Config, "drainSeconds" | "routerDeadlineSeconds">): number {
  return config.drainSeconds ?? (isDevelopment(config) ? 5 : config.routerDeadlineSeconds + 30);
}

// How long load balancers have to notice that we leave before the listener closes. In development there are none.
export function noticeSecondsOf(config: Reach & Pick<Config, "drainNoticeSeconds">): number {
  return config.drainNoticeSeconds ?? (isDevelopment(config) ? 0 : 5);
}

// The rest of the drain time. Listeners, calls and tasks stop one after another and share it.
export function drainSecondsLeft(
  config: Parameters<typeof drainSecondsOf>[0],
  life: Pick<Lifecycle, "secondsStopping">,
): number {
  return Math.max(0, drainSecondsOf(config) - life.secondsStopping());
}

// Waits for work that may use the rest of the drain, but no longer.
export async function withinDrain(
  deps: { readonly config: Parameters<typeof drainSecondsOf>[0]; readonly life: Lifecycle; readonly clock: Clock },
  work: Promise<unknown>,
): Promise<void> {
  const enough = new AbortController();
  await Promise.race([work, deps.clock.sleep(drainSecondsLeft(deps.config, deps.life) * 1000, enough.signal)]);
  enough.abort();
}
