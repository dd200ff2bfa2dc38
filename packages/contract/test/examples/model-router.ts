import type { Example } from "./example.ts";

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
    good: { ...entry, input_schema_url: "https://api.example/v1/models/sandbox/image-1/openapi.json" },
    broken: { input_schema_url: null, id: undefined },
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
      expected_seconds: { median: 1.2, p90: 3.4, count: 57 },
    },
    broken: { model: "image-1", credits: undefined, hold: "1e3", is_exact: "yes", expected_seconds: null },
  },
  InputSchemaDocument: {
    good: { openapi: "3.1.0", info: { title: entry.id, version: "0a1b" }, paths: { "/v1/models/sandbox/image-1": {} } },
    broken: { openapi: "3.0.2", paths: undefined, "info.title": "Image 1" },
  },
};
