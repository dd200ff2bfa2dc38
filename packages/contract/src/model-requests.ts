// Queued model calls: submitted now, run when the workspace has a slot, collected later (decisions, section 10).
import { type Static, Type } from "typebox";
import { RouterValidationEntry } from "./error-bodies.ts";
import { ModelId } from "./models.ts";
import { PageQuery, pageOf } from "./pagination.ts";
import { RequestReason } from "./request-reasons.ts";
import { RouterBucket } from "./router-buckets.ts";
import { Credits, entity, Timestamp, Uuid, wordOf } from "./wire-values.ts";

export const modelRequestStatuses = ["IN_QUEUE", "IN_PROGRESS", "COMPLETED"] as const;

export const ModelRequestStatus = wordOf(modelRequestStatuses, {
  title: "ModelRequestStatus",
  description: "Every request ends as COMPLETED. One that failed or was cancelled then has an error_type.",
});

const link = (description: string) => Type.String({ format: "uri", maxLength: 2_048, description });

const accepted = {
  request_id: Uuid,
  status: ModelRequestStatus,
  queue_position: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "How many of the workspace's requests are ahead of it. Only while IN_QUEUE.",
    }),
  ),
  status_url: link("Its status."),
  response_url: link("Its result, once it has completed."),
  cancel_url: link("Send a PUT here to cancel it."),
};

export const AcceptedModelRequest = entity(
  "AcceptedModelRequest",
  "A model call that was queued. Its credits are held.",
  accepted,
);
export type AcceptedModelRequest = Static<typeof AcceptedModelRequest>;

export const ModelRequest = entity("ModelRequest", "The status of a queued model call.", {
  ...accepted,
  model: ModelId,
  created_at: Timestamp,
  started_at: Type.Optional(Timestamp),
  completed_at: Type.Optional(Timestamp),
  error_type: Type.Optional(RouterBucket),
  code: Type.Optional(RequestReason),
  detail: Type.Optional(
    Type.Union([Type.String(), Type.Array(RouterValidationEntry)], {
      description: "With error_type: a human-readable message, or a list if the provider rejected fields.",
    }),
  ),
  credits_used: Type.Optional(Credits),
  hold_until: Type.Optional(
    Type.Unsafe<string>({
      ...Timestamp,
      description:
        "Only set if the process that ran it died and its outcome is being determined. Its credits stay held until this time at the latest.",
    }),
  ),
});
export type ModelRequest = Static<typeof ModelRequest>;

export const ModelRequestPage = pageOf(ModelRequest, "ModelRequestPage", "One page of requests, newest first.");

export const ModelRequestQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(ModelRequestStatus),
  model: Type.Optional(ModelId),
});

export const ModelRequestError = entity(
  "ModelRequestError",
  "An error on a route of queued model calls. error_type equals X-Service-Error-Type, and code equals X-Service-Error-Reason.",
  {
    detail: Type.String({ description: "A human-readable message." }),
    error_type: RouterBucket,
    code: Type.Optional(RequestReason),
  },
);

export const ModelRequestNotification = entity(
  "ModelRequestNotification",
  "What webhook_url receives when a queued model call has completed.",
  {
    ...ModelRequest.properties,
    sequence: Type.Integer({ minimum: 1, description: "1: there is one notice for a request." }),
    type: Type.Literal("model_request.completed"),
  },
);
export type ModelRequestNotification = Static<typeof ModelRequestNotification>;
