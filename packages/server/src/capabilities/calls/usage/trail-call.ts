// A call as the trail of its request shows it.
import type { StoredCall } from "../call/stored-call.ts";

type SeenOfCall = Pick<StoredCall, "id" | "subject" | "state" | "outcome" | "begunAt" | "apiKeyId" | "requestId">;

export interface TrailCall extends SeenOfCall, Pick<StoredCall, "definitionVersion" | "answeredAt"> {
  readonly idempotencyKey: string | null;
  // In micro-credits.
  readonly hold: string;
  readonly settled: string | null;
  readonly finishedAt: Date | null;
  readonly answerStatus: number | null;
  readonly answerType: string | null;
  readonly answerBytes: string | null;
  // Ids of assets, separated by commas.
  readonly keptOutputs: string | null;
  // When the key was answered. Null if it is open or free again.
  readonly keyAnsweredAt: Date | null;
  readonly replays: string;
}

// A call as its Idempotency-Key finds it.
export type KeyedCall = Pick<TrailCall, "id" | "subject" | "outcome" | "begunAt" | "requestId">;
