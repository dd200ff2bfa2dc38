// Ordered start, reverse stop. Each step has a name and a time limit. A step that overruns is logged and abandoned, so that one
// hanging connection cannot keep the machine from restarting. The first stop signal drains, the second exits immediately: that
// is the crash path, which is tested anyway.
import { type Background, createBackground, type PeriodicWork } from "./background.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

export interface Lifecycle {
  // Registers how to undo a step that was just done.
  onStop(name: string, stop: () => void | Promise<void>, secondsMax?: number): void;
  // Fires with the request to stop: from here on this process wants no new work.
  readonly leaving: AbortSignal;
  // How long after that the stop begins. Until then everything continues, so that load balancers have time to see us leave.
  giveNotice(seconds: number): void;
  // Fires when the stop begins: event streams end, work loops stop claiming.
  readonly stopping: AbortSignal;
  // How long ago the stop began, 0 before: steps that drain one after another share one time limit.
  secondsStopping(): number;
  // The periodic work of this process.
  readonly background: Background;
  // Runs a work from now until the stop, which waits for the current round to end.
  repeat(work: PeriodicWork, secondsMax?: number): void;
  // The same for what runs works of its own.
  work(name: string, works: Works, secondsMax?: number): void;
  // Stops everything in reverse order. Calling it again waits for the first call.
  stop(reason: string): Promise<void>;
}

export interface Works {
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export function createLifecycle(deps: {
  readonly log: Log;
  readonly clock: Clock;
  // The roles whose background work this process does, if several processes share it. All of it if absent.
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
          "a shutdown step took too long; continuing without it",
        );
    } catch (error) {
      deps.log.error({ step: step.name, err: error }, "a shutdown step failed");
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
    work(name, works, secondsMax = 10) {
      const done = works.run(background, stopping.signal);
      steps.push({ name, stop: () => done, secondsMax });
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

// One request to stop often arrives as two signals at the same moment: from a supervisor that signals a process and its group,
// or from a wrapper that passes on a signal we already got. Only a later one means that a user does not want to wait.
export function signalsRead(): (atMs: number) => "stop" | "same" | "exit" {
  let firstMs: number | null = null;
  return (atMs) => {
    if (firstMs !== null) return atMs - firstMs < sameOrderMs ? "same" : "exit";
    firstMs = atMs;
    return "stop";
  };
}

// Connects the process's signals to a lifecycle. Returns a function that disconnects them (tests run whole apps in one
// process).
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
