// A queued model call as callers see it: in reads, in lists and in its webhook.
import type { AcceptedModelRequest, ModelRequest, ModelRequestNotification } from "@atelier/contract";
import { asRouterBucket, isRequestReason, reasonBuckets } from "@atelier/contract";
import { type ModelRequestRecord, noticeType, type SeenRequest } from "../../capabilities/model-requests/index.ts";
import { creditsText } from "../../capabilities/prices/index.ts";
import { isWorkId } from "../../capabilities/providers/index.ts";

const statuses = { queued: "IN_QUEUE", running: "IN_PROGRESS", completed: "COMPLETED" } as const;

type Accepted = Pick<SeenRequest, "id" | "model" | "state" | "queuePosition">;

export function presentAccepted(baseUrl: string, request: Accepted): AcceptedModelRequest {
  const own = `${baseUrl}/v1/models/${request.model}/requests/${request.id}`;
  return {
    request_id: request.id,
    status: statuses[request.state],
    ...(request.queuePosition === null ? {} : { queue_position: request.queuePosition }),
    status_url: `${own}/status`,
    response_url: own,
    cancel_url: `${own}/cancel`,
  };
}

// Fields that do not apply yet are absent.
export function presentRequest(baseUrl: string, request: SeenRequest, heldUntil: Date | null = null): ModelRequest {
  const { model, createdAt, startedAt, completedAt, errorType, detail, creditsUsed } = request;
  return {
    ...presentAccepted(baseUrl, request),
    model,
    created_at: createdAt.toISOString(),
    ...(startedAt === null ? {} : { started_at: startedAt.toISOString() }),
    ...(completedAt === null ? {} : { completed_at: completedAt.toISOString() }),
    ...(errorType === null ? {} : failureOf(errorType)),
    ...(isDetail(detail) ? { detail } : {}),
    // The nodes of a work pay; its answer's header says how much.
    ...(creditsUsed === null || isWorkId(model) ? {} : { credits_used: creditsText(creditsUsed) }),
    ...(heldUntil === null ? {} : { hold_until: heldUntil.toISOString() }),
  };
}

// The row holds the most specific reason.
function failureOf(word: string): Pick<ModelRequest, "error_type" | "code"> {
  return isRequestReason(word) ? { error_type: reasonBuckets[word], code: word } : { error_type: asRouterBucket(word) };
}

function isDetail(detail: unknown): detail is NonNullable<ModelRequest["detail"]> {
  return typeof detail === "string" || Array.isArray(detail);
}

export function requestNotice(baseUrl: string, request: ModelRequestRecord): Buffer {
  const body: ModelRequestNotification = {
    ...presentRequest(baseUrl, { ...request, queuePosition: null }),
    sequence: 1,
    type: noticeType,
  };
  return Buffer.from(JSON.stringify(body));
}

// When to look again: soon while the request is young, less often the longer it takes and the more requests are ahead of it.
const pauses: readonly (readonly [ageSeconds: number, pauseSeconds: number])[] = [
  [15, 1],
  [60, 2],
  [300, 5],
  [1_800, 10],
];
const pauseSecondsMax = 30;
const positionsPerSecond = 20;

export function lookAgainSeconds({ createdAt, queuePosition }: SeenRequest, now: Date): number {
  const ageSeconds = (now.getTime() - createdAt.getTime()) / 1000;
  const byAge = pauses.find(([age]) => ageSeconds < age)?.[1] ?? pauseSecondsMax;
  const byPosition = Math.ceil((queuePosition ?? 0) / positionsPerSecond);
  return Math.min(pauseSecondsMax, Math.max(byAge, byPosition));
}
