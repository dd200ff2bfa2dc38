// Recorded answers. Small ones live in the row, large ones become blobs: above 256 KiB a row would slow down every batch
// that carries it. Only allow-listed headers are kept, so nothing of a provider's (cookies, hops) can be replayed.
import type { Database, Queryable } from "../../../foundation/database/index.ts";
import { type CallEnding, type CallId, type RecordedAnswer, recordedAnswerOf } from "../call/call-opening.ts";
import { findAnswer } from "./answer-store.ts";

const inlineBytesMax = 256 * 1024;

export const answerHolderKind = "answer";

// The part of blob storage we need.
export interface AnswerBlobs {
  keep(bytes: Buffer, holder: { kind: "answer"; id: string }): Promise<string>;
  read(hash: string): Promise<Buffer | null>;
  release(tx: Queryable, hash: string, holder: { kind: "answer"; id: string }): Promise<void>;
}

const recordedHeaders = new Set([
  "content-type",
  "x-service-error-type",
  "x-service-error-reason",
  "x-service-upstream-status",
  "x-service-credits-used",
  "x-service-route-target",
  "x-service-dropped-params",
  "x-service-kept-outputs",
  "retry-after",
]);

export interface RecordedAnswers {
  // The ending as it is stored: headers allow-listed, a large body moved to a blob.
  prepare(ending: CallEnding): Promise<CallEnding>;
  find(callId: CallId, answeredAt: Date): Promise<RecordedAnswer | null>;
}

export function createRecordedAnswers(deps: { database: Database; blobs: AnswerBlobs }): RecordedAnswers {
  return {
    async prepare(ending) {
      const answer = recordedAnswerOf(ending);
      if (answer === null) return ending;
      const as = ending.answer === null ? "sent" : "answer";
      const headers: Record<string, string> = {};
      for (const name in answer.headers) {
        const value = answer.headers[name];
        if (value !== undefined && recordedHeaders.has(name)) headers[name] = value;
      }
      if (answer.body.byteLength <= inlineBytesMax) return { ...ending, [as]: { ...answer, headers } };
      const hash = await deps.blobs.keep(answer.body, { kind: "answer", id: ending.call.id });
      return {
        ...ending,
        [as]: { ...answer, headers, body: emptyBody, blob: { hash, bytes: answer.body.byteLength } },
      };
    },
    async find(callId, answeredAt) {
      const stored = await findAnswer(deps.database, callId, answeredAt);
      if (stored === null) return null;
      const body = stored.blobHash === null ? stored.body : await deps.blobs.read(stored.blobHash);
      return body === null ? null : { status: stored.status, headers: stored.headers, body };
    },
  };
}

const emptyBody = Buffer.alloc(0);
