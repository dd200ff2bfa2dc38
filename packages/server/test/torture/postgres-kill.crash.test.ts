// kill -9 of the embedded PostgreSQL under a server as `npm start` runs it, while jobs read files, call models and save
// outputs. `npm run torture -- jobs --postgres-kills 10` is the long one.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Job } from "@atelier/contract";
import { bearer, openClient, textOf } from "../support/app-client.ts";
import { postgresPid, startServerProcess, until } from "../support/server-process.ts";

const jobsCount = 25;

const save = (from: string) => ({ class_type: "SaveImage", inputs: { images: [from, 0], filename_prefix: "kept" } });

const side = { upscale_method: "nearest-exact", width: 512, crop: "disabled" };

// Each graph is different, so that none is answered from the cache.
function graphOf(index: number, assetId: string): object {
  const color = 1000 + index;
  if (index % 3 === 0) {
    const parameters = JSON.stringify({ response_format: "b64_json", simulate_seconds: 0.3 });
    const inputs = { model: "sandbox/image-1", prompt: "kept", width: 64, height: 64, seed: color, parameters };
    return { "1": { class_type: "AtelierModelImage", inputs }, "2": save("1") };
  }
  const made =
    index % 3 === 1
      ? { class_type: "LoadImage", inputs: { image: { __type: "core/ASSET", info: { id: assetId } } } }
      : { class_type: "EmptyImage", inputs: { width: 256, height: 256, batch_size: 1, color } };
  const larger = { class_type: "ImageScale", inputs: { image: ["1", 0], ...side, height: 256 + index } };
  return { "1": made, "2": larger, "3": save("2") };
}

test("25 of 25 jobs survive kill -9 of PostgreSQL, three times at different moments, with their outputs", {
  timeout: 900_000,
}, async () => {
  const home = await mkdtemp(join(tmpdir(), "atelier-postgres-kill-"));
  const server = await startServerProcess({
    home,
    env: { ATELIER_SANDBOX: "auto", ATELIER_CONTENT_PORT: "0", ATELIER_ENGINE_SLOTS: "4", ATELIER_LOG_LEVEL: "warn" },
  });
  const client = openClient(server.baseUrl);
  try {
    const key = /service-\S+/.exec(await readFile(join(home, "first-key.txt"), "utf8"))?.[0] ?? "";
    const assetId = await upload(server.baseUrl, key);
    const read = async (id: string): Promise<Job> =>
      JSON.parse((await client.call({ path: `/api/v2/jobs/${id}`, headers: bearer(key) })).text);
    const jobs = await Promise.all(
      Array.from({ length: jobsCount }, async (_, index) => {
        const body = { workflow: graphOf(index, assetId) };
        const created = await client.call({ method: "POST", path: "/api/v2/jobs", headers: bearer(key), body });
        assert.equal(created.status, 201, created.text);
        return textOf(created.json(), "id");
      }),
    );
    const ended = async () => {
      const found = await Promise.all(jobs.map(read));
      return found.every(({ status }) => typeof status === "string")
        ? found.filter(({ completed_at: at }) => at !== null)
        : null;
    };
    for (const share of [0, 0.3, 0.6]) {
      await until("some jobs ended", async () => ((await ended())?.length ?? 0) >= share * jobsCount);
      const pid = await until("PostgreSQL runs", () => postgresPid(home));
      process.kill(pid, "SIGKILL");
      await until("PostgreSQL is back", () => ![null, pid].includes(postgresPid(home)));
    }
    const all = await until("all jobs ended", async () => {
      const found = await ended();
      return found?.length === jobsCount ? found : null;
    });
    assert.deepEqual(
      all.filter(({ status }) => status !== "succeeded").map(({ id, status, error }) => ({ id, status, error })),
      [],
      server.log(),
    );
    for (const { outputs } of all) assert.equal(outputs.length, 1);
  } finally {
    void client.close().catch(() => {});
    await server.kill("SIGTERM");
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
});

async function upload(baseUrl: string, key: string): Promise<string> {
  const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const form = new FormData();
  form.set("content_type", "image/png");
  form.set("file_path", "photo.png");
  form.set("file", new Blob([Buffer.from(dot, "base64")]), "photo.png");
  const answer = await fetch(`${baseUrl}/api/v2/assets`, { method: "POST", headers: bearer(key), body: form });
  assert.equal(answer.status, 201);
  return textOf(await answer.json(), "id");
}
