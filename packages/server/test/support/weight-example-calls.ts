// One example call for each operation on weights, by operators and by workers that fill their folders.
import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { blake3 } from "@napi-rs/blake-hash";
import { type AppRequest, bearer, textOf } from "./app-client.ts";
import { keepEnvironment } from "./environment-example-calls.ts";
import type { ExampleCall, Scene } from "./example-call.ts";
import { anHttpWorker } from "./http-worker.ts";
import type { TestApp } from "./test-app.ts";

type Made = Omit<AppRequest, "method" | "path">;
const asAdmin = ({ app }: Scene) => ({ headers: bearer(app.adminToken) });
const hash = "0".repeat(64);

export const blake3Of = (bytes: Uint8Array): string => Buffer.from(blake3(bytes)).toString("hex");

async function uploaded(app: TestApp, bytes: Buffer): Promise<string> {
  const boundary = "atelier-weight";
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = `${field("content_type", "application/octet-stream")}${field("file_path", `${randomUUID()}.bin`)}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const headers = { ...bearer(app.key), "content-type": `multipart/form-data; boundary=${boundary}` };
  const answer = await app.call({ method: "POST", path: "/api/v2/assets", headers, body });
  assert.ok(answer.status === 200 || answer.status === 201, answer.text);
  return blake3Of(bytes);
}

// A weight whose bytes are here.
export async function keepWeight(
  app: TestApp,
  bytes: Buffer = randomBytes(64),
  path = `checkpoints/${randomUUID()}.safetensors`,
): Promise<{ id: string; blake3: string; path: string }> {
  const own = await uploaded(app, bytes);
  const body = { path, blake3: own, bytes: bytes.length, parts: [own] };
  const headers = bearer(app.adminToken);
  const added = await app.call({ method: "POST", path: "/admin/weights", headers, body });
  assert.equal(added.status, 201, added.text);
  const id = textOf(added.json(), "id");
  for (;;) {
    const answer = await app.call({ path: `/admin/weights/${id}`, headers });
    const state = textOf(answer.json(), "state");
    if (state === "ready") return { id, blake3: own, path };
    assert.equal(state, "arriving", answer.text);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const asWorker = (method: string, end: (scene: Scene) => Promise<string>, more: Made = {}): ExampleCall => ({
  status: 200,
  async make(scene) {
    const { workerId, token } = await anHttpWorker(scene.app);
    return { ...more, method, path: `/api/workers/${workerId}${await end(scene)}`, headers: bearer(token) };
  },
});

const fill = {
  name: "rack-1",
  state: "filling",
  bytes_done: 0,
  bytes_total: 10,
  share: { url: "http://127.0.0.1:9190", key: "0123456789abcdef0123456789abcdef" },
  has: [hash],
  wants: hash,
};

export const weightExamples: Readonly<Record<string, ExampleCall>> = {
  listWeights: {
    status: 200,
    async make(scene) {
      for (let made = 0; made < 3; made++) await keepWeight(scene.app);
      return { path: "/admin/weights?limit=2", ...asAdmin(scene) };
    },
  },
  addWeight: {
    status: 201,
    async make(scene) {
      const bytes = randomBytes(32);
      const own = await uploaded(scene.app, bytes);
      const body = { path: `loras/${randomUUID()}.safetensors`, blake3: own, bytes: 32, parts: [own], licence: "cc0" };
      return { method: "POST", path: "/admin/weights", ...asAdmin(scene), body };
    },
  },
  getWeight: {
    status: 200,
    make: async (scene) => ({ path: `/admin/weights/${(await keepWeight(scene.app)).id}`, ...asAdmin(scene) }),
  },
  changeWeight: {
    status: 200,
    make: async (scene) => ({
      method: "PATCH",
      path: `/admin/weights/${(await keepWeight(scene.app)).id}`,
      ...asAdmin(scene),
      body: { licence: "cc0", note: null },
    }),
  },
  deleteWeight: {
    status: 204,
    make: async (scene) => ({
      method: "DELETE",
      path: `/admin/weights/${(await keepWeight(scene.app)).id}`,
      ...asAdmin(scene),
    }),
  },
  listFills: { status: 200, make: (scene) => ({ path: "/admin/fills", ...asAdmin(scene) }) },
  reportFill: asWorker("PUT", async () => "/fill", { body: fill }),
  getWeightPieces: asWorker("GET", async ({ app }) => `/weights/${(await keepWeight(app)).blake3}`),
  readWeight: asWorker("GET", async ({ app }) => `/weights/${(await keepWeight(app)).blake3}/content?from=8&bytes=16`),
  getWorkerLock: asWorker("GET", async ({ app }) => `/environments/${await keepEnvironment(app)}`),
};
