import { type Example, laterTime, time, uuid } from "./example.ts";

const described = {
  title: "Sketch",
  description: "Makes a picture from words.",
  kind: "image",
  deprecated_at: "2026-01-01T00:00:00.000Z",
  sunset_at: "2026-06-01T00:00:00.000Z",
  verified: null,
};

const entry = {
  id: "sandbox/image-1",
  provider: "sandbox",
  model: "image-1",
  billing: { charges_on_policy_rejection: "unknown" },
};
const rejected = {
  loc: ["body", "images", 0],
  msg: "too small",
  type: "image_too_small",
  ctx: { min_width: 64 },
  input: 1,
};

const requestUrl = `https://api.example/v1/models/sandbox/image-1/requests/${uuid}`;
const accepted = {
  request_id: uuid,
  status: "IN_QUEUE",
  queue_position: 3,
  status_url: `${requestUrl}/status`,
  response_url: requestUrl,
  cancel_url: `${requestUrl}/cancel`,
};
const { queue_position: _, ...urls } = accepted;
const completed = {
  ...urls,
  model: "sandbox/image-1",
  status: "COMPLETED",
  created_at: time,
  started_at: time,
  completed_at: laterTime,
  credits_used: "4.22",
};
const failed = {
  ...completed,
  error_type: "deadline_exceeded",
  code: "queue_timeout",
  detail: "It waited for too long.",
  credits_used: "0",
};

export const modelRouterExamples: Record<string, Example> = {
  RouterBucket: { good: "rate_limited", broken: { "": "queue_timeout" } },
  RouterError: { good: { detail: "No such model", error_type: "model_not_found" }, broken: { error_type: "other" } },
  RouterValidationEntry: { good: rejected, broken: { loc: [1.5], msg: undefined, type: undefined, ctx: [] } },
  RouterValidationError: { good: { detail: [rejected] }, broken: { detail: "No such model" } },
  RouterRefusal: { good: { detail: [rejected] }, broken: { detail: "No such model" } },
  Cursor: { good: "eyJ2IjoxfQ.c2ln", broken: { "": "not a cursor" } },
  ProviderSegment: { good: "black.forest-labs_1", broken: { "": "a".repeat(65) } },
  ModelSegment: { good: "flux.1-pro", broken: { "": "flux..1" } },
  ModelId: { good: "bfl/flux.1-pro", broken: { "": "bfl/flux/pro" } },
  BillingFacts: { good: entry.billing, broken: { charges_on_policy_rejection: "maybe" } },
  CatalogEntry: { good: entry, broken: { id: "image-1", provider: "Sandbox", model: "..", billing: undefined } },
  CatalogPage: {
    good: { data: [entry], has_more: false, limit: 20 },
    broken: { limit: 0, data: undefined, next_cursor: "x".repeat(513) },
  },
  ModelDetail: {
    good: { ...entry, ...described, input_schema_url: "https://api.example/v1/models/sandbox/image-1/openapi.json" },
    broken: { input_schema_url: null, id: undefined, verified: undefined, kind: "scent" },
  },
  AccountModel: {
    good: { ...entry, ...described, price: "0.5 per image", prompt_input: "prompt" },
    broken: { price: 1, verified: undefined, prompt_input: undefined },
  },
  LockedModel: {
    good: { ...entry, title: "Image", kind: "image", price: "4.22", own_credential: true },
    broken: { price: 1, own_credential: undefined, kind: "sculpture" },
  },
  AccountModelList: {
    good: {
      data: [{ ...entry, ...described, price: "0", prompt_input: null }],
      locked: [{ ...entry, price: "0", own_credential: false }],
    },
    broken: { data: undefined, "data.0.price": undefined, locked: undefined },
  },
  RequestReason: { good: "queue_timeout", broken: { "": "lost" } },
  ModelRequestStatus: { good: "IN_PROGRESS", broken: { "": "CANCELLED" } },
  AcceptedModelRequest: {
    good: accepted,
    broken: { request_id: "1", status: "queued", queue_position: -1, status_url: undefined },
  },
  ModelRequest: {
    good: failed,
    broken: { model: "image-1", error_type: "lost", detail: 7, credits_used: 4.22, created_at: undefined },
  },
  ModelRequestPage: { good: { data: [completed], has_more: false, limit: 20 }, broken: { data: undefined, limit: 0 } },
  ModelRequestError: {
    good: { detail: "There is no such request.", error_type: "invalid_input", code: "request_not_found" },
    broken: { error_type: "request_not_found", code: "other", detail: undefined },
  },
  ModelRequestNotification: {
    good: { ...completed, sequence: 1, type: "model_request.completed" },
    broken: { sequence: 0, type: "job.succeeded" },
  },
  ModelInput: { good: { prompt: "a fox", seed: 1 }, broken: { "": ["a fox"] } },
  ModelOutput: { good: { images: [{ url: "https://x.example/1.png" }] }, broken: { "": "done" } },
  CreditRange: { good: { lowest: "0", highest: "4.22" }, broken: { lowest: "-1", highest: 4 } },
  ExpectedSeconds: {
    good: { median: 1.2, p90: 3.4, count: 57 },
    broken: { median: -1, p90: undefined, count: 0 },
  },
  ModelEstimate: {
    good: {
      model: entry.id,
      credits: { lowest: "0", highest: "4.22" },
      hold: "4.22",
      is_exact: false,
      parts: [{ each: "4.22", quantities: [{ unit: "second", lowest: "0", highest: "1", reported: true }] }],
      expected_seconds: { median: 1.2, p90: 3.4, count: 57 },
    },
    broken: {
      model: "image-1",
      "parts.0.each": 4.22,
      "parts.0.quantities.0.unit": "week",
      credits: undefined,
      hold: "1e3",
      is_exact: "yes",
      expected_seconds: null,
    },
  },
  InputSchemaDocument: {
    good: { openapi: "3.1.0", info: { title: entry.id, version: "0a1b" }, paths: { "/v1/models/sandbox/image-1": {} } },
    broken: { openapi: "3.0.2", paths: undefined, "info.title": "Image 1" },
  },
};
