// A queued model call, as we keep it. Its id is the id of the call that pays for it, our reference at the provider and the
// subject of its webhook: holding one of them is holding all.
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { CallId } from "../calls/index.ts";

export type ModelRequestId = CallId;
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
  // The bucket of a failure; null: it succeeded, or has not completed.
  readonly errorType: string | null;
  // What the answer says about the failure.
  readonly detail: unknown;
  // In micro-credits.
  readonly creditsUsed: bigint | null;
}

// With what is ahead of it: how many requests of the workspace wait before this one; null unless it waits itself.
export interface SeenRequest extends ModelRequestRecord {
  readonly queuePosition: number | null;
}

// Where a request is looked for: always with its workspace, and under its model.
export interface RequestLocator {
  readonly workspaceId: WorkspaceId;
  readonly id: ModelRequestId;
  readonly model: string;
}

// What stands in the call: the follower sees by it that the call belongs to a request.
export const requestContext = { request: true } as const;

export function isRequestContext(context: unknown): boolean {
  return typeof context === "object" && context !== null && Reflect.get(context, "request") === true;
}

// Above this a body is a blob: a row would weigh on every batch that carries it.
export const inlineBodyBytesMax = 256 * 1024;

// Decisions, section 10.
export const resultKeptHours = 24;
