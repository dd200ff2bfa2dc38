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
import { answer, jsonBody, routerFault, routerFaults, routerRefusals } from "./answers.ts";
import { tags } from "./tags.ts";

const { cacheControl, errorReason, errorType, retryAfter, upstreamStatus } = headerName;
const common = { tag: tags.modelRouter, access: "key", refusals: routerFault } as const;

const modelParams = Type.Object({ provider: ProviderSegment, model: ModelSegment });
const requestParams = Type.Object({
  ...modelParams.properties,
  request_id: Type.String({ format: "uuid", pattern: uuidPattern, description: "The request." }),
});

const fault = (description: string, headers: readonly string[] = []) =>
  answer(ModelRequestError, description, [cacheControl, errorType, errorReason, ...headers]);

const notFound = fault(
  "invalid_input with the reason request_not_found: the workspace has no such request for this model. Also model_not_found and not_enabled.",
);
const statusHeaders = [cacheControl, retryAfter] as const;
const webhookDescription = "Called once, when the request has completed. Must be https on port 443.";

export const modelRequestOperations = operationTable(common, {
  submitModelRequest: {
    method: "POST",
    path: "/v1/models/{provider}/{model}/requests",
    summary: "Queue a model call",
    description:
      "Same body, checks, price and hold as the synchronous call, but returns immediately. The request waits for " +
      "one of the workspace's concurrency slots instead of being refused. A retry with the same Idempotency-Key " +
      "returns the same request. The key can be used again if the submission was refused, or if the request ended " +
      "before the provider accepted it; a cancelled request keeps its key.",
    params: modelParams,
    query: Type.Object({ webhook_url: Type.Optional(webhookUrl(webhookDescription)) }),
    headers: Type.Object({
      [headerName.idempotencyKey]: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: "^[!-~]+$" })),
      [headerName.maxCredits]: Type.Optional(headerMeanings[headerName.maxCredits].schema),
      [headerName.waitSeconds]: Type.Optional(headerMeanings[headerName.waitSeconds].schema),
      [headerName.keepOutputs]: Type.Optional(headerMeanings[headerName.keepOutputs].schema),
      [headerName.tags]: Type.Optional(headerMeanings[headerName.tags].schema),
      [headerName.endUser]: Type.Optional(headerMeanings[headerName.endUser].schema),
      [headerName.webhookUrl]: Type.Optional(webhookUrl(webhookDescription)),
    }),
    body: jsonBody(ModelInput),
    answers: {
      202: answer(AcceptedModelRequest, "Queued; its credits are held.", [
        headerName.location,
        headerName.idempotentReplayed,
        ...statusHeaders,
      ]),
      ...routerRefusals,
      429: fault(
        "rate_limited; with the reason queue_backlog_full, too many of the workspace's requests are already waiting.",
        [retryAfter],
      ),
      ...routerFaults(402, 409),
    },
  },
  getModelRequestStatus: {
    method: "GET",
    path: "/v1/models/{provider}/{model}/requests/{request_id}/status",
    summary: "Get the status of a queued model call",
    description: "Poll again after Retry-After seconds until the status is COMPLETED.",
    params: requestParams,
    answers: { 200: answer(ModelRequest, "The status.", statusHeaders), 404: notFound },
  },
  getModelRequestResult: {
    method: "GET",
    path: "/v1/models/{provider}/{model}/requests/{request_id}",
    summary: "Get the result of a queued model call",
    description:
      "Returns 202 with the current status until the call completes. After that, and for 24 hours, returns the " +
      "status, bytes and headers the synchronous call would have returned. A failure returns its own status and " +
      "error type.",
    params: requestParams,
    answers: {
      200: {
        ...answer(ModelOutput, "The partner's native output: JSON, or the audio or image itself.", [
          headerName.creditsUsed,
          cacheControl,
        ]),
        bytesContentTypes: ["audio/*", "image/*", "video/*", "application/octet-stream"],
      },
      202: answer(ModelRequest, "Not completed yet.", statusHeaders),
      404: notFound,
      409: fault("invalid_input with the reason cancelled: the request was cancelled before it ran.", [
        headerName.creditsUsed,
      ]),
      504: fault(
        "deadline_exceeded with the reason queue_timeout: the request waited too long and did not run. Also provider_timeout.",
        [upstreamStatus, headerName.creditsUsed],
      ),
      ...routerFaults(400, 422, 502),
    },
  },
  cancelModelRequest: {
    method: "PUT",
    path: "/v1/models/{provider}/{model}/requests/{request_id}/cancel",
    summary: "Cancel a queued model call",
    description:
      "A waiting request is cancelled immediately and costs nothing. If the provider has it already and can stop it, it is asked to; the request then ends as the provider says, and costs what the provider reports. Otherwise it continues.",
    params: requestParams,
    answers: {
      202: answer(ModelRequest, "Cancelled, or the provider was asked to stop it: poll the status.", statusHeaders),
      404: notFound,
      409: fault(
        "invalid_input with a reason. cancel_refused: the provider already has the request and cannot or did not stop it. already_completed: the request has ended.",
      ),
    },
  },
  listModelRequests: {
    method: "GET",
    path: "/v1/requests",
    summary: "List the workspace's queued model calls",
    description: "Waiting and running requests, and those that completed within 24 hours. Newest first.",
    query: ModelRequestQuery,
    answers: { 200: answer(ModelRequestPage, "One page of requests.", [cacheControl]) },
  },
});
