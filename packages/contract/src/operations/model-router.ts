// The model router. Spec, Model router; statuses and headers by decisions, section 3.
import { Type } from "typebox";
import { headerName } from "../headers.ts";
import {
  CatalogPage,
  InputSchemaDocument,
  ModelDetail,
  ModelInput,
  ModelOutput,
  ModelSegment,
  ProviderSegment,
} from "../models.ts";
import type { Operation } from "../operation.ts";
import { PageQuery } from "../pagination.ts";
import { answer, emptyAnswer, jsonBody, routerFault } from "./answers.ts";
import { tags } from "./tags.ts";

const { cacheControl, etag, ifNoneMatch, vary } = headerName;
const modelParams = Type.Object({ provider: ProviderSegment, model: ModelSegment });
const conditional = Type.Object({ [ifNoneMatch]: Type.Optional(Type.String()) });
const cached = [cacheControl, etag, vary] as const;

const readFaults = {
  401: routerFault[401],
  403: routerFault[403],
  404: routerFault[404],
  429: routerFault[429],
  500: routerFault[500],
  503: routerFault[503],
};

export const modelRouterOperations = {
  listModels: {
    id: "listModels",
    method: "GET",
    path: "/v1/models",
    tag: tags.modelRouter,
    summary: "List the released models",
    description: "Pass next_cursor back as cursor until has_more is false. 503 is not an empty catalog: try again.",
    access: "key",
    query: PageQuery,
    headers: conditional,
    answers: {
      200: answer(CatalogPage, "One page of the catalog.", cached),
      304: emptyAnswer("The caller already holds this page.", cached),
      400: routerFault[400],
      ...readFaults,
    },
  },
  getModel: {
    id: "getModel",
    method: "GET",
    path: "/v1/models/{provider}/{model}",
    tag: tags.modelRouter,
    summary: "Look up one model",
    access: "key",
    params: modelParams,
    headers: conditional,
    answers: {
      200: answer(ModelDetail, "The model.", cached),
      304: emptyAnswer("The caller already holds this.", cached),
      ...readFaults,
    },
  },
  invokeModel: {
    id: "invokeModel",
    method: "POST",
    path: "/v1/models/{provider}/{model}",
    tag: tags.modelRouter,
    summary: "Run a model and wait for its result",
    description:
      "Body and answer are the partner's own JSON, byte for byte. The connection is held until the result is there, " +
      "at most for the server's deadline. A retry under the same Idempotency-Key neither runs nor costs twice.",
    access: "key",
    params: modelParams,
    headers: Type.Object({
      [headerName.idempotencyKey]: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: "^[!-~]+$" })),
    }),
    body: jsonBody(ModelInput),
    answers: {
      200: {
        ...answer(ModelOutput, "The partner's native output: JSON, or the sound or picture itself.", [
          headerName.idempotentReplayed,
          headerName.creditsUsed,
          headerName.concurrencyLimit,
          headerName.concurrencyCurrent,
          headerName.concurrencyRemaining,
          cacheControl,
        ]),
        // Decisions, section 3: native outputs that are no JSON come with their own content type.
        bytesContentTypes: ["audio/*", "image/*", "video/*", "application/octet-stream"],
      },
      400: routerFault[400],
      402: routerFault[402],
      409: routerFault[409],
      413: routerFault[413],
      422: routerFault[422],
      502: routerFault[502],
      504: routerFault[504],
      ...readFaults,
    },
  },
  getInputSchema: {
    id: "getInputSchema",
    method: "GET",
    path: "/v1/models/{provider}/{model}/openapi.json",
    tag: tags.modelRouter,
    summary: "Read the document a model's input is checked against",
    access: "key",
    params: modelParams,
    headers: conditional,
    answers: {
      200: answer(InputSchemaDocument, "A self-contained OpenAPI 3.1 document.", cached),
      304: emptyAnswer("The caller already holds this.", cached),
      ...readFaults,
    },
  },
} as const satisfies Record<string, Operation>;
