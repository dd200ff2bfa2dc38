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

export const providerOperationExamples: Record<string, Example> = {
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
  WorkspaceModels: {
    good: { router_enabled: true, entitlements: ["sandbox/*"] },
    broken: { router_enabled: "yes", entitlements: undefined },
  },
};
