// Adds up usage behind the calls: every few minutes whatever can no longer change, and on the first run everything stored,
// oldest row first. Each stretch is one transaction that also moves the span, so if the process is killed the next round
// continues where the last stretch ended. Any number of processes may run it; one of them enters at a time.
import type { Background } from "../../../foundation/background.ts";
import type { Database, Queryable } from "../../../foundation/database/index.ts";
import { dayMs, hourMs } from "./usage-filter-store.ts";
import {
  addUpDays,
  addUpRows,
  closableUntil,
  joinHour,
  lockSpan,
  moveSpan,
  oldestDay,
  type SumsSpan,
} from "./usage-sums-store.ts";

export interface UsageSumming {
  // Adds up everything that can be added up now. Returns the time up to which sums exist.
  round(signal: AbortSignal): Promise<Date | null>;
  run(background: Background, signal: AbortSignal): Promise<void>;
}

const everyMs = 60_000;
const shortestMs = 5 * 60_000;
const longestMs = 8 * dayMs;
// A stretch that took longer than this is followed by one half as long: others wait for its locks, and a statement has a
// time limit.
const wantedMs = 500;

export function createUsageSumming(deps: { readonly database: Database }): UsageSumming {
  const { database } = deps;
  // How long a stretch may be with this installation's rows, learned from the last ones.
  let stretchMs = dayMs;

  async function round(signal: AbortSignal): Promise<Date | null> {
    let reached: Date | null = null;
    while (!signal.aborted) {
      const began = performance.now();
      const step = await database
        .transaction((tx) => addUpStretch(tx, stretchMs))
        .catch((error: unknown) => {
          stretchMs = Math.max(shortestMs, stretchMs / 4);
          throw error;
        });
      if (step === null) break;
      reached = step.until;
      if (step.isDone) break;
      const isShort = performance.now() - began < wantedMs;
      stretchMs = Math.min(longestMs, Math.max(shortestMs, isShort ? stretchMs * 2 : stretchMs / 2));
    }
    return reached;
  }

  return {
    round,
    run: (background, signal) =>
      background.run({ name: "calls: add usage up", role: "background", everyMs, round }, signal),
  };
}

// Null if another process is doing it.
export async function addUpStretch(tx: Queryable, stretchMs: number): Promise<{ until: Date; isDone: boolean } | null> {
  const locked = await lockSpan(tx);
  if (locked === null) return null;
  // Read before any row, so whatever commits in between is later than this.
  const closable = await closableUntil(tx);
  const span = locked.from < locked.until ? locked : await firstSpan(tx, closable);
  const until = endOfStretch(span.until, stretchMs, closable);
  if (until <= span.until) {
    await moveSpan(tx, span);
    return { until: span.until, isDone: true };
  }
  await addUpRows(tx, { from: span.until, until });
  const begunHour = floorTo(span.until, hourMs);
  if (begunHour < span.until && until.getTime() >= begunHour.getTime() + hourMs) await joinHour(tx, begunHour);
  const days = { from: floorTo(span.until, dayMs), until: floorTo(until, dayMs) };
  if (days.from < days.until) await addUpDays(tx, days);
  await moveSpan(tx, { from: span.from, until });
  return { until, isDone: until >= closable };
}

async function firstSpan(tx: Queryable, closable: Date): Promise<SumsSpan> {
  const oldest = (await oldestDay(tx)) ?? closable;
  const from = floorTo(oldest < closable ? oldest : closable, hourMs);
  return { from, until: from };
}

// A long stretch ends on the hour, so that no hour is split needlessly.
function endOfStretch(from: Date, stretchMs: number, closable: Date): Date {
  const wanted = new Date(from.getTime() + stretchMs);
  if (wanted >= closable) return closable;
  return stretchMs > hourMs ? floorTo(wanted, hourMs) : wanted;
}

function floorTo(moment: Date, unitMs: number): Date {
  return new Date(Math.floor(moment.getTime() / unitMs) * unitMs);
}
