// The model router. Spec, Model router; statuses and headers by decisions, section 3.
import { Type } from "typebox";
import { ModelEstimate } from "../account/estimates.ts";
import { headerMeanings, headerName } from "../headers.ts";
import {
  CatalogPage,
  InputSchemaDocument,
  ModelDetail,
  ModelInput,
  ModelOutput,
  ModelSegment,
  ProviderSegment,
} from "../models.ts";
import { operationTable } from "../operation.ts";
import { PageQuery } from "../pagination.ts";
import { answer, emptyAnswer, jsonBody, routerFault, routerFaults, routerRefusals } from "./answers.ts";
import { tags } from "./tags.ts";

const { cacheControl, etag, ifNoneMatch, vary } = headerName;
const modelParams = Type.Object({ provider: ProviderSegment, model: ModelSegment });
const conditional = Type.Object({ [ifNoneMatch]: Type.Optional(Type.String()) });
const cached = [cacheControl, etag, vary] as const;
const retiring = [headerName.deprecation, headerName.sunset] as const;
const cachedModel = [...cached, ...retiring] as const;

const common = { tag: tags.modelRouter, access: "key", refusals: routerFault } as const;

export const modelRouterOperations = operationTable(common, {
  listModels: {
    method: "GET",
    path: "/v1/models",
    summary: "List the released models",
    description:
      "Pass next_cursor as cursor until has_more is false. A 503 does not mean the catalog is empty: try again.",
    query: PageQuery,
    headers: conditional,
    answers: {
      200: answer(CatalogPage, "One page of the catalog.", cached),
      304: emptyAnswer("The caller already has this page.", cached),
      ...routerFaults(404),
    },
  },
  getModel: {
    method: "GET",
    path: "/v1/models/{provider}/{model}",
    summary: "Look up one model",
    params: modelParams,
    headers: conditional,
    answers: { 200: answer(ModelDetail, "The model.", cachedModel), 304: emptyAnswer("Not modified.", cachedModel) },
  },
  invokeModel: {
    method: "POST",
    path: "/v1/models/{provider}/{model}",
    summary: "Run a model and wait for its result",
    description:
      "Request and response bodies are the partner's own JSON, byte for byte. The connection stays open until the " +
      "result arrives or the server's deadline passes. A retry with the same Idempotency-Key neither runs nor " +
      "costs anything a second time. The key can be used again if this server refused the call before sending " +
      "anything (400, 401, 402, 403, 404, 413, 422, 429, 503), or after a 502 or 504 if the provider did not " +
      "accept the call.",
    params: modelParams,
    headers: Type.Object({
      [headerName.idempotencyKey]: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: "^[!-~]+$" })),
      [headerName.maxCredits]: Type.Optional(headerMeanings[headerName.maxCredits].schema),
      [headerName.waitSeconds]: Type.Optional(headerMeanings[headerName.waitSeconds].schema),
      [headerName.keepOutputs]: Type.Optional(headerMeanings[headerName.keepOutputs].schema),
      [headerName.tags]: Type.Optional(headerMeanings[headerName.tags].schema),
      [headerName.endUser]: Type.Optional(headerMeanings[headerName.endUser].schema),
    }),
    body: jsonBody(ModelInput),
    answers: {
      200: {
        ...answer(ModelOutput, "The partner's native output: JSON, or the audio or image itself.", [
          headerName.idempotentReplayed,
          headerName.creditsUsed,
          headerName.routeTarget,
          headerName.droppedParams,
          headerName.keptOutputs,
          headerName.concurrencyLimit,
          headerName.concurrencyCurrent,
          headerName.concurrencyRemaining,
          cacheControl,
        ]),
        // Decisions, section 3: native outputs that are not JSON keep their own content type.
        bytesContentTypes: ["audio/*", "image/*", "video/*", "application/octet-stream", "text/event-stream"],
      },
      ...routerRefusals,
      ...routerFaults(402, 409, 502, 504),
    },
  },
  estimateModel: {
    method: "POST",
    path: "/v1/models/{provider}/{model}/estimate",
    role: "viewer",
    summary: "Estimate the cost of a call",
    description:
      "Takes the body of the call and validates it the same way. Nothing is stored, held, sent or billed, and no " +
      "concurrency slot is used. The price is the current one for this workspace: with the workspace's own " +
      "credential, a model is free here.",
    params: modelParams,
    body: jsonBody(ModelInput),
    answers: { 200: answer(ModelEstimate, "What the call would cost.", [cacheControl]), ...routerFaults(422) },
  },
  getInputSchema: {
    method: "GET",
    path: "/v1/models/{provider}/{model}/openapi.json",
    summary: "Get a model's input schema",
    params: modelParams,
    headers: conditional,
    answers: {
      200: answer(InputSchemaDocument, "A self-contained OpenAPI 3.1 document.", cached),
      304: emptyAnswer("Not modified.", cached),
    },
  },
});
