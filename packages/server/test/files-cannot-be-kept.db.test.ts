// The file store is full or not writable. Requests that would need to store something are refused before they cost
// anything; what is already made is delivered.
import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { callInvariants } from "../src/capabilities/calls/shared-sql.ts";
import { bearer, headerOf, memberOf, textOf } from "./support/app-client.ts";
import { aKey, bucketOf, invokeOn } from "./support/router-calls.ts";
import { recordedUnderKey, walletOf } from "./support/router-records-store.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  // A short lease, because it decides how long a worker waits for room.
  app = await apps.open({ env: { ATELIER_JOB_LEASE_SECONDS: "3" } });
});
after(() => apps.close());

// A file in the folder's place refuses every user, root included.
const staging = () => join(app.home, "blobs", "tmp");
async function breakStore(): Promise<void> {
  await rm(staging(), { recursive: true, force: true });
  await writeFile(staging(), "");
}
async function mendStore(): Promise<void> {
  await rm(staging(), { force: true });
  await mkdir(staging(), { mode: 0o700 });
  await until("new calls are taken again", async () => (await invokeOn(app, model, small, aKey())).status === 200);
}

const model = "sandbox/voice-1";
const small = { prompt: "short" };
// Seconds of sound: more than fits into a row.
const large = { prompt: "a long sentence ".repeat(40), simulate_seconds: 2 };

const atProvider = (key: string) =>
  until("the provider works", async () => {
    const [recorded] = await recordedUnderKey(app.database, key);
    return recorded && (await apps.reference(recorded.callId))?.status === "RUNNING" ? recorded : null;
  });

test("while storage is full new calls are 503 before anything runs, retries are answered, files and /readyz say 503", async () => {
  const known = aKey();
  const first = await invokeOn(app, model, small, known);
  assert.equal(first.status, 200, first.text);
  await breakStore();
  try {
    await until("it is noticed", async () => (await app.call({ path: "/readyz" })).status === 503);
    await until("calls are refused", async () => (await invokeOn(app, model, small, aKey())).status === 503);
    const [runs, wallet] = [await apps.runs(), await walletOf(app.database, app.workspaceId)];
    const refused = await invokeOn(app, model, large, aKey());
    assert.deepEqual([refused.status, bucketOf(refused)], [503, "service_unavailable"]);
    assert.equal(headerOf(refused, "retry-after"), "30");
    assert.deepEqual([await apps.runs(), await walletOf(app.database, app.workspaceId)], [runs, wallet]);
    const again = await invokeOn(app, model, small, known);
    assert.deepEqual([again.status, headerOf(again, "idempotent-replayed")], [200, "true"]);
    const form = new FormData();
    form.set("content_type", "text/plain");
    form.set("file_path", "a.txt");
    form.set("file", new Blob(["bytes"]), "a.txt");
    const url = `${app.baseUrl}/api/v2/assets`;
    const upload = await fetch(url, { method: "POST", headers: bearer(app.key), body: form });
    assert.deepEqual([upload.status, upload.headers.get("retry-after")], [503, "30"], await upload.text());
    assert.ok(app.logged.some((line) => line.includes("model calls are refused, jobs end without")));
  } finally {
    await mendStore();
  }
});

test("an answer that cannot be stored is still delivered, paid once, and its key says that it was not stored", async () => {
  const key = aKey();
  const asked = invokeOn(app, model, large, key);
  await atProvider(key["idempotency-key"]);
  await breakStore();
  try {
    const delivered = await asked;
    assert.equal(delivered.status, 200, delivered.text);
    assert.ok(delivered.bytes.byteLength > 256 * 1024);
    const [recorded] = await recordedUnderKey(app.database, key["idempotency-key"]);
    assert.deepEqual([recorded?.state, recorded?.settleLines], ["finished", 1]);
    assert.ok(recorded && recorded.settleSum > 0n);
    const retried = await invokeOn(app, model, large, key);
    assert.deepEqual([retried.status, bucketOf(retried)], [500, "internal_error"]);
    assert.equal(headerOf(retried, "idempotent-replayed"), "true");
    assert.match(retried.text, /was charged and was answered once.*Use a new Idempotency-Key/);
    assert.equal((await apps.reference(recorded.callId))?.runs, 1);
    assert.deepEqual(await walletOf(app.database, app.workspaceId), { held: 0n, inFlight: 0 });
    for (const { name, statement } of callInvariants) assert.deepEqual(await app.database.query(statement), [], name);
  } finally {
    await mendStore();
  }
});

test("a caller who leaves while storage is full collects the answer by the key once there is room again", async () => {
  const key = aKey();
  const headers = { ...bearer(app.key), ...key, "content-type": "application/json" };
  const leaving = new AbortController();
  const url = `${app.baseUrl}/v1/models/${model}`;
  const body = JSON.stringify(large);
  const left = fetch(url, { method: "POST", headers, body, signal: leaving.signal }).catch(() => null);
  const { callId } = await atProvider(key["idempotency-key"]);
  await breakStore();
  leaving.abort();
  await left;
  await until("the provider is done", async () => (await apps.reference(callId))?.response_sha256 ?? null);
  await mendStore();
  const collected = await until("the key collects it", async () => {
    const answer = await invokeOn(app, model, large, key);
    return answer.status === 200 ? answer : null;
  });
  assert.ok(collected.bytes.byteLength > 256 * 1024);
  const [recorded] = await recordedUnderKey(app.database, key["idempotency-key"]);
  assert.deepEqual([recorded?.settleLines, (await apps.reference(callId))?.runs], [1, 1]);
});

test("a job whose output cannot be stored ends, says why and holds nothing", async () => {
  await breakStore();
  try {
    const made = { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 3 } };
    const saved = { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "full" } };
    const body = { workflow: { "1": made, "2": saved } };
    const created = await app.call({ method: "POST", path: "/api/v2/jobs", headers: bearer(app.key), body });
    assert.equal(created.status, 201, created.text);
    const path = `/api/v2/jobs/${textOf(created.json(), "id")}`;
    const job = await until(
      "the job ends",
      async () => {
        const found = (await app.call({ path, headers: bearer(app.key) })).json();
        return memberOf(found, "completed_at") === null ? null : found;
      },
      120,
    );
    assert.deepEqual([memberOf(job, "status"), memberOf(job, "error", "code")], ["failed", "service_unavailable"]);
    assert.match(textOf(job, "error", "message"), /^The file store cannot be written right now/);
    assert.deepEqual(await walletOf(app.database, app.workspaceId), { held: 0n, inFlight: 0 });
  } finally {
    await mendStore();
  }
});
