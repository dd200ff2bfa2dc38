// A call as the trail of its request shows it.
import type { KeyId, RequestId } from "../../../foundation/ids.ts";
import type { CallId } from "../call/call-opening.ts";
import type { StoredCall } from "../call/stored-call.ts";

export interface TrailCall {
  readonly id: CallId;
  readonly subject: string;
  readonly state: StoredCall["state"];
  readonly outcome: string | null;
  readonly idempotencyKey: string | null;
  // In micro-credits.
  readonly hold: string;
  readonly settled: string | null;
  readonly begunAt: Date;
  readonly finishedAt: Date | null;
  readonly apiKeyId: KeyId | null;
  readonly requestId: RequestId | null;
  readonly definitionVersion: number | null;
  readonly answerStatus: number | null;
  readonly answerType: string | null;
  readonly answerBytes: string | null;
  // Ids of assets, separated by commas.
  readonly keptOutputs: string | null;
  readonly answeredAt: Date | null;
  // When the key was answered. Null if it is open or free again.
  readonly keyAnsweredAt: Date | null;
  readonly replays: string;
}

// A call as its Idempotency-Key finds it.
export type KeyedCall = Pick<TrailCall, "id" | "subject" | "outcome" | "begunAt" | "requestId">;
