// One example call for each operation on environments, and a small lock for tests of them.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { bearer, textOf } from "./app-client.ts";
import type { ExampleCall, Scene } from "./example-call.ts";
import type { TestApp } from "./test-app.ts";

const hash = "0123456789abcdef".repeat(4);

// `packVersion` makes locks that differ.
export const aLock = (packVersion = "1.0.0") => ({
  atelier_lock: 1,
  application: { version: "0.30.0", commit: null },
  packs: [
    {
      name: "studio",
      id: "studio-nodes",
      version: packVersion,
      commit: null,
      files: [{ path: "__init__.py", bytes: 12, sha256: hash }],
    },
  ],
  python: { version: "3.12.4", packages: { torch: "2.8.0" } },
  weights: [{ path: "checkpoints/base.safetensors", bytes: 4096, sha256: hash, blake3: hash }],
  classes: { EmptyImage: "0a1b" },
  arguments: [],
});

export async function keepEnvironment(
  app: Pick<TestApp, "call" | "adminToken">,
  name = `portraits ${randomUUID()}`,
  lock: object = aLock(),
): Promise<string> {
  const body = { name, lock };
  const answer = await app.call({ method: "POST", path: "/admin/environments", headers: bearer(app.adminToken), body });
  assert.equal(answer.status, 201, answer.text);
  return textOf(answer.json(), "id");
}

const asAdmin = ({ app }: Scene) => ({ headers: bearer(app.adminToken) });

export const environmentExamples: Readonly<Record<string, ExampleCall>> = {
  listEnvironments: {
    status: 200,
    async make(scene) {
      for (let made = 0; made < 3; made++) await keepEnvironment(scene.app);
      return { path: "/admin/environments?limit=2", ...asAdmin(scene) };
    },
  },
  saveEnvironment: {
    status: 201,
    make: (scene) => ({
      method: "POST",
      path: "/admin/environments",
      ...asAdmin(scene),
      body: { name: `films ${randomUUID()}`, note: "new upscaler", lock: aLock() },
    }),
  },
  getEnvironment: {
    status: 200,
    make: async (scene) => ({ path: `/admin/environments/${await keepEnvironment(scene.app)}`, ...asAdmin(scene) }),
  },
  compareEnvironments: {
    status: 200,
    async make(scene) {
      const from = await keepEnvironment(scene.app);
      const to = await keepEnvironment(scene.app, undefined, aLock("1.1.0"));
      return { path: `/admin/environments/${from}/differences?to=${to}`, ...asAdmin(scene) };
    },
  },
  deleteEnvironment: {
    status: 204,
    make: async (scene) => ({
      method: "DELETE",
      path: `/admin/environments/${await keepEnvironment(scene.app)}`,
      ...asAdmin(scene),
    }),
  },
};
