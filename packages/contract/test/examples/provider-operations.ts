import { type Example, time } from "./example.ts";

const release = {
  id: "example/sketch-2",
  released: true,
  release_override: null,
  served: true,
  deprecated_at: null,
  sunset_at: null,
  verified: null,
};
const provider = {
  provider: "example",
  source: "admin",
  hidden_sources: ["file"],
  version: 3,
  updated_at: time,
  readable: true,
  credential_setting: "ATELIER_PROVIDER_EXAMPLE_KEY",
  credential_configured: true,
  models: [release],
};
const definition = {
  provider: "example",
  base_url: "https://api.pictures.example",
  credential: { kind: "bearer", setting: "ATELIER_PROVIDER_EXAMPLE_KEY" },
  models: [{ model: "sketch-2", released: true }],
};

const definitionFinding = {
  in: "definition",
  path: "/models/0/price",
  line: 12,
  column: 7,
  model: "sketch-2",
  case: null,
  message: "/models/0/price must be an object",
};

const credential = {
  provider: "example",
  hosts: ["api.pictures.example"],
  is_used: true,
  created_at: time,
  updated_at: time,
};

const serverCredential = {
  provider: "example",
  setting: "ATELIER_PROVIDER_EXAMPLE_KEY",
  source: "stored",
  models: 3,
  updated_at: time,
};

const inputs = {
  rename: { prompt: "text" },
  constants: { quality: "high" },
  drop: ["seed"],
  choices: { size: { s: 1 } },
};
const target = { model: "example/sketch-2", credential: "own", weight: 2, inputs };
const modelRoute = {
  id: "route/pictures",
  name: "pictures",
  scope: "workspace",
  title: "Pictures",
  description: null,
  rule: "order",
  strict: false,
  targets: [target],
  version: 1,
  created_at: time,
  updated_at: time,
};

const health = {
  provider: "example",
  credential: "server",
  workspace_id: null,
  circuit: "open",
  tries_again_at: time,
  calls: 12,
  success: 0.75,
  latency_ms: 840,
  last_failure: { at: time, status: 503, words: "the provider failed" },
};

export const providerOperationExamples: Record<string, Example> = {
  ProviderHealth: {
    good: health,
    broken: {
      provider: "A b",
      credential: "mine",
      circuit: "broken",
      calls: -1,
      success: 2,
      latency_ms: 0.5,
      last_failure: 7,
    },
  },
  ProviderHealthList: { good: { data: [health] }, broken: { data: undefined } },
  RouteInputs: {
    good: inputs,
    broken: { rename: ["prompt"], constants: "high", drop: "seed", choices: { size: "s" }, more: 1 },
  },
  RouteTarget: { good: target, broken: { model: "sketch", credential: "mine", weight: 0, inputs: 7, more: 1 } },
  PutRoute: {
    good: { title: "Pictures", description: "Draws.", rule: "price", strict: true, targets: [target] },
    broken: { title: "", description: 7, rule: "luck", strict: "yes", targets: [], more: 1 },
  },
  ModelRoute: {
    good: modelRoute,
    broken: {
      id: "pictures",
      name: "A b",
      scope: "mine",
      rule: null,
      strict: 1,
      targets: 7,
      version: 0,
      updated_at: 7,
    },
  },
  ModelRouteList: { good: { data: [modelRoute] }, broken: { data: undefined } },
  ProviderCredential: { good: credential, broken: { hosts: "api.pictures.example", is_used: "yes", updated_at: 7 } },
  ProviderCredentialList: {
    good: { data: [credential], providers: ["example"] },
    broken: { data: undefined, providers: "example" },
  },
  PutProviderCredential: { good: { credential: "key-0123456789" }, broken: { credential: "short" } },
  ServerCredential: {
    good: serverCredential,
    broken: { provider: "Example", setting: "", source: "elsewhere", models: -1, updated_at: 7 },
  },
  ServerCredentialList: { good: { data: [serverCredential] }, broken: { data: undefined } },
  PutServerCredential: { good: { value: "key-0123456789" }, broken: { value: "short" } },
  ProviderCheck: {
    good: { status: "ok", ms: 41, words: "It answers." },
    broken: { status: "green", ms: -1, words: null },
  },
  ModelRelease: { good: release, broken: { released: null, release_override: "yes", served: undefined } },
  SetModelRetirement: {
    good: { deprecated_at: "2026-01-01T00:00:00.000Z", sunset_at: null },
    broken: { deprecated_at: "soon", sunset_at: 7 },
  },
  SetModelRelease: { good: { released: null }, broken: { released: "on" } },
  AdminProvider: { good: provider, broken: { provider: "Example", source: "elsewhere", version: 0, models: null } },
  AdminProviderList: { good: { data: [provider] }, broken: { data: undefined } },
  AdminProviderRecord: { good: { ...provider, definition }, broken: { version: "3", definition: undefined } },
  ProviderDefinition: {
    good: definition,
    broken: { provider: "Example", base_url: undefined, credential: "secret", models: [] },
  },
  ProviderDefinitionText: {
    good: { provider: "example", source: "admin", version: 3, definition: "{}", fixtures: null },
    broken: { provider: "Example", source: "elsewhere", version: 0, definition: null, fixtures: 7 },
  },
  CheckProviderDefinition: {
    good: { definition: "{}", fixtures: "{}", model: "sketch-2" },
    broken: { definition: null, fixtures: 7, model: "A b" },
  },
  DefinitionFinding: {
    good: definitionFinding,
    broken: { in: "elsewhere", path: null, line: 0, column: 0, model: 7, case: 7, message: null },
  },
  DefinitionCheck: {
    good: {
      provider: "example",
      models: ["sketch-2"],
      cases: 12,
      findings: [definitionFinding],
      prices: [{ model: "sketch-2", usd: "0.02", example_usd: "0.02" }],
    },
    broken: { provider: "Example", models: 7, cases: -1, findings: 7, prices: 7 },
  },
  WorkspaceModels: {
    good: { router_enabled: true, entitlements: ["sandbox/*"] },
    broken: { router_enabled: "yes", entitlements: undefined },
  },
};
