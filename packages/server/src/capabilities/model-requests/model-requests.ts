// Queued model calls, assembled. A request is a row next to the call that pays for it:
//   submitted  call and row in one commit; the call is open and held, and takes no slot
//   claimed    a process takes the slot, the call and the row in one statement: the intent to send
//   run        by the code of a synchronous call, which is passed in
//   ended      row, money, answer, key and notice in one transaction, by the fence of the call
// If a process dies, waiting requests stay where they are. Requests it had begun go to the follower, which ends them in the
// same way or, if nothing was sent, puts them back.
import type { Background } from "../../foundation/background.ts";
import type { Queryable } from "../../foundation/database/index.ts";
import { AwayFault } from "../../foundation/fault.ts";
import {
  type Begun,
  type CallEnding,
  type CallLifecycle,
  type CallOpening,
  type Calls,
  type OpenCall,
  type RecordedAnswer,
  recordedAnswerOf,
  type StoredCall,
  type Unkept,
} from "../calls/index.ts";
import { leaveSlot } from "../calls/shared-sql.ts";
import type { Webhooks } from "../webhooks/index.ts";
import { putBack } from "./claim-store.ts";
import { type DispatchDeps, type RequestDispatcher, type RunRequest, requestDispatcher } from "./dispatcher.ts";
import { requestEnder } from "./end-requests.ts";
import type { ClaimedRequest, ModelRequestRecord, RequestLocator, SeenRequest } from "./model-request.ts";
import { findRequest, findRun, type ListedRequests, listRequests } from "./request-store.ts";
import { endingUnrun, type RequestUpkeep, requestUpkeep } from "./request-upkeep.work.ts";
import { type RequestBlobs, requestSubmitter, type SubmittedRequest } from "./submit-requests.ts";

export type Cancelled =
  | { readonly kind: "cancelled"; readonly request: SeenRequest }
  // The provider has it, or has had it.
  | { readonly kind: "running" | "completed" | "not_found" };

export interface ModelRequests {
  // Replaces the begin of a call. Throws queue_backlog_full.
  begin(opening: CallOpening, request: SubmittedRequest): Promise<Begun>;
  find(locator: RequestLocator): Promise<SeenRequest | null>;
  list(wanted: ListedRequests): Promise<SeenRequest[]>;
  // What the synchronous call would have answered. Null if the answer is gone or not there yet.
  answer(request: ModelRequestRecord): Promise<RecordedAnswer | null>;
  cancel(locator: RequestLocator): Promise<Cancelled>;
  // For running a request: where the outcome of its call is recorded.
  readonly lifecycle: CallLifecycle;
  bodyOf(request: ClaimedRequest): Promise<Buffer | null>;
  // Nothing was sent, so it waits again. False if another process owns it by now.
  putBack(call: OpenCall): Promise<boolean>;
  // For the follower: whether the call is a request that waits, runs, or died with the process that ran it.
  stateOf(call: StoredCall): Promise<"waiting" | "running" | "died" | "gone">;
  endFollowed(call: StoredCall, ending: CallEnding, unkept?: Unkept): Promise<boolean>;
  readonly dispatcher: RequestDispatcher;
  readonly upkeep: RequestUpkeep;
  run(background: Background, run: RunRequest, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface ModelRequestsDeps extends DispatchDeps {
  // Where lists are read from. Defaults to the database.
  readonly lists?: Queryable;
  readonly calls: Calls;
  readonly blobs: RequestBlobs;
  readonly webhooks: Pick<Webhooks, "enqueue" | "wake">;
  readonly queueSeconds: number;
  readonly lostAfterSeconds: number;
  // How the area phrases what became of a request.
  readonly words: RequestWords;
}

export interface RequestWords {
  noticeOf(request: ModelRequestRecord): Buffer;
  cancelled(): RecordedAnswer;
  timedOut(): RecordedAnswer;
  // It was begun over and over, and its process died each time.
  gaveUp(): RecordedAnswer;
}

// A request that kills its process every time must not kill all of them for ever.
const attemptsMax = 10;

export function createModelRequests(deps: ModelRequestsDeps): ModelRequests {
  const { database, calls, words } = deps;
  const submitter = requestSubmitter(deps);
  const dispatcher = requestDispatcher(deps);
  const ender = requestEnder({ ...deps, noticeOf: words.noticeOf, ended: () => undefined });

  async function back(call: OpenCall): Promise<boolean> {
    const isBack = await calls.insist("a request could not be put back yet", call, () =>
      database
        .transaction(async (tx) => {
          const done = await putBack(tx, call, deps.queueSeconds);
          // Roll back: half of it must not remain.
          if (!done) throw new NotPutBack();
          return true;
        })
        .catch((error: unknown) => {
          if (error instanceof NotPutBack) return false;
          throw error;
        }),
    );
    calls.open.forget(call.id);
    dispatcher.wake();
    return isBack;
  }

  async function leave(call: OpenCall): Promise<void> {
    await calls.insist("a slot could not be given back yet", call, () => leaveSlot(database, call));
    dispatcher.wake();
  }

  const upkeep = requestUpkeep({ ...deps, ender, timedOut: words.timedOut, putBack: back });
  return {
    async begin(opening, request) {
      const begun = await submitter.begin(opening, request);
      if (begun.kind === "begun") dispatcher.wake();
      return begun;
    },
    find: (locator) => findRequest(database, locator),
    list: (wanted) => listRequests(deps.lists ?? database, wanted),
    async answer({ id, completedAt }) {
      return completedAt === null ? null : calls.replay(id, completedAt);
    },
    cancel: (locator) => cancel({ database, calls, ender, words }, locator),
    lifecycle: requestLifecycle({ calls, ender, leave }),
    async bodyOf({ body, bodyBlob }) {
      return bodyBlob === null ? body : deps.blobs.read(bodyBlob);
    },
    putBack: back,
    async stateOf(call) {
      const run = await findRun(database, call);
      if (run === null) return "gone";
      if (run.state === "queued") return "waiting";
      return run.runnerId === calls.ownerId ? "running" : "died";
    },
    async endFollowed(call, ending, unkept) {
      if (recordedAnswerOf({ ...ending, isKept: true }) !== null) return ender.end("running", ending, unkept);
      // No answer to record means that nothing was asked of the provider.
      const run = await findRun(database, call);
      if (run === null) return calls.finish(ending, unkept);
      if (run.attempts < attemptsMax) return back(call);
      return ender.end("running", endingUnrun(call, "provider_error", words.gaveUp(), false));
    },
    dispatcher,
    upkeep,
    async run(background, run, signal) {
      await Promise.all([dispatcher.run(background, run, signal), upkeep.run(background, signal)]);
    },
    async close() {
      await submitter.close();
      await ender.close();
    },
  };
}

class NotPutBack extends Error {}

interface CancelDeps extends Pick<ModelRequestsDeps, "database" | "words"> {
  readonly calls: Pick<Calls, "find">;
  readonly ender: ReturnType<typeof requestEnder>;
}

const looksMax = 5;

// The locked row decides between this and a process that begins the request at the same moment.
async function cancel({ database, calls, ender, words }: CancelDeps, locator: RequestLocator): Promise<Cancelled> {
  for (let look = 0; look < looksMax; look++) {
    const request = await findRequest(database, locator);
    if (request === null) return { kind: "not_found" };
    if (request.state !== "queued") return { kind: request.state };
    const call = await calls.find(request.id);
    // The key keeps answering with this request: a late duplicate must not revive a cancelled one.
    if (call !== null && (await ender.end("queued", endingUnrun(call, "cancelled", words.cancelled(), true)))) {
      const cancelled = await findRequest(database, locator);
      return cancelled === null ? { kind: "not_found" } : { kind: "cancelled", request: cancelled };
    }
  }
  throw new AwayFault("The request could not be cancelled right now. Try again.", null);
}

// Its end is the request's end.
function requestLifecycle({
  calls,
  ender,
  leave,
}: {
  readonly calls: Calls;
  readonly ender: Pick<ReturnType<typeof requestEnder>, "end">;
  leave(call: OpenCall): Promise<void>;
}): CallLifecycle {
  return {
    async finish(ending, unkept) {
      const isOwned = await ender.end("running", ending, unkept);
      if (!isOwned) calls.open.forget(ending.call.id);
      return isOwned;
    },
    owns: (call) => calls.owns(call),
    noteHandle: (call, handle) => calls.noteHandle(call, handle),
    handOver: (call, seconds, answered) => calls.handOver(call, seconds, answered),
    join: async () => ({ kind: "released" }),
    leaveSlot: leave,
  };
}
