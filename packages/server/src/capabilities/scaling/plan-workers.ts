// What a scaler does next with its workers: how many to start, which to let go, which to keep after all. Pure. A worker is let
// go only after it has been without a job for a while, and letting go never interrupts one: it takes no more jobs and leaves
// when it has none.

export interface PlannedWorker {
  readonly number: number;
  // `waiting`: its last start failed, and the next one has to wait.
  readonly state: "starting" | "ready" | "leaving" | "waiting";
  // Since when it has had no job. Null while it has one.
  readonly idleSinceMs: number | null;
}

export interface WorkerPlan {
  readonly start: number;
  readonly letGo: readonly number[];
  // Leaving ones that are wanted again.
  readonly keep: readonly number[];
  // Failed ones that are no longer wanted.
  readonly forget: readonly number[];
  // When to look again at the latest because an idle worker's time is up. Null if no such time is known.
  readonly lookAtMs: number | null;
}

export function planWorkers(
  workers: readonly PlannedWorker[],
  asked: { readonly wanted: number; readonly idleMs: number; readonly nowMs: number },
): WorkerPlan {
  const { wanted, idleMs, nowMs } = asked;
  const of = (state: PlannedWorker["state"]) => workers.filter((worker) => worker.state === state);
  const [ready, waiting, leaving] = [of("ready"), of("waiting"), of("leaving")];
  const working = ready.length + of("starting").length;
  const lacking = wanted - working;
  if (lacking > 0) {
    const keep = leaving.slice(0, lacking).map(({ number }) => number);
    // While starts fail, one at a time is enough to see whether they work again.
    const start = waiting.length > 0 ? 0 : lacking - keep.length;
    return { start, letGo: [], keep, forget: [], lookAtMs: null };
  }
  const idle = ready
    .flatMap(({ number, idleSinceMs }) => (idleSinceMs === null ? [] : [{ number, overAtMs: idleSinceMs + idleMs }]))
    .sort((one, other) => one.overAtMs - other.overAtMs)
    .slice(0, -lacking);
  const letGo = idle.filter(({ overAtMs }) => overAtMs <= nowMs).map(({ number }) => number);
  const next = idle.find(({ overAtMs }) => overAtMs > nowMs);
  return {
    start: 0,
    letGo,
    keep: [],
    forget: waiting.map(({ number }) => number),
    lookAtMs: next?.overAtMs ?? null,
  };
}

const firstPauseMs = 1_000;
const pauseMsMax = 60_000;

// How long to wait after this many failed starts in a row.
export function startPauseMs(failures: number): number {
  return Math.min(pauseMsMax, firstPauseMs * 2 ** Math.min(failures - 1, 10));
}

// "auto", "3" or "0..4". Null for auto: the deployment's own limits. Undefined if it is none of these.
export function readWorkerRange(text: string): { readonly min: number; readonly max: number } | null | undefined {
  if (text === "auto") return null;
  const [, low, high] = /^(\d{1,4})(?:\.\.(\d{1,4}))?$/.exec(text) ?? [];
  if (low === undefined) return undefined;
  const [min, max] = [Number(low), Number(high ?? low)];
  return min <= max && max >= 1 && max <= 1_000 ? { min, max } : undefined;
}
