// Ordered start, reverse stop. Each step has a name and a time limit; a step that overruns is logged and left behind,
// so that one hanging connection cannot keep the machine from restarting. The first stop signal drains, the second
// exits at once: that is the crash path, and it is tested anyway.
import { type Background, createBackground, type PeriodicWork } from "./background.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

export interface Lifecycle {
  // Remembers how to undo a step that has just been done.
  onStop(name: string, stop: () => void | Promise<void>, secondsMax?: number): void;
  // Fires with the order to stop: from here on this process wants no new work.
  readonly leaving: AbortSignal;
  // How long after that the stop begins; until then all goes on, and load balancers have the time to see that we leave.
  giveNotice(seconds: number): void;
  // Fires when the stop begins: event streams end, work loops stop claiming.
  readonly stopping: AbortSignal;
  // How long ago the stop began; 0 before: what drains one after the other shares one time.
  secondsStopping(): number;
  // What this process does by itself.
  readonly background: Background;
  // Runs a work from now until the stop, which waits for its round to end.
  repeat(work: PeriodicWork, secondsMax?: number): void;
  // Stops everything in reverse order. Calling it again waits for the first call.
  stop(reason: string): Promise<void>;
}

export function createLifecycle(deps: {
  readonly log: Log;
  readonly clock: Clock;
  // What this process does by itself, where several share it; all of it if absent.
  readonly roles?: ReadonlySet<string>;
}): Lifecycle {
  const steps: { name: string; stop: () => void | Promise<void>; secondsMax: number }[] = [];
  const leaving = new AbortController();
  const stopping = new AbortController();
  let noticeSeconds = 0;
  let stoppingSinceMs: number | undefined;
  const background = createBackground(deps);
  let stopped: Promise<void> | undefined;

  async function runStep(step: (typeof steps)[number]): Promise<void> {
    const giveUp = new AbortController();
    const overrun = deps.clock.sleep(step.secondsMax * 1000, giveUp.signal).then(() => "overrun" as const);
    try {
      const outcome = await Promise.race([Promise.resolve(step.stop()), overrun]);
      if (outcome === "overrun")
        deps.log.error(
          { step: step.name, secondsMax: step.secondsMax },
          "a stop step took too long and was left behind",
        );
    } catch (error) {
      deps.log.error({ step: step.name, err: error }, "a stop step failed");
    } finally {
      giveUp.abort();
    }
  }

  return {
    onStop(name, stop, secondsMax = 10) {
      steps.push({ name, stop, secondsMax });
    },
    leaving: leaving.signal,
    giveNotice(seconds) {
      noticeSeconds = seconds;
    },
    stopping: stopping.signal,
    secondsStopping() {
      return stoppingSinceMs === undefined ? 0 : (deps.clock.monotonicMs() - stoppingSinceMs) / 1000;
    },
    background,
    repeat(work, secondsMax = 10) {
      const done = background.run(work, stopping.signal);
      steps.push({ name: work.name, stop: () => done, secondsMax });
    },
    stop(reason) {
      stopped ??= (async () => {
        deps.log.info({ reason, noticeSeconds }, "stopping");
        leaving.abort();
        if (noticeSeconds > 0) await deps.clock.sleep(noticeSeconds * 1000);
        stoppingSinceMs = deps.clock.monotonicMs();
        stopping.abort();
        for (const step of steps.reverse()) await runStep(step);
        deps.log.info({}, "stopped");
      })();
      return stopped;
    },
  };
}

const sameOrderMs = 1000;

// One order to stop often comes twice at once: from a supervisor that signals a process and its group, or by a wrapper that
// passes on what we have heard already. Only what comes later is a user who does not want to wait.
export function signalsRead(): (atMs: number) => "stop" | "same" | "exit" {
  let firstMs: number | null = null;
  return (atMs) => {
    if (firstMs !== null) return atMs - firstMs < sameOrderMs ? "same" : "exit";
    firstMs = atMs;
    return "stop";
  };
}

// Ties the process's signals to a lifecycle. Returns a function that unties them (tests run whole apps in one process).
export function stopOnSignals(life: Lifecycle, exit: (code: number) => void): () => void {
  const read = signalsRead();
  const onSignal = (signal: NodeJS.Signals) => {
    const meaning = read(performance.now());
    if (meaning === "exit") exit(1);
    if (meaning === "stop") void life.stop(signal).then(() => exit(0));
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  return () => {
    process.off("SIGTERM", onSignal);
    process.off("SIGINT", onSignal);
  };
}
