// Money and once-ness behind two doors. Everything that is paid for (router, partner tasks, jobs, engine nodes) passes
// here; nothing else touches a wallet or an idempotency key.
//   begin → begun: key, hold, slot and intent are one committed transaction; only now may anything be sent.
//   finish: the end, the settlement, the recorded answer and the usage row are one; the caller is answered afterwards.
import type { Bus } from "../../../foundation/bus/bus.ts";
import type { Clock } from "../../../foundation/clock.ts";
import {
  CommitUnknown,
  type Database,
  errorCode,
  type GroupCommit,
  groupCommit,
  isUniqueViolation,
  type Queryable,
} from "../../../foundation/database/index.ts";
import { AwayFault, Fault, isPassingFault } from "../../../foundation/fault.ts";
import { newId } from "../../../foundation/ids.ts";
import type { Log } from "../../../foundation/log.ts";
import { type AnswerBlobs, type AnswerBook, createAnswerBook } from "../answers/recorded-answers.ts";
import type {
  CallEnding,
  CallId,
  CallOpening,
  OpenCall,
  Opened,
  OwnerId,
  RecordedAnswer,
} from "../call/call-opening.ts";
import { findCalls, followCall, insertOwner, noteHandle, type StoredCall } from "../call/call-store.ts";
import { isUnknowable } from "../call/follow-call.ts";
import { createOpenCalls, type OpenCalls, type OwnedCall } from "../call/open-calls.ts";
import { type ItemResult, runBatch, unwrap } from "../call/run-batch.ts";
import { beginBatch } from "./begin-batch.ts";
import { type BeginVerdict, ensureWallets } from "./begin-store.ts";
import { finishCalls } from "./finish-store.ts";
import { finishAnyFence } from "./finish-within.ts";
import { createWaiters, type Waiters } from "./waiters.ts";

export type Begun =
  | { readonly kind: "begun"; readonly call: OwnedCall; readonly inFlight: number }
  | Exclude<Opened, { kind: "begun" }>;

export type Joined =
  | { readonly kind: "answered"; readonly answer: RecordedAnswer }
  // The key was given back: nothing was asked of the provider. The waiter may begin itself.
  | { readonly kind: "released" }
  | { readonly kind: "too_many_waiters" }
  // The waiter's own signal fired first.
  | { readonly kind: "gave_up" }
  // Only for who asks to be told: nobody will ever know its end.
  | { readonly kind: "unknowable" };

// An answer that was made is given to whoever waits for it, recorded or not; the money is settled once. Under its key
// stands from then on, honestly, that it could not be kept. Nobody pays for what nobody got.
export interface Unkept {
  // Whether somebody waits for the answer itself.
  isAwaited(): boolean;
  answerOf(isCharged: boolean): RecordedAnswer;
}

export interface JoinWish {
  // Not to wait out the quarantine of a call whose end nobody can find out.
  readonly leavesUnknowable: boolean;
}

export interface Calls {
  readonly ownerId: OwnerId;
  begin(opening: Omit<CallOpening, "id"> & { readonly id?: CallId }): Promise<Begun>;
  // Stored before it returns, however long the database or its disk is away. What cannot be stored at all is handed to
  // the follower before it throws, so that no call stays open with nobody at it. False: the call has ended already or is somebody
  // else's by now, so the caller is answered by `join`.
  // `unkept`: what becomes of an answer that there is no room for; without it, it is tried for ever.
  finish(ending: CallEnding, unkept?: Unkept): Promise<boolean>;
  // How the provider knows our work: written before we wait for it, so that a successor can go on. As stubborn as finish.
  noteHandle(call: OpenCall, handle: unknown): Promise<boolean>;
  // The connection is gone, the call goes on: the follower asks the provider until it ends. As stubborn as finish: a
  // call that is neither finished nor followed would stay open for ever.
  handOver(call: OwnedCall, lookAfterSeconds: number): Promise<void>;
  // For calls whose end belongs to another capability's row (a task at a partner): it writes its row and parks the call
  // (open, followed by nobody) in one statement, and later ends it in the transaction that ends the task. Afterwards
  // `settled` tells whoever waits. Answers those that it ended.
  finishWithin(tx: Queryable, endings: readonly CallEnding[]): Promise<ReadonlySet<CallId>>;
  settled(ids: readonly CallId[]): void;
  find(id: CallId): Promise<StoredCall | null>;
  replay(callId: CallId, answeredAt: Date): Promise<RecordedAnswer | null>;
  join(callId: CallId, signal: AbortSignal, wish?: JoinWish): Promise<Joined>;
  readonly open: OpenCalls;
  readonly waiters: Waiters;
  readonly answers: AnswerBook;
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface CallsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly bus: Bus;
  readonly blobs: AnswerBlobs;
  // How long after its intent a call may still be sent; a third of the lease.
  readonly sendWithinMs?: number;
}

const batchMax = 128;
const refusalsMax = 5;
// Time for whoever has to mend it: the follower gets the same answer from the provider and meets the same obstacle.
const handedOverSeconds = 30;
// How long keeping a large answer is tried: who waits for it gets it soon; else there is time to make room.
const keepAwaitedMs = 1_000;
const keepMs = 600_000;

export function createCalls(deps: CallsDeps): Calls {
  const { database, clock } = deps;
  const ownerId = newId<"call-owner">();
  const open = createOpenCalls(clock, deps.sendWithinMs);
  const waiters = createWaiters(deps);
  const answers = createAnswerBook(deps);
  const stopping = new AbortController();
  const beginning: GroupCommit<CallOpening, ItemResult<BeginVerdict>> = groupCommit({
    maxBatch: batchMax,
    inFlight: 1,
    run: (openings) => runBatch(openings, (some) => beginOnce(database, some, ownerId)),
  });
  const finishing: GroupCommit<CallEnding, ItemResult<boolean>> = groupCommit({
    maxBatch: batchMax,
    inFlight: 1,
    run: async (endings) => (await runBatch(endings, (some) => finishOnce(database, some))).map(undecidedIsFailed),
  });

  async function begin(wish: Parameters<Calls["begin"]>[0]): Promise<Begun> {
    const opening: CallOpening = { ...wish, id: wish.id ?? newId<"call">(clock.now().getTime()) };
    // Taken once: a first attempt whose answer was lost may be the one that stands, and the quarantine counts from it.
    const started = open.moment();
    for (;;) {
      const verdict = unwrap(await beginning(opening));
      if (verdict.kind === "again") continue;
      if (verdict.kind === "no_wallet") {
        await ensureWallets(database, [opening.workspaceId]);
        continue;
      }
      if (verdict.kind !== "begun") return verdict;
      const call = open.own({ id: opening.id, workspaceId: opening.workspaceId, fence: 1 }, started);
      return { kind: "begun", call, inFlight: verdict.inFlight };
    }
  }

  // The provider has answered and may have charged us: giving up here would lose money, so only a stop ends the trying.
  async function finish(ending: CallEnding, unkept?: Unkept): Promise<boolean> {
    let stored: CallEnding | null = null;
    const beganMs = clock.monotonicMs();
    const isFirst = await insist("an ending could not be stored yet", ending.call, async () => {
      stored ??= await answers.prepare(ending).catch((error: unknown) => {
        const triedMs = clock.monotonicMs() - beganMs;
        if (!unkept || !isUnkeepable(error) || triedMs < (unkept.isAwaited() ? keepAwaitedMs : keepMs)) throw error;
        return unkeptEnding(ending, unkept, error);
      });
      return unwrap(await finishing(stored));
    }).catch(async (error: unknown) => {
      if (!stopping.signal.aborted) await handOver(ending.call, handedOverSeconds);
      throw error;
    });
    open.forget(ending.call.id);
    waiters.ended(ending.call.id);
    return isFirst;
  }

  function unkeptEnding(ending: CallEnding, unkept: Unkept, error: unknown): Promise<CallEnding> {
    const isCharged = unkept.isAwaited() && ending.charge > 0n;
    deps.log.error({ callId: ending.call.id, isCharged, err: error }, "an answer could not be kept; its key says so");
    const charge = isCharged ? ending.charge : 0n;
    return answers.prepare({ ...ending, charge, answer: unkept.answerOf(isCharged) });
  }

  async function insist<T>(what: string, call: OpenCall, store: () => Promise<T>): Promise<T> {
    let refusals = 0;
    for (let waitMs = 100; ; waitMs = Math.min(2_000, waitMs * 2)) {
      try {
        return await store();
      } catch (error) {
        if (stopping.signal.aborted) throw error;
        // A sick server mends; what it refuses for what is in it is refused every time.
        if (!isPassing(error)) refusals += 1;
        if (refusals === refusalsMax) throw error;
        deps.log.warn({ callId: call.id, err: error }, what);
        await clock.sleep(waitMs, stopping.signal);
      }
    }
  }

  async function handOver(call: OpenCall, lookAfterSeconds: number): Promise<void> {
    await insist("a call could not be handed over yet", call, () => followCall(database, call, lookAfterSeconds));
    open.forget(call.id);
  }

  async function join(callId: CallId, signal: AbortSignal, wish?: JoinWish): Promise<Joined> {
    const leaving = new AbortController();
    const next = waiters.wait(callId, AbortSignal.any([signal, leaving.signal]));
    if (next === null) return { kind: "too_many_waiters" };
    try {
      for (;;) {
        const [call] = await findCalls(database, [callId]);
        if (!call) return { kind: "released" };
        if (call.state !== "open" && call.answeredAt !== null) {
          const answer = await answers.find(callId, call.answeredAt);
          return answer === null ? { kind: "released" } : { kind: "answered", answer };
        }
        if (signal.aborted) return { kind: "gave_up" };
        if (wish?.leavesUnknowable && isUnknowable(call)) return { kind: "unknowable" };
        await next();
      }
    } finally {
      leaving.abort();
    }
  }

  return {
    ownerId,
    begin,
    finish,
    join,
    open,
    waiters,
    answers,
    noteHandle: (call, handle) =>
      insist("a provider's handle could not be stored yet", call, () => noteHandle(database, call, handle)),
    handOver,
    finishWithin: finishAnyFence,
    settled(ids) {
      for (const id of ids) {
        open.forget(id);
        waiters.ended(id);
      }
    },
    find: async (id) => (await findCalls(database, [id]))[0] ?? null,
    replay: (callId, answeredAt) => answers.find(callId, answeredAt),
    start: () => insertOwner(database, ownerId),
    async close() {
      await beginning.close();
      stopping.abort();
      await finishing.close();
      waiters.close();
    },
  };
}

// A lost COMMIT answer is settled by reading the ids: what stands there under our name has begun, the rest has not.
// The lost statement may also come through after that look; then its row is in the way of the next attempt.
async function beginOnce(
  database: Database,
  openings: readonly CallOpening[],
  ownerId: OwnerId,
): Promise<BeginVerdict[]> {
  try {
    return await beginBatch(database, openings, ownerId);
  } catch (error) {
    const isLate = isUniqueViolation(error, "calls_pkey");
    // Of a batch the late one is not known yet: halved until it stands alone.
    if (isLate ? openings.length > 1 : !(error instanceof CommitUnknown)) throw error;
    const stored = await findCalls(
      database,
      openings.map((opening) => opening.id),
    );
    const begun = new Set(stored.filter((call) => call.ownerId === ownerId && call.fence === 1).map((call) => call.id));
    // Taken over before we learned that it had begun: it is not ours to send, and must not be begun beside it.
    if (isLate && begun.size < stored.length) throw new CommitUnknown(error);
    return openings.map((opening) => (begun.has(opening.id) ? { kind: "begun", inFlight: 0 } : { kind: "again" }));
  }
}

// One ending at a time decides: that a neighbour was ended by somebody else says nothing about the rest of the batch.
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

// Faults say themselves that another time may be better. Of PostgreSQL's own errors those about the server and not about
// the statement pass (53 resources, 55 locks, 57 an operator, 58 the system, XX the server itself), as do a file
// system's while it is full or away.
function isPassing(error: unknown): boolean {
  if (error instanceof Fault) return true;
  const code = errorCode(error) ?? "";
  return /^(?:08|40|53|55|57|58|XX)[0-9A-Z]{3}$/.test(code) || /^E[A-Z]{2,}$/.test(code);
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
