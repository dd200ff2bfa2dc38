// Ends requests. State, recorded answer, money, slot, the key's 24 hours, usage row and the webhook's notice are one
// transaction, shared by requests that end together. A running request ends by its call's fence, so a process that no longer
// owns it changes nothing; a waiting one ends by its own locked row.
import { type Database, groupCommit, type Queryable } from "../../foundation/database/index.ts";
import { jsonOrUndefined } from "../../foundation/json/foreign-json.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import {
  type CallEnding,
  type Calls,
  type ItemResult,
  type RecordedAnswer,
  recordedAnswerOf,
  runBatch,
  type Unkept,
  unwrap,
} from "../calls/index.ts";
import { type Addressed, type Notice, noticeBytesMax, type Webhooks } from "../webhooks/index.ts";
import { type Completed, completeRequests, type EndedRequest } from "./end-store.ts";
import { type ModelRequestId, type ModelRequestRecord, type ModelRequestState, noticeType } from "./model-request.ts";
import type { RequestBlobs } from "./submit-requests.ts";

export interface EndDeps {
  readonly database: Database;
  readonly calls: Pick<Calls, "prepare" | "insist" | "finishWithin" | "finishFenced" | "settled">;
  readonly blobs: Pick<RequestBlobs, "release">;
  readonly webhooks: Pick<Webhooks, "enqueue" | "wake">;
  // The body for the webhook: the request as a read shows it.
  noticeOf(request: ModelRequestRecord): Buffer;
  // Called when slots have become free.
  ended(): void;
}

export interface RequestEnder {
  // Stores the end before it returns, however long the database or its disk is away. False if the request was no longer in
  // that state, or the call has another owner.
  end(from: Exclude<ModelRequestState, "completed">, ending: CallEnding, unkept?: Unkept): Promise<boolean>;
  close(): Promise<void>;
}

const batchMax = 128;

class TakenOver extends Error {}

export function requestEnder(deps: EndDeps): RequestEnder {
  const enderOf = (from: EndedRequest["from"]) =>
    groupCommit<CallEnding, ItemResult<boolean>>({
      maxBatch: batchMax,
      // One batch at a time: for a busy workspace a second one would only wait for the wallet, with fewer endings in each.
      inFlight: 1,
      run: (endings) => runBatch(endings, (some) => endAll(deps, from, some)),
    });
  const enders = { queued: enderOf("queued"), running: enderOf("running") };
  return {
    async end(from, ending, unkept) {
      const stored = await deps.calls.prepare({ ...ending, isKept: true }, unkept);
      return deps.calls.insist("the end of a request could not be stored yet", ending.call, async () => {
        try {
          return unwrap(await enders[from](stored));
        } catch (error) {
          if (error instanceof TakenOver) return false;
          throw error;
        }
      });
    },
    async close() {
      await Promise.all([enders.queued.close(), enders.running.close()]);
    },
  };
}

async function endAll(
  deps: EndDeps,
  from: EndedRequest["from"],
  endings: readonly CallEnding[],
): Promise<readonly boolean[]> {
  const { done, told } = await deps.database.transaction((tx) => endWithin(deps, tx, from, endings));
  deps.webhooks.wake(told);
  deps.calls.settled([...done.keys()]);
  deps.ended();
  return endings.map(({ call }) => done.has(call.id));
}

async function endWithin(
  deps: EndDeps,
  tx: Queryable,
  from: EndedRequest["from"],
  endings: readonly CallEnding[],
): Promise<{ done: ReadonlyMap<ModelRequestId, Completed>; told: readonly Addressed[] }> {
  const done = await completeRequests(
    tx,
    endings.map((ending) => endedOf(from, ending)),
  );
  const notices = [...done.values()].flatMap((one) =>
    one.request.webhookUrl === null && !one.isAskedFor ? [] : [notice(deps, one)],
  );
  for (const [id, { bodyBlob }] of done) if (bodyBlob !== null) await deps.blobs.release(tx, bodyBlob, id);
  const told = await deps.webhooks.enqueue(tx, notices);
  // Wallets last, because everything a workspace does shares them.
  const mine = endings.filter(({ call }) => done.has(call.id));
  if (mine.length > 0) {
    const finish = from === "running" ? deps.calls.finishFenced : deps.calls.finishWithin;
    const finished = await finish(tx, mine);
    if (mine.some(({ call }) => !finished.has(call.id))) throw new TakenOver("another process has taken over a call");
  }
  return { done, told };
}

function endedOf(from: EndedRequest["from"], ending: CallEnding): EndedRequest {
  const { id, workspaceId } = ending.call;
  const answer = recordedAnswerOf(ending);
  const headers = answer?.headers ?? {};
  const errorType = headers["x-service-error-reason"] ?? headers["x-service-error-type"] ?? null;
  const detail = errorType === null || answer === null ? null : detailOf(answer);
  return { id, workspaceId, from, errorType, detail, charge: ending.charge };
}

const detailBytesMax = 64 * 1024;

// From the router's own error body. If it is too large for a status, callers read it as the result.
function detailOf({ body }: RecordedAnswer): unknown {
  if (body.byteLength > detailBytesMax) return null;
  const answer = jsonOrUndefined(body);
  const detail = isRecord(answer) ? answer["detail"] : null;
  return typeof detail === "string" || Array.isArray(detail) ? detail : null;
}

function notice(deps: EndDeps, { request, tags }: Completed): Notice {
  const body = deps.noticeOf(request);
  // Too large for any receiver: the webhook says what happened, and the receiver reads the rest.
  const small = body.byteLength <= noticeBytesMax ? body : deps.noticeOf({ ...request, detail: null });
  const { workspaceId, id: subjectId, webhookUrl: url, model } = request;
  return { workspaceId, subjectId, sequence: 1, url, type: noticeType, facts: { tags, model }, body: small };
}
