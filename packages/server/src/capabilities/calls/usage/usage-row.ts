// Usage as callers list it.

import type { Id, KeyId, RequestId } from "../../../foundation/ids.ts";
import type { Tags } from "../../../foundation/json/labels.ts";
import type { CallId, CallStep, RefusedAccount } from "../call/call-opening.ts";
import type { UsageSums } from "./usage-figures.ts";

export interface UsageFilter {
  // Inclusive.
  readonly from?: Date | undefined;
  // Exclusive.
  readonly to?: Date | undefined;
  readonly subject?: string | undefined;
  readonly outcome?: string | undefined;
  readonly apiKeyId?: KeyId | undefined;
  readonly tag?: UsageTag | undefined;
  readonly endUser?: string | undefined;
  readonly isReplay?: boolean | undefined;
  // The part of the subject before the colon.
  readonly family?: string | undefined;
  readonly isFailure?: boolean | undefined;
  // The id of a request, or of a call: then replays of its answer are included.
  readonly requestOrCallId?: string | undefined;
}

export interface UsageTag {
  readonly key: string;
  readonly value: string;
}

export type UsageId = Id<"usage">;

// Where a page ended. The time is text with microseconds: a Date would lose them, and rows with them.
export interface UsagePosition {
  readonly at: string;
  readonly id: string;
}

export interface UsageRow {
  readonly id: UsageId;
  readonly requestId: RequestId | null;
  readonly callId: CallId | null;
  readonly apiKeyId: KeyId | null;
  readonly tags: Tags | null;
  readonly endUser: string | null;
  readonly subject: string;
  readonly outcome: string;
  readonly status: number | null;
  // Micro-credits.
  readonly credits: bigint;
  readonly isReplay: boolean;
  readonly at: Date;
  readonly totalMs: number;
  readonly providerMs: number | null;
  readonly refusedAccount: RefusedAccount | null;
  readonly attempts: readonly CallStep[];
  readonly position: UsagePosition;
}

export interface UsageDay extends UsageSums {
  // A UTC day: 2026-01-31.
  readonly day: string;
  // Null if the sum covers all subjects.
  readonly subject: string | null;
}
