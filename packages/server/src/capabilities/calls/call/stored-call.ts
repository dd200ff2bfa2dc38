// A call as we store it.
import type { KeyId, RequestId } from "../../../foundation/ids.ts";
import type { Labels } from "../../../foundation/json/labels.ts";
import type { OpenCall, OwnerId, Recovery } from "./call-opening.ts";

export interface StoredCall extends OpenCall {
  readonly subject: string;
  readonly state: "open" | "finished" | "unknown";
  readonly outcome: string | null;
  readonly ownerId: OwnerId | null;
  readonly hold: bigint;
  readonly recovery: Recovery;
  readonly priceRecordId: string | null;
  readonly pricedInput: unknown;
  readonly handle: unknown;
  readonly longestRunSeconds: number;
  readonly begunAt: Date;
  readonly answeredAt: Date | null;
  readonly notFoundTimes: number;
  // How long ago we found the process that may have sent it gone. Null if that process may still be alive, or the call was
  // not taken over.
  readonly senderDeadSeconds: number | null;
  // Whether the follower looks at it, now or later.
  readonly isFollowed: boolean;
  readonly apiKeyId: KeyId | null;
  readonly requestId: RequestId | null;
  // What it is counted under.
  readonly tags: Labels["tags"];
  readonly endUser: string | null;
  readonly definitionVersion: number | null;
  readonly context: unknown;
  // Seconds since the intent was committed, by the database's clock.
  readonly ageSeconds: number;
}
