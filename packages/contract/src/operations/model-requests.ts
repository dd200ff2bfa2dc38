// Queued model calls: the same models, inputs, prices and answers as the synchronous call, without holding a connection open
// (decisions, section 10).
import { Type } from "typebox";
import { headerMeanings, headerName } from "../headers.ts";
import {
  AcceptedModelRequest,
  ModelRequest,
  ModelRequestError,
  ModelRequestPage,
  ModelRequestQuery,
} from "../model-requests.ts";
import { ModelInput, ModelOutput, ModelSegment, ProviderSegment } from "../models.ts";
import { operationTable } from "../operation.ts";
import { uuidPattern, webhookUrl } from "../wire-values.ts";
import { answer, jsonBody, routerFaults, routerRefusals } from "./answers.ts";
import { tags } from "./tags.ts";

const { cacheControl, errorReason, errorType, retryAfter, upstreamStatus } = headerName;
const common = { tag: tags.modelRouter, access: "key" } as const;

const modelParams = Type.Object({ provider: ProviderSegment, model: ModelSegment });
const requestParams = Type.Object({
  ...modelParams.properties,
  request_id: Type.String({ format: "uuid", pattern: uuidPattern, description: "The request." }),
});

const fault = (description: string, headers: readonly string[] = []) =>
  answer(ModelRequestError, description, [cacheControl, errorType, errorReason, ...headers]);

const notFound = fault(
  "invalid_input, for the reason request_not_found: the workspace has no such request under this model. model_not_found, not_enabled.",
);
const readFaults = routerFaults(401, 403, 429, 500, 503);
const statusHeaders = [cacheControl, retryAfter] as const;
const webhookDescription = "Told once, when the request has completed: https, on the port of https.";

export const modelRequestOperations = operationTable(common, {
  submitModelRequest: {
    method: "POST",
    path: "/v1/models/{provider}/{model}/requests",
    summary: "Queue a model call",
    description:
      "The same body, checks, price and hold as the synchronous call, answered at once. The request waits for a slot of " +
      "the workspace instead of being refused. A retry under the same Idempotency-Key is the same request. " +
      "The key is free again after a refusal of the submission, and when the request ended without having been taken by " +
      "the provider; a cancelled request keeps it.",
    params: modelParams,
    query: Type.Object({ webhook_url: Type.Optional(webhookUrl(webhookDescription)) }),
    headers: Type.Object({
      [headerName.idempotencyKey]: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: "^[!-~]+$" })),
      [headerName.maxCredits]: Type.Optional(headerMeanings[headerName.maxCredits].schema),
      [headerName.webhookUrl]: Type.Optional(webhookUrl(webhookDescription)),
    }),
    body: jsonBody(ModelInput),
    answers: {
      202: answer(AcceptedModelRequest, "It is in the queue, and its credits are held.", [
        headerName.location,
        headerName.idempotentReplayed,
        ...statusHeaders,
      ]),
      ...routerFaults(400, 402, 404, 409, 413),
      ...routerRefusals,
      ...readFaults,
      429: fault("rate_limited; for the reason queue_backlog_full: too many requests of the workspace wait already.", [
        retryAfter,
      ]),
    },
  },
  getModelRequestStatus: {
    method: "GET",
    path: "/v1/models/{provider}/{model}/requests/{request_id}/status",
    summary: "See how far a queued model call is",
    description: "Ask again after Retry-After seconds until status is COMPLETED.",
    params: requestParams,
    answers: { 200: answer(ModelRequest, "How it stands.", statusHeaders), 404: notFound, ...readFaults },
  },
  getModelRequestResult: {
    method: "GET",
    path: "/v1/models/{provider}/{model}/requests/{request_id}",
    summary: "Collect the result of a queued model call",
    description:
      "Status, bytes and headers that the synchronous call would have answered, for 24 hours after completion; 202 and " +
      "how it stands until then. A failure is answered with its own status and bucket.",
    params: requestParams,
    answers: {
      200: {
        ...answer(ModelOutput, "The partner's native output: JSON, or the sound or picture itself.", [
          headerName.creditsUsed,
          cacheControl,
        ]),
        bytesContentTypes: ["audio/*", "image/*", "video/*", "application/octet-stream"],
      },
      202: answer(ModelRequest, "It has not completed yet.", statusHeaders),
      ...routerFaults(400, 422, 502),
      404: notFound,
      409: fault("invalid_input, for the reason cancelled: it was cancelled before it ran.", [headerName.creditsUsed]),
      ...readFaults,
      504: fault(
        "deadline_exceeded, for the reason queue_timeout: it waited for too long, nothing ran. provider_timeout.",
        [upstreamStatus, headerName.creditsUsed],
      ),
    },
  },
  cancelModelRequest: {
    method: "PUT",
    path: "/v1/models/{provider}/{model}/requests/{request_id}/cancel",
    summary: "Cancel a queued model call",
    description: "What still waits is cancelled at once and costs nothing. What the provider has goes on.",
    params: requestParams,
    answers: {
      202: answer(ModelRequest, "It is cancelled.", [cacheControl]),
      404: notFound,
      409: fault(
        "invalid_input, for a reason. cancel_refused: the provider has it and cannot be asked to stop. already_completed: it has ended.",
      ),
      ...readFaults,
    },
  },
  listModelRequests: {
    method: "GET",
    path: "/v1/requests",
    summary: "List the workspace's queued model calls",
    description: "Those that wait or run, and those that completed within 24 hours, the newest first.",
    query: ModelRequestQuery,
    answers: {
      200: answer(ModelRequestPage, "One page of requests.", [cacheControl]),
      ...routerFaults(400),
      ...readFaults,
    },
  },
});
