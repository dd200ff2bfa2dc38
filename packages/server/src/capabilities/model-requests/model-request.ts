// A queued model call as we store it. Its id is also the id of the call that pays for it, our reference at the provider and
// the subject of its webhook, so knowing one means knowing all.

import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Tags } from "../../foundation/json/labels.ts";
import type { CallId, OpenCall, StoredCall } from "../calls/index.ts";

export type ModelRequestId = CallId;
// Its one event.
export const noticeType = "model_request.completed";

export type ModelRequestState = "queued" | "running" | "completed";

export interface ModelRequestRecord {
  readonly id: ModelRequestId;
  readonly workspaceId: WorkspaceId;
  // "provider/model".
  readonly model: string;
  readonly state: ModelRequestState;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly webhookUrl: string | null;
  // The bucket of a failure. Null if it succeeded or has not completed.
  readonly errorType: string | null;
  // What the answer says about the failure.
  readonly detail: unknown;
  // In micro-credits.
  readonly creditsUsed: bigint | null;
}

// Adds the position: how many of the workspace's requests wait before this one. Null unless it waits.
export interface SeenRequest extends ModelRequestRecord {
  readonly queuePosition: number | null;
}

// Where to find a request: always within its workspace, and under its model.
export interface RequestLocator {
  readonly workspaceId: WorkspaceId;
  readonly id: ModelRequestId;
  readonly model: string;
}

// Stored in the call, so the follower can tell that the call belongs to a request.
export const requestContext = { request: true } as const;

export function isRequestContext(context: unknown): boolean {
  return typeof context === "object" && context !== null && Reflect.get(context, "request") === true;
}

// Above this size a body becomes a blob: a row would slow down every batch that carries it.
export const inlineBodyBytesMax = 256 * 1024;

// Decisions, section 10.
export const resultKeptHours = 24;

type CarriedOfCall = "hold" | "apiKeyId" | "requestId" | "endUser" | "priceRecordId" | "definitionVersion" | "context";

export interface ClaimedRequest extends OpenCall, Pick<StoredCall, CarriedOfCall> {
  readonly model: string;
  readonly body: Buffer | null;
  readonly bodyBlob: string | null;
  readonly createdAt: Date;
  // How often it was begun, including this time.
  readonly attempts: number;
  readonly waitedMs: number;
  readonly tags: Tags | null;
}
