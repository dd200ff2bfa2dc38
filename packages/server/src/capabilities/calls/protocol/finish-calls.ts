// Finish: the endings that come together share one statement. An ending is tried until it is stored; an answer that there
// is no room for is left out after a while, and the ending stored without it.
import type { Clock } from "../../../foundation/clock.ts";
import { CommitUnknown, type Database, errorCode, groupCommit } from "../../../foundation/database/index.ts";
import { AwayFault, Fault, isPassingFault } from "../../../foundation/fault.ts";
import type { Log } from "../../../foundation/log.ts";
import type { RecordedAnswers } from "../answers/recorded-answers.ts";
import type { CallEnding, RecordedAnswer } from "../call/call-opening.ts";
import { findCalls } from "../call/call-store.ts";
import { type ItemResult, runBatch, unwrap } from "../call/run-batch.ts";
import { batchMax } from "./begin-calls.ts";
import { finishCalls } from "./finish-store.ts";
import type { Insist } from "./insist.ts";

// An answer that was made is given to all who wait for it, recorded or not; the money is settled once. Under its key
// stands from then on, honestly, that it could not be kept. An answer that was not delivered is not charged.
export interface Unkept {
  // Whether a caller waits for the answer itself.
  isAwaited(): boolean;
  answerOf(isCharged: boolean): RecordedAnswer;
}

export interface FinishDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly answers: RecordedAnswers;
  readonly insist: Insist;
}

// How long keeping a large answer is tried: who waits for it gets it soon; else there is time to make room.
const keepAwaitedMs = 1_000;
const keepMs = 600_000;

export function callFinisher(deps: FinishDeps): {
  // False: the call has ended already, or is another process's by now.
  finish(ending: CallEnding, unkept?: Unkept): Promise<boolean>;
  // The ending as it is stored, for those who end the call in a transaction of their own.
  prepare(ending: CallEnding, unkept?: Unkept): Promise<CallEnding>;
  close(): Promise<void>;
} {
  const { database, clock, insist } = deps;
  const finishing = groupCommit<CallEnding, ItemResult<boolean>>({
    maxBatch: batchMax,
    inFlight: 1,
    run: async (endings) => (await runBatch(endings, (some) => finishOnce(database, some))).map(undecidedIsFailed),
  });
  return {
    finish(ending, unkept) {
      let stored: CallEnding | null = null;
      const beganMs = clock.monotonicMs();
      return insist("an ending could not be stored yet", ending.call, async () => {
        stored ??= await preparedEnding(deps, ending, unkept, beganMs);
        return unwrap(await finishing(stored));
      });
    },
    prepare(ending, unkept) {
      const beganMs = clock.monotonicMs();
      return insist("an answer could not be kept yet", ending.call, () =>
        preparedEnding(deps, ending, unkept, beganMs),
      );
    },
    close: () => finishing.close(),
  };
}

function preparedEnding(
  deps: FinishDeps,
  ending: CallEnding,
  unkept: Unkept | undefined,
  beganMs: number,
): Promise<CallEnding> {
  return deps.answers.prepare(ending).catch((error: unknown) => {
    const triedMs = deps.clock.monotonicMs() - beganMs;
    if (!unkept || !isUnkeepable(error) || triedMs < (unkept.isAwaited() ? keepAwaitedMs : keepMs)) throw error;
    return unkeptEnding(deps, ending, unkept, error);
  });
}

function unkeptEnding(deps: FinishDeps, ending: CallEnding, unkept: Unkept, error: unknown): Promise<CallEnding> {
  const isCharged = unkept.isAwaited() && ending.charge > 0n;
  deps.log.error({ callId: ending.call.id, isCharged, err: error }, "an answer could not be kept; its key says so");
  const charge = isCharged ? ending.charge : 0n;
  return deps.answers.prepare({ ...ending, charge, answer: unkept.answerOf(isCharged) });
}

// One ending at a time decides: that a neighbour was ended by another process says nothing about the rest of the batch.
async function finishOnce(database: Database, endings: readonly CallEnding[]): Promise<(boolean | CommitUnknown)[]> {
  try {
    const done = await finishCalls(database, endings);
    return endings.map((_, index) => done.has(index));
  } catch (error) {
    if (!(error instanceof CommitUnknown)) throw error;
    const stored = await findCalls(
      database,
      endings.map((ending) => ending.call.id),
    );
    const byId = new Map(stored.map((call) => [call.id, call]));
    return endings.map(({ call }) => {
      const found = byId.get(call.id);
      if (found?.fence !== call.fence) return false;
      return found.state === "open" ? error : true;
    });
  }
}

// The store of large answers is full or cannot be written; the database, which keeps everything else, is not away.
function isUnkeepable(error: unknown): boolean {
  if (error instanceof Fault) return isPassingFault(error) && !(error instanceof AwayFault);
  return /^E[A-Z]{2,}$/.test(errorCode(error) ?? "");
}

function undecidedIsFailed(result: ItemResult<boolean | CommitUnknown>): ItemResult<boolean> {
  if (!result.ok) return result;
  return result.value instanceof CommitUnknown ? { ok: false, error: result.value } : { ok: true, value: result.value };
}
