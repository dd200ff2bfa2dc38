// The four error bodies of the wire: what they look like. Which prefix uses which body is up to the areas' envelopes.
import { type Static, Type } from "typebox";
import { limits } from "./limits.ts";
import { RouterBucket } from "./router-buckets.ts";
import { entity, nullable, OpenObject } from "./wire-values.ts";

export const GenericError = entity(
  "GenericError",
  "An error of the price badges, the partner proxy, the registry and the other APIs.",
  {
    error: Type.String({ minLength: 1, description: "A stable snake_case code to branch on." }),
    message: Type.String({ description: "A human-readable message." }),
    details: Type.Optional(Type.Unknown({ description: "Details, such as every rejected field." })),
  },
);

export const RouterError = entity(
  "RouterError",
  "An error of the model router. error_type equals X-Service-Error-Type.",
  {
    detail: Type.String({ description: "A human-readable message." }),
    error_type: RouterBucket,
  },
);

export const RouterValidationEntry = entity("RouterValidationEntry", "One rejected field of a model input.", {
  loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
    description: "The path of the rejected field, starting with body. Array positions are integers.",
  }),
  msg: Type.String({ description: "What is wrong with the field, as text." }),
  type: Type.String({ description: "The specific reason. More may be added; do not match exhaustively." }),
  ctx: Type.Optional(OpenObject),
  input: Type.Optional(Type.Unknown({ description: "The rejected value, if it is echoed." })),
});
export type RouterValidationEntry = Static<typeof RouterValidationEntry>;

// Spec, Router validation error body: no error_type here; the header is the only bucket of a 422.
export const RouterValidationError = entity(
  "RouterValidationError",
  "A model input that violates the model's input schema.",
  {
    detail: Type.Array(RouterValidationEntry, {
      maxItems: limits.validationEntriesMax,
      description: "One entry per rejected field.",
    }),
  },
);

// Decisions, section 10: a call that could cost more than its caller allows is refused with 422 as well.
export const RouterRefusal = Type.Union([RouterValidationError, RouterError], {
  title: "RouterRefusal",
  description:
    "Why a call was not started: the fields that violate the input schema or, with error_type, that it could cost more than X-Service-Max-Credits.",
});

// The codes of v2, each with its status (decisions, section 6). Clients must tolerate codes they do not know.
export const workflowErrorStatuses = {
  invalid_request: 400,
  invalid_cursor: 400,
  invalid_metadata_filter: 400,
  unauthorized: 401,
  insufficient_credits: 402,
  forbidden: 403,
  forbidden_origin: 403,
  not_found: 404,
  blob_not_found: 404,
  output_unavailable: 404,
  method_not_allowed: 405,
  hash_mismatch: 409,
  asset_in_use: 409,
  payload_too_large: 413,
  range_not_satisfiable: 416,
  invalid_workflow: 422,
  metadata_invalid: 422,
  workflow_format_ui: 422,
  missing_asset: 422,
  idempotency_key_reuse: 422,
  price_above_limit: 422,
  invalid_body: 422,
  deployment_stopped: 422,
  queue_full: 429,
  rate_limited: 429,
  too_many_streams: 429,
  quota_exceeded: 429,
  deployment_not_ready: 429,
  upstream_error: 500,
  not_implemented: 501,
  upstream_unreachable: 503,
  service_unavailable: 503,
} as const;

export const WorkflowError = entity("WorkflowError", "An error of the v2 workflow API.", {
  error: Type.Object({
    code: Type.String({ minLength: 1, description: "A stable code to branch on. New ones may be added." }),
    message: Type.String({ description: "A human-readable message." }),
    details: Type.Optional(
      nullable(OpenObject, "Details: node_errors by node id for a rejected graph, missing_ids for missing assets."),
    ),
  }),
});
