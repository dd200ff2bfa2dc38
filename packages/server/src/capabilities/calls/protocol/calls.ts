// Money and once-ness behind two operations. Everything paid for (router, partner tasks, jobs, engine nodes) passes through
// here; nothing else touches a wallet or an idempotency key.
//   begin → begun: key, hold, slot and intent are one committed transaction; only now may anything be sent.
//   finish: the end, settlement, recorded answer and usage row are one transaction; only then is the caller answered.
import type { Bus } from "../../../foundation/bus/bus.ts";
import type { Clock } from "../../../foundation/clock.ts";
import type { Database, Queryable } from "../../../foundation/database/index.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Log } from "../../../foundation/log.ts";
import { processIdentity } from "../../../foundation/process-identity.ts";
import { type AnswerBlobs, createRecordedAnswers } from "../answers/recorded-answers.ts";
import type {
  CallEnding,
  CallId,
  CallOpening,
  CountedOpening,
  OpenCall,
  Opened,
  OwnerId,
  RecordedAnswer,
  Redirection,
  SeenAnswer,
} from "../call/call-opening.ts";
import {
  findCalls,
  findCallsOfJobs,
  followCall,
  insertOwner,
  noteHandle,
  ownsCall,
  redirectCall,
  renewCall,
} from "../call/call-store.ts";
import { createOpenCalls, type OpenCalls, type OwnedCall } from "../call/open-calls.ts";
import type { StoredCall } from "../call/stored-call.ts";
import { beginWithin } from "../rounds/begin-batch.ts";
import { ensureWallets } from "../rounds/begin-store.ts";
import type { BeginVerdict } from "../rounds/begin-verdict.ts";
import { type CountedBegins, createCountedBegins } from "../rounds/counted-begins.ts";
import { createLedgerRounds, type LedgerRounds } from "../rounds/ledger-rounds.ts";
import { callFinisher, type Unkept } from "./finish-calls.ts";
import { finishAnyFence, finishFenced } from "./finish-within.ts";
import { type Insist, insisting } from "./insist.ts";
import { type Joined, type JoinOptions, joinCall } from "./join-call.ts";
import { createWaiters, type Waiters } from "./waiters.ts";

export type Begun =
  | { readonly kind: "begun"; readonly call: OwnedCall; readonly inFlight: number }
  | Exclude<Opened, { kind: "begun" }>;

// An opening without an id gets one.
export type BeginCall = (opening: CallOpening | Omit<CallOpening, "id">) => Promise<Begun>;

export interface Calls {
  readonly ownerId: OwnerId;
  readonly begin: BeginCall;
  // The same for a call that counts against budgets, and has to reserve nothing else. Null if that has to be weighed exactly: then
  // reserve, and begin it under the same id.
  beginCounted(opening: CountedOpening): Promise<Begun | null>;
  // Stores the ending before it returns, however long the database or its disk is away. If the ending cannot be stored at
  // all, the call goes to the follower before this throws, so no call stays open without an owner. False if the call has
  // already ended or another process owns it by now; then answer the caller with `join`. `unkept` says what to do with an
  // answer there is no room for. Without it we retry for ever.
  finish(ending: CallEnding, unkept?: Unkept): Promise<boolean>;
  // Stores the provider's handle for our work before we wait for it, so a successor can continue. As persistent as finish.
  noteHandle(call: OpenCall, handle: unknown): Promise<boolean>;
  // The connection is gone but the call continues: the follower asks the provider until it ends. As persistent as finish,
  // because a call that is neither finished nor followed would stay open for ever. `told` is what the caller is answered
  // meanwhile; the usage row records it.
  handOver(call: OwnedCall, lookAfterSeconds: number, answered?: AnsweredMeanwhile): Promise<void>;
  // For calls whose end belongs to another capability's row (a task at a partner). That capability writes its row and parks
  // the call (open, not followed) in one statement, and later ends it in the transaction that ends the task. Then it calls
  // `settled` to wake the waiters. Returns the calls it ended.
  finishWithin(tx: Queryable, endings: readonly CallEnding[]): Promise<ReadonlySet<CallId>>;
  settled(ids: readonly CallId[]): void;
  // The same, using the fences in the endings: for calls that a process owns while they run.
  finishFenced(tx: Queryable, endings: readonly CallEnding[]): Promise<ReadonlySet<CallId>>;
  // Prepares an ending for those two: headers allow-listed, a large body moved to a blob. As persistent as finish.
  prepare(ending: CallEnding, unkept?: Unkept): Promise<CallEnding>;
  // For anything that must be stored in another capability's transaction: retries however long the database is away.
  readonly insist: Insist;
  // For calls that begin together with another capability's row. Returns the statement's raw verdicts: the caller has to
  // handle `again` and `no_wallet`.
  beginWithin(tx: Queryable, openings: readonly CallOpening[], isExact: boolean): Promise<BeginVerdict[]>;
  makeWallets(workspaceIds: readonly WorkspaceId[]): Promise<void>;
  renew(call: OpenCall, by: { readonly definitionVersion: number | null; readonly context: unknown }): Promise<boolean>;
  // Whether it is open and no other process has taken it over.
  owns(call: OpenCall): Promise<boolean>;
  // Stores that the call continues somewhere else. Only then may anything be sent there. Null if another process owns it.
  redirect(call: OpenCall, to: Redirection): Promise<OwnedCall | null>;
  find(id: CallId): Promise<StoredCall | null>;
  // Open calls that nodes of these jobs made.
  ofJobs(jobs: { readonly workspaceId: WorkspaceId; readonly jobIds: readonly string[] }): Promise<StoredCall[]>;
  replay(callId: CallId, answeredAt: Date): Promise<RecordedAnswer | null>;
  join(callId: CallId, signal: AbortSignal, options?: JoinOptions): Promise<Joined>;
  readonly open: OpenCalls;
  readonly waiters: Waiters;
  start(): Promise<void>;
  close(): Promise<void>;
}

export type AnsweredMeanwhile = Pick<CallEnding, "outcome"> & {
  readonly usage: CallEnding["usage"] & { readonly status: number };
};

export interface CallsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly bus: Bus;
  readonly blobs: AnswerBlobs;
  // How long after its intent a call may still be sent: a third of the lease.
  readonly sendWithinMs?: number;
}

// Gives the operator time to fix it: the follower gets the same answer from the provider and hits the same obstacle.
const handedOverSeconds = 30;

export function createCalls(deps: CallsDeps): Calls {
  const { database, clock, log } = deps;
  const ownerId = newId<"call-owner">();
  const open = createOpenCalls(clock, deps.sendWithinMs);
  const waiters = createWaiters(deps);
  const answers = createRecordedAnswers(deps);
  const stopping = new AbortController();
  const insist = insisting({ clock, log, stopping: stopping.signal });
  const rounds = createLedgerRounds({ database, ownerId });
  const countedBegins = createCountedBegins({ database, ownerId });
  const finisher = callFinisher({ rounds, clock, log, answers, insist });

  async function handOver(call: OpenCall, lookAfterSeconds: number, answered?: AnsweredMeanwhile): Promise<void> {
    const seen = answered ? seenOf(answered) : null;
    await insist("a call could not be handed over yet", call, () => followCall(database, call, lookAfterSeconds, seen));
    open.forget(call.id);
  }

  function settled(ids: readonly CallId[]): void {
    for (const id of ids) {
      open.forget(id);
      waiters.ended(id);
    }
  }

  return {
    ownerId,
    ...beginning({ database, clock, open, rounds, countedBegins }),
    async finish(ending, unkept) {
      const isFirst = await finisher.finish(ending, unkept).catch(async (error: unknown) => {
        if (!stopping.signal.aborted) await handOver(ending.call, handedOverSeconds);
        throw error;
      });
      settled([ending.call.id]);
      return isFirst;
    },
    join: (callId, signal, options) => joinCall({ database, waiters, answers }, callId, signal, options),
    open,
    waiters,
    noteHandle: (call, handle) =>
      insist("a provider's handle could not be stored yet", call, () => noteHandle(database, call, handle)),
    handOver,
    finishWithin: finishAnyFence,
    finishFenced,
    prepare: (ending, unkept) => finisher.prepare(ending, unkept),
    insist,
    beginWithin: (tx, openings, isExact) => beginWithin(tx, openings, ownerId, isExact),
    makeWallets: (workspaceIds) => ensureWallets(database, workspaceIds),
    ofJobs: (jobs) => findCallsOfJobs(database, jobs),
    owns: (call) => ownsCall(database, call),
    renew: (call, by) => renewCall(database, call, by),
    redirect: (call, to) => redirect(database, open, call, to),
    settled,
    find: async (id) => (await findCalls(database, [id]))[0] ?? null,
    replay: (callId, answeredAt) => answers.find(callId, answeredAt),
    start: () => insertOwner(database, ownerId, processIdentity()),
    async close() {
      await Promise.all([rounds.closeBeginning(), countedBegins.close()]);
      stopping.abort();
      await rounds.close();
    },
  };
}

interface BeginningDeps extends Pick<CallsDeps, "database" | "clock"> {
  readonly open: OpenCalls;
  readonly rounds: Pick<LedgerRounds, "begin">;
  readonly countedBegins: Pick<CountedBegins, "begin">;
}

function beginning({
  database,
  clock,
  open,
  rounds,
  countedBegins,
}: BeginningDeps): Pick<Calls, "begin" | "beginCounted"> {
  const begunOf = (
    { id, workspaceId }: Pick<CallOpening, "id" | "workspaceId">,
    verdict: Opened,
    started: ReturnType<OpenCalls["moment"]>,
  ): Begun => {
    if (verdict.kind !== "begun") return verdict;
    return { kind: "begun", call: open.own({ id, workspaceId, fence: 1 }, started), inFlight: verdict.inFlight };
  };
  return {
    // Each caller gets its verdict. Calls that only need another round get it here.
    async begin(given) {
      const opening = "id" in given ? given : { ...given, id: newId<"call">(clock.now().getTime()) };
      // Taken once: if the answer to the first attempt was lost, that attempt may count, and the quarantine starts with it.
      const started = open.moment();
      for (;;) {
        const verdict = await rounds.begin(opening);
        if (verdict.kind === "again") continue;
        if (verdict.kind === "no_wallet") {
          await ensureWallets(database, [opening.workspaceId]);
          continue;
        }
        return begunOf(opening, verdict, started);
      }
    },
    async beginCounted(opening) {
      const started = open.moment();
      const verdict = await countedBegins.begin(opening);
      if (verdict.kind === "uncounted" || verdict.kind === "again" || verdict.kind === "no_wallet") return null;
      return begunOf(opening, verdict, started);
    },
  };
}

// From here on the time in which it may be sent counts again.
async function redirect(db: Database, open: OpenCalls, call: OpenCall, to: Redirection): Promise<OwnedCall | null> {
  const started = open.moment();
  return (await redirectCall(db, call, to)) ? open.own(call, started) : null;
}

function seenOf({ outcome, usage }: AnsweredMeanwhile): SeenAnswer {
  const { attempts } = usage;
  return { ...(usage.seen ?? { status: usage.status, outcome }), ...(attempts ? { attempts } : {}) };
}
