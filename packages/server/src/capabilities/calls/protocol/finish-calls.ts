// Finish as its callers see it. We retry an ending until it is stored. If there is no room for the answer, we leave it out
// after a while and store the ending without it.
import type { Clock } from "../../../foundation/clock.ts";
import { errorCode } from "../../../foundation/database/index.ts";
import { AwayFault, Fault, isPassingFault } from "../../../foundation/fault.ts";
import type { Log } from "../../../foundation/log.ts";
import type { RecordedAnswers } from "../answers/recorded-answers.ts";
import type { CallEnding, RecordedAnswer } from "../call/call-opening.ts";
import type { LedgerRounds } from "../rounds/ledger-rounds.ts";
import type { Insist } from "./insist.ts";

// Everyone who waits for an answer gets it, recorded or not, and the money is settled once. From then on the key answers
// that the result could not be stored. An answer that was not delivered is not charged.
export interface Unkept {
  // Whether a caller is waiting for the answer.
  isAwaited(): boolean;
  answerOf(isCharged: boolean): RecordedAnswer;
}

export interface FinishDeps {
  readonly rounds: Pick<LedgerRounds, "finish">;
  readonly clock: Clock;
  readonly log: Log;
  readonly answers: RecordedAnswers;
  readonly insist: Insist;
}

// How long we try to store a large answer: briefly if a caller waits for it, otherwise long enough to make room.
const keepAwaitedMs = 1_000;
const keepMs = 600_000;

export function callFinisher(deps: FinishDeps): {
  // False if the call has already ended, or another process owns it by now.
  finish(ending: CallEnding, unkept?: Unkept): Promise<boolean>;
  // The ending as it is stored, for code that ends the call in its own transaction.
  prepare(ending: CallEnding, unkept?: Unkept): Promise<CallEnding>;
} {
  const { clock, insist, rounds } = deps;
  return {
    finish(ending, unkept) {
      let stored: CallEnding | null = null;
      const beganMs = clock.monotonicMs();
      return insist("an ending could not be stored yet", ending.call, async () => {
        stored ??= await preparedEnding(deps, ending, unkept, beganMs);
        return rounds.finish(stored);
      });
    },
    prepare(ending, unkept) {
      const beganMs = clock.monotonicMs();
      return insist("an answer could not be stored yet", ending.call, () =>
        preparedEnding(deps, ending, unkept, beganMs),
      );
    },
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
  deps.log.error(
    { callId: ending.call.id, isCharged, err: error },
    "an answer could not be stored; its key returns an error that says so",
  );
  const charge = isCharged ? ending.charge : 0n;
  return deps.answers.prepare({ ...ending, charge, answer: unkept.answerOf(isCharged) });
}

// The store of large answers is full or not writable, while the database, which keeps everything else, is available.
function isUnkeepable(error: unknown): boolean {
  if (error instanceof Fault) return isPassingFault(error) && !(error instanceof AwayFault);
  return /^E[A-Z]{2,}$/.test(errorCode(error) ?? "");
}
