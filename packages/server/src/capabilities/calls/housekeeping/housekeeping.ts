// Prepares what calls will need and clears what they leave behind: creates the tables for the coming hours of recorded
// answers, removes expired answers, keys and usage, and closes the books of past months. Background processes run it. Each
// step is a transaction that only one of them enters, and repeating it does no harm.
import type { Background } from "../../../foundation/background.ts";
import { type Database, errorCode, type Queryable } from "../../../foundation/database/index.ts";
import type { Log } from "../../../foundation/log.ts";
import {
  createAnswerHour,
  dropAnswerHour,
  forgetKeys,
  listAnswerBlobs,
  listAnswerHours,
} from "../answers/answer-store.ts";
import type { AnswerBlobs } from "../answers/recorded-answers.ts";
import { closeMonth } from "../ledger/ledger-store.ts";
import { forgetUsage } from "../usage/usage-store.ts";
import { databaseNow, firstOpenMonth, takeOldDefaultAnswers, tryHousekeepingLock } from "./housekeeping-store.ts";

export interface HousekeepingDeps {
  readonly database: Database;
  readonly log: Log;
  readonly blobs: Pick<AnswerBlobs, "release">;
  // Decisions, section 8.
  readonly usageKeepDays?: number;
  readonly everySeconds?: number;
}

export interface Housekeeping {
  // One round of every step. A failing step is logged and does not stop the others.
  round(signal: AbortSignal): Promise<HousekeepingReport>;
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export interface HousekeepingReport {
  readonly hoursMade: number;
  readonly hoursDropped: number;
  readonly answersForgotten: number;
  readonly keysForgotten: number;
  readonly monthsClosed: number;
  readonly usageForgotten: number;
  // The steps that failed; the next round tries them again.
  readonly failed: readonly string[];
}

const hourMs = 3_600_000;
const hoursAhead = 48;
// A new database gets its tables over two hours, so that a first start makes four and not 49.
const hoursPerRound = 4;
// A key answers for 24 hours after completion, and an hour's table ends an hour after its first answer.
const answersKeepHours = 25;
const keysPerBatch = 1_000;
const rowsPerBatch = 5_000;
// After this long a month has ended in every time zone, and every transaction that began in it is over.
const closeAfterMs = 36 * hourMs;

export function createHousekeeping(deps: HousekeepingDeps): Housekeeping {
  const { log, everySeconds = 600 } = deps;

  type Step = (name: string, run: () => Promise<number>) => Promise<number>;
  const stepsOf =
    (signal: AbortSignal, failed: string[]): Step =>
    async (name, run) => {
      if (signal.aborted) return 0;
      return run().catch((error: unknown) => {
        failed.push(name);
        log.warn({ task: name, err: error }, "a step of the housekeeping failed; the next round tries again");
        return 0;
      });
    };

  async function round(signal: AbortSignal): Promise<HousekeepingReport> {
    const failed: string[] = [];
    const step = stepsOf(signal, failed);
    return {
      hoursMade: await step("make hours", () => makeHours(deps, signal)),
      hoursDropped: await step("drop hours", () => dropHours(deps, signal)),
      answersForgotten: await step("forget answers", () => forgetDefaultAnswers(deps, signal)),
      keysForgotten: await step("forget keys", () =>
        inBatches(deps, { name: "keys", batchRows: keysPerBatch, signal }, (tx) => forgetKeys(tx, answersKeepHours)),
      ),
      monthsClosed: await step("close months", () => closeMonths(deps, signal)),
      usageForgotten: await step("forget usage", () => {
        const keep = { keepDays: deps.usageKeepDays ?? 400, batchRows: rowsPerBatch };
        return inBatches(deps, { name: "usage", batchRows: rowsPerBatch, signal }, (tx) => forgetUsage(tx, keep));
      }),
      failed,
    };
  }

  return {
    round,
    run: (background, signal) =>
      background.run(
        {
          name: "calls: housekeeping",
          role: "background",
          everyMs: everySeconds * 1000,
          async round(stopping) {
            const { failed } = await round(stopping);
            if (failed.length > 0) throw new Error(`Steps that failed: ${failed.join(", ")}.`);
          },
        },
        signal,
      ),
  };
}

// Null if another process is doing it.
function alone<T>(deps: HousekeepingDeps, task: string, run: (tx: Queryable) => Promise<T>): Promise<T | null> {
  return deps.database.transaction(async (tx) => ((await tryHousekeepingLock(tx, task)) ? run(tx) : null));
}

async function inBatches(
  deps: HousekeepingDeps,
  task: { name: string; batchRows: number; signal: AbortSignal },
  run: (tx: Queryable) => Promise<number>,
): Promise<number> {
  let total = 0;
  while (!task.signal.aborted) {
    const done = await alone(deps, task.name, run);
    total += done ?? 0;
    if (done === null || done < task.batchRows) break;
  }
  return total;
}

// One transaction per hour: creating a table briefly locks all answers, and one failure must not block the other hours.
async function makeHours(deps: HousekeepingDeps, signal: AbortSignal): Promise<number> {
  const nowMs = (await databaseNow(deps.database)).getTime();
  const first = nowMs - (nowMs % hourMs);
  const existing = new Set((await listAnswerHours(deps.database)).map(({ hour }) => hour.getTime()));
  let made = 0;
  const last = first + hoursAhead * hourMs;
  for (let at = first; at <= last && made < hoursPerRound && !signal.aborted; at += hourMs) {
    if (existing.has(at)) continue;
    const done = await alone(deps, "hours", async (tx) => {
      await createAnswerHour(tx, new Date(at));
      return true;
    }).catch((error: unknown) => {
      // Answers of this hour arrived before its table. They stay in the default partition and expire there.
      if (errorCode(error) === "23514") return false;
      throw error;
    });
    if (done === null) break;
    if (done) made += 1;
  }
  return made;
}

async function dropHours(deps: HousekeepingDeps, signal: AbortSignal): Promise<number> {
  const nowMs = (await databaseNow(deps.database)).getTime();
  let dropped = 0;
  for (const { name, hour } of await listAnswerHours(deps.database)) {
    if (signal.aborted || hour.getTime() > nowMs - answersKeepHours * hourMs) break;
    const done = await alone(deps, "hours", async (tx) => {
      // Another process dropped it between our look and our turn.
      if (!(await listAnswerHours(tx)).some((other) => other.name === name)) return false;
      await release(deps, tx, await listAnswerBlobs(tx, name));
      await dropAnswerHour(tx, name);
      return true;
    });
    if (done === null) break;
    if (done) dropped += 1;
  }
  return dropped;
}

function forgetDefaultAnswers(deps: HousekeepingDeps, signal: AbortSignal): Promise<number> {
  return inBatches(deps, { name: "default answers", batchRows: keysPerBatch, signal }, async (tx) => {
    const { count, blobs } = await takeOldDefaultAnswers(tx, { keepHours: answersKeepHours, batchRows: keysPerBatch });
    await release(deps, tx, blobs);
    return count;
  });
}

async function release(
  deps: HousekeepingDeps,
  tx: Queryable,
  blobs: readonly { callId: string; hash: string }[],
): Promise<void> {
  for (const { callId, hash } of blobs) await deps.blobs.release(tx, hash, { kind: "answer", id: callId });
}

// In order: each closing builds on the one before.
async function closeMonths(deps: HousekeepingDeps, signal: AbortSignal): Promise<number> {
  const closable = new Date((await databaseNow(deps.database)).getTime() - closeAfterMs);
  let closed = 0;
  let month = await firstOpenMonth(
    deps.database,
    new Date(Date.UTC(closable.getUTCFullYear(), closable.getUTCMonth())),
  );
  while (month !== null && !signal.aborted && monthAfter(month) <= closable.toISOString().slice(0, 10)) {
    const current = month;
    const done = await alone(deps, "months", (tx) => closeMonth(tx, current));
    if (done === null) break;
    if (done > 0) closed += 1;
    month = monthAfter(month);
  }
  return closed;
}

// "2026-12-01" → "2027-01-01"; dates of this form sort as text.
export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number)).toISOString().slice(0, 10);
}
