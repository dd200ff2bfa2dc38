// One example call for each operation on routes.
import assert from "node:assert/strict";
import { bearer } from "./app-client.ts";
import type { ExampleCall, Scene } from "./example-call.ts";
import { aDefinition, aModel, putProvider } from "./provider-example-calls.ts";

// A provider whose models only routes call. Nothing listens there. Always the same few names: there is room for a hundred routes,
// and the catalog's first page must still show other models.
export const routedPrefix = "routed-";
const provider = `${routedPrefix}pictures`;

type Owner = "account" | "admin";

const headersOf = (owner: Owner, { app }: Scene) => bearer(owner === "account" ? app.key : app.adminToken);

async function aTarget({ app }: Scene): Promise<string> {
  const definition = aDefinition(provider, { base_url: "http://127.0.0.1:9", models: [aModel({ released: true })] });
  const put = await putProvider(app, definition);
  assert.ok(put.status < 300, put.text);
  return `${provider}/sketch-2`;
}

const aRoute = async (scene: Scene) => ({ title: "Sketches", targets: [{ model: await aTarget(scene) }] });

async function newRoute(owner: Owner, scene: Scene): Promise<string> {
  const path = `/${owner}/routes/sketches`;
  const headers = headersOf(owner, scene);
  const put = await scene.app.call({ method: "PUT", path, headers, body: await aRoute(scene) });
  assert.ok(put.status < 300, put.text);
  return path;
}

const listing = (owner: Owner): ExampleCall => ({
  status: 200,
  make: (scene) => ({ path: `/${owner}/routes`, headers: headersOf(owner, scene) }),
});

const existing = (owner: Owner, method: string, status: number): ExampleCall => ({
  status,
  make: async (scene) => ({ method, path: await newRoute(owner, scene), headers: headersOf(owner, scene) }),
});

const putting = (owner: Owner): ExampleCall => ({
  status: 201,
  async make(scene) {
    const [path, headers] = [`/${owner}/routes/new-sketches`, headersOf(owner, scene)];
    await scene.app.call({ method: "DELETE", path, headers });
    return { method: "PUT", path, headers, body: await aRoute(scene) };
  },
});

export const routeExamples: Record<string, ExampleCall> = {
  listRoutes: listing("account"),
  getRoute: existing("account", "GET", 200),
  putRoute: putting("account"),
  deleteRoute: existing("account", "DELETE", 204),
  listServerRoutes: listing("admin"),
  getServerRoute: existing("admin", "GET", 200),
  putServerRoute: putting("admin"),
  deleteServerRoute: existing("admin", "DELETE", 204),
};
