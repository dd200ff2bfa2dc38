// Periodic work of a process. All of it goes through one `Background`: one round at a time, a pause between the end of a round
// and the start of the next, an early start on a wake-up, a longer pause while rounds fail, and a stop when the signal fires.
// It records how each work went, so one list shows what runs, how often, when it last ran and how that ended.
// Guarantees: a failing round never stops its work or disturbs another. A failure is logged once when it starts and once when
// it is over, however many retries lie in between.
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

export interface PeriodicWork {
  // For example "calls: heartbeat": the owner, then what it does. Unique within a process.
  readonly name: string;
  // Only processes with this role do the work. If absent, every process does its own.
  readonly role?: WorkRole;
  // The pause from the end of one round to the start of the next. A function is called after each round.
  readonly everyMs: number | (() => number);
  // Whether the first round runs immediately (the default) or after the first pause.
  readonly begins?: "at_once" | "after_pause";
  // One round. Errors are recorded and logged; the next round runs regardless.
  readonly round: (signal: AbortSignal) => Promise<unknown>;
}

// Work that a process can leave to other processes.
export type WorkRole = "background" | "webhooks";

export type WorkResult = "succeeded" | "failed";

export interface WorkReport {
  readonly name: string;
  readonly everySeconds: number;
  readonly isRunning: boolean;
  readonly rounds: number;
  readonly failures: number;
  // The latest finished round. Null before the first.
  readonly last: {
    readonly startedAt: Date;
    readonly milliseconds: number;
    readonly result: WorkResult;
    // Set when `failed`: a short description of what went wrong.
    readonly problem: string | null;
  } | null;
}

export interface Background {
  // Runs the work until the signal fires. Resolves when the last round has finished; never rejects.
  // In a process that leaves this work to others no rounds run; everything else is the same.
  run(work: PeriodicWork, signal: AbortSignal): Promise<void>;
  // Whether this process does work of this role.
  does(work: Pick<PeriodicWork, "role">): boolean;
  // Starts the next round now, or one more round if one is already running. Unknown names are ignored.
  wake(name: string): void;
  // All work that runs or has run, sorted by name.
  reports(): readonly WorkReport[];
}

interface Entry {
  readonly work: PeriodicWork;
  isRunning: boolean;
  rounds: number;
  failures: number;
  failuresInARow: number;
  last: WorkReport["last"];
  bell: AbortController;
}

const problemCharactersMax = 300;
// While its rounds fail, work with a shorter interval than this backs off step by step up to this pause.
const failurePauseMsMax = 5_000;

export function createBackground(deps: {
  readonly clock: Clock;
  readonly log: Pick<Log, "warn" | "info">;
  // All roles if absent.
  readonly roles?: ReadonlySet<string>;
}): Background {
  const { clock, log } = deps;
  const entries = new Map<string, Entry>();

  function begin(work: PeriodicWork): Entry {
    const before = entries.get(work.name);
    const entry: Entry = {
      work,
      isRunning: false,
      rounds: before?.rounds ?? 0,
      failures: before?.failures ?? 0,
      failuresInARow: 0,
      last: before?.last ?? null,
      bell: new AbortController(),
    };
    entries.set(work.name, entry);
    return entry;
  }

  async function round(entry: Entry, signal: AbortSignal): Promise<void> {
    const startedAt = clock.now();
    const startedMs = clock.monotonicMs();
    const ended = (result: WorkResult, problem: string | null) => {
      entry.isRunning = false;
      entry.rounds += 1;
      entry.last = { startedAt, milliseconds: clock.monotonicMs() - startedMs, result, problem };
    };
    entry.isRunning = true;
    try {
      await entry.work.round(signal);
      ended("succeeded", null);
      if (entry.failuresInARow > 0)
        log.info({ work: entry.work.name, failures: entry.failuresInARow }, "background work succeeds again");
      entry.failuresInARow = 0;
    } catch (error) {
      // Interrupted by shutdown, which is not a failure.
      if (signal.aborted) return ended("succeeded", null);
      ended("failed", problemOf(error));
      entry.failures += 1;
      entry.failuresInARow += 1;
      if (entry.failuresInARow === 1)
        log.warn({ work: entry.work.name, err: error }, "background work failed; retrying until it succeeds");
    }
  }

  const does = ({ role }: Pick<PeriodicWork, "role">) => role === undefined || (deps.roles?.has(role) ?? true);

  return {
    does,
    async run(work, signal) {
      if (!does(work)) return untilFired(signal);
      const entry = begin(work);
      signal.addEventListener("abort", () => entry.bell.abort(), { once: true });
      if (work.begins === "after_pause") await pause(entry, signal);
      while (!signal.aborted) {
        if (entry.bell.signal.aborted) entry.bell = new AbortController();
        await round(entry, signal);
        await pause(entry, signal);
      }
    },
    wake: (name) => entries.get(name)?.bell.abort(),
    reports: () => [...entries.values()].map(reportOf).sort((a, b) => (a.name < b.name ? -1 : 1)),
  };

  async function pause(entry: Entry, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await clock.sleep(pauseOf(everyMsOf(entry.work), entry.failuresInARow), entry.bell.signal);
  }
}

function untilFired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

// Runs several works of one owner that holds something in the database, each until its own signal. When all have ended it
// releases what it holds, so another process can take over immediately instead of waiting for the lease to expire.
export async function runHolding(
  background: Background,
  works: readonly (PeriodicWork & { readonly until: AbortSignal })[],
  letGo: () => Promise<unknown>,
): Promise<void> {
  await Promise.all(works.map(({ until, ...work }) => background.run(work, until)));
  await letGo().catch(() => undefined);
}

// Runs every step even if an earlier one failed, then throws an error that names the failed steps.
export async function everyStep(steps: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> {
  const failed: string[] = [];
  let cause: unknown;
  for (const [name, run] of Object.entries(steps)) {
    try {
      await run();
    } catch (error) {
      failed.push(`${name}: ${problemOf(error)}`);
      cause ??= error;
    }
  }
  if (failed.length > 0) throw new Error(failed.join(" "), { cause });
}

// Never shorter than the interval, so a heartbeat keeps its rhythm while it fails.
export function pauseOf(everyMs: number, failuresInARow: number): number {
  if (failuresInARow === 0) return everyMs;
  return Math.max(everyMs, Math.min(failurePauseMsMax, everyMs * 2 ** Math.min(failuresInARow, 20)));
}

function reportOf({ work, isRunning, rounds, failures, last }: Entry): WorkReport {
  return { name: work.name, everySeconds: everyMsOf(work) / 1000, isRunning, rounds, failures, last };
}

const everyMsOf = ({ everyMs }: PeriodicWork): number => (typeof everyMs === "function" ? everyMs() : everyMs);

function problemOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, problemCharactersMax);
}
