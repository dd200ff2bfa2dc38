// The only way to the ledger's two statements: begin a call, finish a call. Calls that arrive while a round is running share
// the next one: one statement and one commit for all of them (finish-store.ts), or two side by side if one cannot do it.
// Beginnings and endings share a line because they would meet at the wallet's lock anyway. If no round is running nothing
// waits: the first call goes out alone, in the same turn of the event loop.
//   begin-batch    which of the two begin statements a batch takes
//   lost-answers   what happened when the answer to a COMMIT got lost
//   run-batch      halves a refused batch until the culprit is alone
import type { Database } from "../../../foundation/database/index.ts";
import { CommitUnknown } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { CallEnding, CallOpening, OwnerId } from "../call/call-opening.ts";
import { readVerdicts, selectFreshCalls } from "./begin-batch.ts";
import type { BeginVerdict } from "./begin-verdict.ts";
import { finishAndBegin, type RoundAnswer } from "./finish-store.ts";
import { beginExactlyOnce, beginOnce, finishOnce, lostBegins, lostEndings } from "./lost-answers.ts";
import { type ItemResult, runBatch } from "./run-batch.ts";

export interface LedgerRounds {
  begin(opening: CallOpening): Promise<BeginVerdict>;
  // True if it was the call's first and only ending.
  finish(ending: CallEnding): Promise<boolean>;
  // Accepts no more beginnings and resolves when all pending ones are answered.
  closeBeginning(): Promise<void>;
  close(): Promise<void>;
}

export interface RoundsDeps {
  readonly database: Database;
  readonly ownerId: OwnerId;
}

// Maximum of beginnings, and of endings, in one round.
const roundMax = 128;

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

type Begins = readonly Waiting<CallOpening, BeginVerdict>[];
type Ends = readonly Waiting<CallEnding, boolean>[];

export function createLedgerRounds(deps: RoundsDeps): LedgerRounds {
  const begins = line<CallOpening, BeginVerdict>();
  const ends = line<CallEnding, boolean>();
  let isUnderWay = false;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || isUnderWay || (begins.isEmpty() && ends.isEmpty())) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      void goRound();
    });
  }

  async function goRound(): Promise<void> {
    isUnderWay = true;
    try {
      await round(deps, ends.take(roundMax), begins.take(roundMax));
    } finally {
      isUnderWay = false;
      ends.endRound();
      begins.endRound();
      schedule();
    }
  }

  return {
    begin: (opening) => begins.add(opening, schedule),
    finish: (ending) => ends.add(ending, schedule),
    closeBeginning: () => begins.close(),
    close: async () => void (await Promise.all([begins.close(), ends.close()])),
  };
}

function line<Item, Result>() {
  let waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let closing: PromiseWithResolvers<void> | undefined;
  const isAnswered = () => waiting.length === 0 && underWay === 0;
  return {
    isEmpty: () => waiting.length === 0,
    add(item: Item, added: () => void): Promise<Result> {
      if (closing) return Promise.reject(new Error("The calls are closed."));
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        added();
      });
    },
    take(max: number): readonly Waiting<Item, Result>[] {
      const taken = waiting.slice(0, max);
      waiting = waiting.slice(max);
      underWay = taken.length;
      return taken;
    },
    // Call this when a round is over.
    endRound(): void {
      underWay = 0;
      if (isAnswered()) closing?.resolve();
    },
    close(): Promise<void> {
      closing ??= Promise.withResolvers<void>();
      if (isAnswered()) closing.resolve();
      return closing.promise;
    },
  };
}

async function round(deps: RoundsDeps, ends: Ends, begins: Begins): Promise<void> {
  const openings = itemsOf(begins);
  const fresh = ends.length > 0 && begins.length > 0 ? selectFreshCalls(openings, deps.ownerId) : null;
  if (fresh === null || fresh.openings.length === 0) return separately(deps, ends, begins);
  let answer: RoundAnswer;
  try {
    answer = await finishAndBegin(deps.database, itemsOf(ends), fresh);
  } catch (error) {
    // Nothing was written. Running both kinds separately finds the bad item.
    if (!(error instanceof Fault)) return separately(deps, ends, begins);
    if (error instanceof CommitUnknown) return lookFor(deps, ends, begins, error);
    for (const waiting of [...ends, ...begins]) waiting.reject(error);
    return;
  }
  for (const [index, waiting] of ends.entries()) waiting.resolve(answer.ended.has(index));
  await goOn(deps, begins, answer);
}

// The begin half was all or nothing. If it wrote nothing, its calls continue on their own.
async function goOn(deps: RoundsDeps, begins: Begins, { begun }: RoundAnswer): Promise<void> {
  const { database, ownerId } = deps;
  const openings = itemsOf(begins);
  try {
    const verdicts = await readVerdicts(begun, openings, {
      exactly: () => beginExactlyOnce(database, openings, ownerId),
      others: (some) => beginOnce(database, some, ownerId),
    });
    for (const [index, waiting] of begins.entries()) waiting.resolve(verdicts[index] ?? { kind: "again" });
  } catch (error) {
    if (!(error instanceof Fault)) return beginAll(deps, begins);
    for (const waiting of begins) waiting.reject(error);
  }
}

async function separately(deps: RoundsDeps, ends: Ends, begins: Begins): Promise<void> {
  await Promise.all([
    ends.length > 0 ? finishAll(deps, ends) : undefined,
    begins.length > 0 ? beginAll(deps, begins) : undefined,
  ]);
}

async function beginAll({ database, ownerId }: RoundsDeps, begins: Begins): Promise<void> {
  answer(begins, await runBatch(itemsOf(begins), (some) => beginOnce(database, some, ownerId)));
}

async function finishAll({ database }: RoundsDeps, ends: Ends): Promise<void> {
  answerEnds(ends, await runBatch(itemsOf(ends), (some) => finishOnce(database, some)));
}

// The answer to a whole round was lost. The rows say what happened.
async function lookFor(deps: RoundsDeps, ends: Ends, begins: Begins, error: CommitUnknown): Promise<void> {
  const { database, ownerId } = deps;
  await Promise.all([
    runBatch(itemsOf(ends), (some) => lostEndings(database, some, error)).then((results) => answerEnds(ends, results)),
    runBatch(itemsOf(begins), (some) => lostBegins(database, some, ownerId)).then((results) => answer(begins, results)),
  ]);
}

function answerEnds(ends: Ends, results: readonly ItemResult<boolean | CommitUnknown>[]): void {
  answer(ends, results.map(undecidedIsFailed));
}

function answer<Item, Result>(some: readonly Waiting<Item, Result>[], results: readonly ItemResult<Result>[]): void {
  for (const [index, waiting] of some.entries()) {
    const result = results[index];
    if (result?.ok) waiting.resolve(result.value);
    else waiting.reject(result?.error ?? new Error("A round was answered with too few results."));
  }
}

function undecidedIsFailed(result: ItemResult<boolean | CommitUnknown>): ItemResult<boolean> {
  if (!result.ok) return result;
  return result.value instanceof CommitUnknown ? { ok: false, error: result.value } : { ok: true, value: result.value };
}

function itemsOf<Item, Result>(some: readonly Waiting<Item, Result>[]): Item[] {
  return some.map(({ item }) => item);
}
