// A graph gives the same outputs whether the editor sends it as a prompt or a program submits it by v2.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { bearer, memberOf, textOf } from "./support/app-client.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

const gallery = join(import.meta.dirname, "../../../examples/gallery");
let apps: SandboxApps;
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  app = await apps.open({ env: { ATELIER_DIALECT: "comfy", ATELIER_BOOTSTRAP_CREDITS: "100000000" } });
});
after(() => apps.close());

const send = async (path: string, body: object) => {
  const answer = await app.call({ method: "POST", path, headers: bearer(app.key), body });
  assert.ok(answer.status === 200 || answer.status === 201, answer.text);
  return answer.json();
};

// The hashes of what it made, by name.
async function outputsOf(jobId: string): Promise<Record<string, string>> {
  const job = await until(`${jobId} has ended`, async () => {
    const read = (await app.call({ path: `/api/v2/jobs/${jobId}`, headers: bearer(app.key) })).json();
    return ["queued", "running"].includes(textOf(read, "status")) ? null : read;
  });
  assert.equal(memberOf(job, "status"), "succeeded", JSON.stringify(memberOf(job, "error")));
  const outputs = memberOf(job, "outputs");
  assert.ok(Array.isArray(outputs) && outputs.length > 0);
  const hashes = await Promise.all(
    outputs.map(async (output: unknown) => {
      const path = `/api/v2/assets/${textOf(output, "id")}`;
      const asset = (await app.call({ path, headers: bearer(app.key) })).json();
      return [textOf(output, "name"), textOf(asset, "hash")] as const;
    }),
  );
  return Object.fromEntries(hashes);
}

// Each takes seconds: ten of them with ATELIER_TEST_LONG=1.
const count = process.env["ATELIER_TEST_LONG"] === "1" ? 10 : 2;

test("graphs of the gallery make the same files as prompts and by v2", async () => {
  const names = (await readdir(gallery)).filter((name) => name.endsWith(".json")).slice(0, count);
  assert.equal(names.length, count);
  for (const name of names) {
    const graph: unknown = JSON.parse(await readFile(join(gallery, name), "utf8"));
    const prompt = textOf(await send("/api/prompt", { prompt: graph, client_id: "editor" }), "prompt_id");
    const job = textOf(await send("/api/v2/jobs", { workflow: graph }), "id");
    assert.deepEqual(await outputsOf(prompt), await outputsOf(job), name);
  }
});
