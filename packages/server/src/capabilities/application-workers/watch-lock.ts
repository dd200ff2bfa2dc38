// Looks at the application's folder beside a worker: writes its lock down every few seconds, and compares it with the lock that
// is pinned for the worker's pool. Only what changed is read again, so a look costs little. What the application is (packs,
// weights, Python, classes) decides results, so a worker that differs gets no jobs until it is fixed.

import type { Background } from "../../foundation/background.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Log } from "../../foundation/log.ts";
import {
  compareLocks,
  differenceText,
  type EnvironmentLock,
  findPython,
  type LockRequest,
  lockId,
  lockProblem,
  makeLock,
  type RunningApplication,
  readPython,
} from "../environments/index.ts";
import type { WorkerLock } from "../pools/index.ts";

export interface LockWatchDeps extends Pick<LockRequest, "folder" | "memory" | "blake3"> {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Log;
  // What the application says of itself. Null while it is away; its folder is still compared.
  running(): Promise<RunningApplication | null>;
  // The pinned lock. Null if none is pinned.
  pinned(): Promise<EnvironmentLock | null>;
  // Called after each change, when `now` has it.
  onChange(): void;
}

export interface LockWatch {
  // Null before the first look. The same object while nothing changes.
  now(): WorkerLock | null;
  round(): Promise<void>;
  run(background: Background, signal: AbortSignal): Promise<void>;
}

const everyMs = 5_000;
const unreadable = "0".repeat(64);
// Listing Python's packages starts an interpreter.
const pythonEveryMs = 300_000;

export function watchLock(deps: LockWatchDeps): LockWatch {
  const { clock, log } = deps;
  let last: WorkerLock | null = null;
  let python: { readonly found: EnvironmentLock["python"]; readonly untilMs: number } | null = null;

  async function pythonNow(pinned: EnvironmentLock | null): Promise<EnvironmentLock["python"]> {
    // A lock that leaves Python out says nothing about it.
    if (pinned?.python === null) return null;
    const nowMs = clock.monotonicMs();
    if (python === null || python.untilMs <= nowMs) {
      const path = await findPython(deps.folder);
      python = { found: await readPython({ path, env: deps.env }), untilMs: nowMs + pythonEveryMs };
    }
    return python.found;
  }

  async function look(): Promise<WorkerLock> {
    const pinned = await deps.pinned();
    const against = pinned && lockId(pinned);
    try {
      return { ...(await compare(pinned)), against };
    } catch (error) {
      // A folder that cannot be read is not known to equal anything.
      const problem = lockProblem(error);
      if (problem === null) throw error;
      return { lockId: unreadable, against, drift: [problem.message.replace(/\.$/, "")] };
    }
  }

  async function compare(pinned: EnvironmentLock | null): Promise<Pick<WorkerLock, "lockId" | "drift">> {
    const running = await deps.running();
    const { folder, memory, blake3 } = deps;
    const made = await makeLock({ folder, weightFolders: [], python: null, running, memory, blake3 });
    const here = { ...made, python: await pythonNow(pinned) };
    const drift = pinned === null ? [] : compareLocks(pinned, here).map(differenceText);
    return { lockId: lockId(here), drift };
  }

  async function round(): Promise<void> {
    const found = await look();
    if (JSON.stringify(found) === JSON.stringify(last)) return;
    const wasDrifted = (last?.drift.length ?? 0) > 0;
    last = found;
    if (found.drift.length > 0) log.warn({ drift: found.drift }, "this machine differs from the pinned lock");
    else if (wasDrifted) log.info({ lock: found.lockId }, "this machine equals the pinned lock again");
    deps.onChange();
  }

  return {
    now: () => last,
    round,
    run: (background, signal) => background.run({ name: "worker: compare with the lock", everyMs, round }, signal),
  };
}
