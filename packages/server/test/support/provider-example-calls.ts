// One example call for each operation on providers, releases and what workspaces may run; and the definition of a provider that
// does not exist, which is stored but never dialled.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { ProviderDefinition } from "../../src/capabilities/providers/index.ts";
import { bearer } from "./app-client.ts";
import type { ExampleCall, Scene } from "./example-call.ts";
import type { TestApp } from "./test-app.ts";

export type ModelOfDefinition = ProviderDefinition["models"][number];

export function aModel(more: Partial<ModelOfDefinition> = {}): ModelOfDefinition {
  return {
    model: "sketch-2",
    released: false,
    submit: { path: "/v2/sketches", encoding: "json" },
    price: { usd: "0.02" },
    charges_on_policy_rejection: "unknown",
    input_schema: { type: "object", required: ["prompt"], properties: { prompt: { type: "string" } } },
    recovery: "neither",
    longest_run_seconds: 60,
    ...more,
  };
}

export function aDefinition(provider: string, more: Partial<ProviderDefinition> = {}): ProviderDefinition {
  return {
    provider,
    base_url: "https://api.pictures.example",
    credential: { kind: "none" },
    models: [aModel()],
    ...more,
  };
}

export function putProvider(app: TestApp, definition: ProviderDefinition, headers: Record<string, string> = {}) {
  return app.call({
    method: "PUT",
    path: `/admin/providers/${definition.provider}`,
    headers: { ...bearer(app.adminToken), ...headers },
    body: definition,
  });
}

async function newProvider({ app }: Scene): Promise<string> {
  const definition = aDefinition(`pictures-${randomUUID()}`);
  const put = await putProvider(app, definition);
  assert.equal(put.status, 201, put.text);
  return definition.provider;
}

// A provider whose credential the server does not have. Each has a separate setting.
async function bareProvider({ app }: Scene): Promise<string> {
  const provider = `pictures-${randomUUID()}`;
  const setting = `ATELIER_PROVIDER_${provider.toUpperCase().replaceAll("-", "_")}_KEY`;
  const put = await putProvider(app, aDefinition(provider, { credential: { kind: "bearer", setting } }));
  assert.equal(put.status, 201, put.text);
  return provider;
}

// The same, optionally with the workspace's own credential stored.
async function ownCredential({ app }: Scene, isStored: boolean): Promise<string> {
  const definition = aDefinition(`pictures-${randomUUID()}`, {
    credential: { kind: "bearer", setting: "ATELIER_PROVIDER_NOBODY_KEY" },
    workspace_credentials: true,
  });
  const put = await putProvider(app, definition);
  assert.equal(put.status, 201, put.text);
  const path = `/account/provider-credentials/${definition.provider}`;
  if (!isStored) return path;
  const stored = await app.call({ method: "PUT", path, headers: bearer(app.key), body: { credential: "own-key-123" } });
  assert.equal(stored.status, 201, stored.text);
  return path;
}

const asAdmin = ({ app }: Scene) => ({ headers: bearer(app.adminToken) });

export const providerExamples: Readonly<Record<string, ExampleCall>> = {
  listProviderHealth: { status: 200, make: (scene) => ({ path: "/admin/provider-health", ...asAdmin(scene) }) },
  listProviders: { status: 200, make: (scene) => ({ path: "/admin/providers", ...asAdmin(scene) }) },
  getProvider: {
    status: 200,
    make: async (scene) => ({ path: `/admin/providers/${await newProvider(scene)}`, ...asAdmin(scene) }),
  },
  getProviderDefinition: {
    status: 200,
    make: (scene) => ({ path: "/admin/provider-definitions/luma", ...asAdmin(scene) }),
  },
  checkProviderDefinition: {
    status: 200,
    make: (scene) => ({
      method: "POST",
      path: "/admin/provider-definitions/check",
      ...asAdmin(scene),
      body: { definition: JSON.stringify(aDefinition("pictures"), null, 2) },
    }),
  },
  putProvider: {
    status: 200,
    async make(scene) {
      const provider = await newProvider(scene);
      return {
        method: "PUT",
        path: `/admin/providers/${provider}`,
        ...asAdmin(scene),
        body: aDefinition(provider, { title: "Pictures" }),
      };
    },
  },
  deleteProvider: {
    status: 204,
    make: async (scene) => ({
      method: "DELETE",
      path: `/admin/providers/${await newProvider(scene)}`,
      ...asAdmin(scene),
    }),
  },
  setModelRelease: {
    status: 200,
    make: async (scene) => ({
      method: "PUT",
      path: `/admin/models/${await newProvider(scene)}/sketch-2/release`,
      ...asAdmin(scene),
      body: { released: false },
    }),
  },
  setModelRetirement: {
    status: 200,
    make: async (scene) => ({
      method: "PUT",
      path: `/admin/models/${await newProvider(scene)}/sketch-2/retirement`,
      ...asAdmin(scene),
      body: { deprecated_at: "2026-01-01T00:00:00.000Z", sunset_at: "2030-01-01T00:00:00.000Z" },
    }),
  },
  listServerCredentials: { status: 200, make: (scene) => ({ path: "/admin/provider-credentials", ...asAdmin(scene) }) },
  putServerCredential: {
    status: 200,
    make: async (scene) => ({
      method: "PUT",
      path: `/admin/providers/${await bareProvider(scene)}/credential`,
      ...asAdmin(scene),
      body: { value: "server-key-123" },
    }),
  },
  deleteServerCredential: {
    status: 204,
    async make(scene) {
      const path = `/admin/providers/${await bareProvider(scene)}/credential`;
      const stored = await scene.app.call({
        method: "PUT",
        path,
        ...asAdmin(scene),
        body: { value: "server-key-123" },
      });
      assert.equal(stored.status, 200, stored.text);
      return { method: "DELETE", path, ...asAdmin(scene) };
    },
  },
  // Without a credential nothing is dialled.
  checkProvider: {
    status: 200,
    make: async (scene) => ({
      method: "POST",
      path: `/admin/providers/${await bareProvider(scene)}/check`,
      ...asAdmin(scene),
    }),
  },
  listProviderCredentials: {
    status: 200,
    make: (scene) => ({ path: "/account/provider-credentials", headers: bearer(scene.app.key) }),
  },
  putProviderCredential: {
    status: 201,
    make: async (scene) => ({
      method: "PUT",
      path: await ownCredential(scene, false),
      headers: bearer(scene.app.key),
      body: { credential: "own-key-456" },
    }),
  },
  deleteProviderCredential: {
    status: 204,
    make: async (scene) => ({
      method: "DELETE",
      path: await ownCredential(scene, true),
      headers: bearer(scene.app.key),
    }),
  },
  getWorkspaceModels: {
    status: 200,
    make: (scene) => ({ path: `/admin/workspaces/${scene.app.workspaceId}/models`, ...asAdmin(scene) }),
  },
  setWorkspaceModels: {
    status: 200,
    make: (scene) => ({
      method: "PUT",
      path: `/admin/workspaces/${scene.app.workspaceId}/models`,
      ...asAdmin(scene),
      body: { router_enabled: true, entitlements: null },
    }),
  },
};
