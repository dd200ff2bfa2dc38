// SIGTERM as a supervisor sends it, to the server as `npm start` runs it: everything it accepted is answered.
import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, get, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { bearer, headerOf, openClient, textOf } from "./support/app-client.ts";
import { startAsShipped } from "./support/as-shipped-server.ts";
import { bucketOf, invokeOn } from "./support/router-calls.ts";
import { recordedUnderKey, walletOf } from "./support/router-records-store.ts";
import { startServerProcess, until } from "./support/server-process.ts";
import { routerWorld } from "./torture/router-world.ts";

describe("SIGTERM to a server as shipped", () => {
  test("running calls, a partner submission and an upload succeed, waiting streams end, the exit code is 0", {
    timeout: 900_000,
  }, async () => {
    const home = await mkdtemp(join(tmpdir(), "atelier-drain-"));
    const server = await startServerProcess({
      home,
      // The loopback default of the drain, allowing for a busy machine.
      env: {
        ATELIER_SANDBOX: "auto",
        ATELIER_CONTENT_PORT: "0",
        ATELIER_ENGINE_SLOTS: "0",
        ATELIER_DRAIN_SECONDS: "120",
      },
    });
    const client = openClient(server.baseUrl);
    try {
      const key = keyOf(await readFile(join(home, "first-key.txt"), "utf8"));
      const app = { call: client.call, key };
      const stream = await watchQueuedJob(app, server.baseUrl);
      const paid = invokeOn(
        app,
        "sandbox/voice-1",
        { prompt: "paid", simulate_seconds: 5 },
        { "idempotency-key": randomUUID() },
      );
      const submitted = app.call({
        method: "POST",
        path: "/proxy/partner-b/prompts/text-to-video",
        headers: bearer(key),
        body: { prompt_text: "a wave", simulate: "slow_answer", simulate_seconds: 5 },
      });
      await until("both that are paid for have begun", async () => {
        const { text } = await app.call({ path: "/account/credits", headers: bearer(key) });
        return text.includes('"in_flight":2');
      });
      const upload = beginUpload(server.baseUrl, key);
      const free = beginCall(server.baseUrl, key, "sandbox/text-1", { prompt: "free", simulate_seconds: 2 });
      await Promise.all([free.begun, upload.halfWay()]);
      const ended = server.kill("SIGTERM");
      await until("the drain has begun", () => /"stopping"/.test(server.log()));
      const uploaded = upload.finish();
      assert.equal(await stream.ended, "end", "a stream ends in order, at once");
      for (const [name, answer] of [
        ["free", await free.answer],
        ["paid", await paid],
      ] as const) {
        assert.equal(answer.status, 200, `${name}: ${answer.text}`);
        assert.equal(headerOf(answer, "connection"), "close");
      }
      assert.equal((await submitted).status, 201);
      assert.equal(await uploaded, 201);
      assert.equal(await ended, 0);
    } finally {
      void client.close().catch(() => {});
      await server.kill("SIGKILL");
      await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
  });

  test("a download, a webhook delivery and a queued call in progress finish, and the next start has everything", {
    timeout: 900_000,
  }, async () => {
    const home = await mkdtemp(join(tmpdir(), "atelier-drain-"));
    const receiver = await heldReceiver();
    const env = {
      ATELIER_CONTENT_PORT: "0",
      ATELIER_ENGINE_SLOTS: "0",
      ATELIER_DRAIN_SECONDS: "30",
      ATELIER_WEBHOOK_TARGETS: receiver.target,
    };
    const first = await startAsShipped({ home, env });
    let second: Awaited<ReturnType<typeof startAsShipped>> | null = null;
    try {
      // More than the buffers between two sockets can hold.
      const bytes = randomBytes(24_000_000);
      const asset = await store(first, bytes);
      const job = await first.call({
        method: "POST",
        path: "/api/v2/jobs",
        body: { workflow: queuedGraph, webhook_url: `http://${receiver.target}/hook` },
      });
      const jobPath = `/api/v2/jobs/${textOf(job.json(), "id")}`;
      assert.equal((await first.call({ method: "POST", path: `${jobPath}/cancel` })).status, 200);
      const answer = await receiver.asked;
      const queued = await first.call({
        method: "POST",
        path: "/v1/models/sandbox/voice-1/requests",
        body: { prompt: "queued", simulate_seconds: 3 },
      });
      const queuedPath = `/v1/models/sandbox/voice-1/requests/${textOf(queued.json(), "request_id")}/status`;
      const statusOn = async (server: typeof first) =>
        textOf((await server.call({ path: queuedPath })).json(), "status");
      await until("the queued call is at its provider", async () => (await statusOn(first)) === "IN_PROGRESS");
      const [download] = (await once(get(asset.url, { agent: false }), "response")) as [IncomingMessage];
      const ended = first.stop();
      await until("the drain has begun", () => /"stopping"/.test(first.log()));
      answer();
      const read: Buffer[] = [];
      for await (const chunk of download) read.push(chunk as Buffer);
      assert.ok(Buffer.concat(read).equals(bytes), "the whole file came");
      assert.equal(await ended, 0);
      assert.doesNotMatch(
        first.log(),
        /could not be (stored|run)/,
        "the end of the queued call was stored during the drain",
      );

      second = await startAsShipped({ home, env });
      assert.equal(await statusOn(second), "COMPLETED");
      assert.equal((await second.call({ path: `/api/v2/assets/${asset.id}` })).status, 200);
      assert.equal(textOf((await second.call({ path: jobPath })).json(), "status"), "canceled");
      const { text } = await second.call({ path: "/account/webhooks/deliveries" });
      const [delivery] = JSON.parse(text).data;
      assert.deepEqual([delivery.status, delivery.attempts], ["delivered", 1]);
      assert.equal(receiver.count(), 1);
    } finally {
      await first.stop("SIGKILL");
      await first.close();
      await second?.close();
      receiver.close();
      await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
  });

  test("a call that outlasts the drain gets 504 and is collected by its key from the next process, run and paid once", {
    timeout: 900_000,
  }, async () => {
    const world = await routerWorld({ ATELIER_DRAIN_SECONDS: "1", ATELIER_ROUTER_DEADLINE_SECONDS: "600" });
    try {
      const first = await world.start();
      const body = Buffer.from(JSON.stringify({ prompt: "kept", simulate_seconds: 12 }));
      const key = randomUUID();
      const asked = first.invoke("sandbox/voice-1", body, key);
      const recorded = await until("the provider works", async () => {
        const [found] = await recordedUnderKey(world.database, key);
        return found && (await world.provider.reference(found.callId))?.status === "RUNNING" ? found : null;
      });
      assert.equal(await first.stop(), 0);
      const answer = await asked;
      assert.deepEqual([answer.status, bucketOf(answer)], [504, "deadline_exceeded"]);
      assert.equal(headerOf(answer, "retry-after"), "5");
      assert.deepEqual(await walletOf(world.database, world.workspaceId()), { held: recorded.hold, inFlight: 1 });

      const second = await world.start({ ATELIER_CALL_LEASE_SECONDS: "45" });
      const collected = await second.invoke("sandbox/voice-1", body, key);
      assert.equal(collected.status, 200, collected.text);
      const [settled] = await recordedUnderKey(world.database, key);
      assert.deepEqual([settled?.callId, settled?.settleLines], [recorded.callId, 1]);
      assert.equal((await world.provider.reference(recorded.callId))?.runs, 1);
      assert.deepEqual(await walletOf(world.database, world.workspaceId()), { held: 0n, inFlight: 0 });
    } finally {
      await world.close();
    }
  });
});

function keyOf(text: string): string {
  const found = /service-\S+/.exec(text)?.[0];
  assert.ok(found, text);
  return found;
}

// Accepts a delivery and answers it when told.
async function heldReceiver() {
  const asked: ServerResponse[] = [];
  const server = createServer((request, response) => {
    request.resume();
    asked.push(response);
    server.emit("asked");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    target: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: once(server, "asked").then(() => () => void asked[0]?.end("ok")),
    count: () => asked.length,
    close: () => void server.close().closeAllConnections(),
  };
}

async function store({ baseUrl, key }: { baseUrl: string; key: string }, bytes: Buffer<ArrayBuffer>) {
  const form = new FormData();
  form.set("content_type", "application/octet-stream");
  form.set("file_path", "large.bin");
  form.set("file", new Blob([bytes]), "large.bin");
  const stored = await fetch(`${baseUrl}/api/v2/assets`, { method: "POST", headers: bearer(key), body: form });
  assert.equal(stored.status, 201);
  const asset: unknown = await stored.json();
  return { id: textOf(asset, "id"), url: textOf(asset, "url") };
}

const queuedGraph = {
  1: { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
  2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "drain" } },
};

async function watchQueuedJob(app: Parameters<typeof invokeOn>[0], baseUrl: string) {
  const created = await app.call({
    method: "POST",
    path: "/api/v2/jobs",
    headers: bearer(app.key),
    body: { workflow: queuedGraph },
  });
  assert.equal(created.status, 201, created.text);
  const id = textOf(created.json(), "id");
  const asked = httpRequest(`${baseUrl}/api/v2/jobs/${id}/events`, { headers: bearer(app.key), agent: false });
  asked.end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  assert.equal(answer.statusCode, 200);
  answer.resume();
  const ended = new Promise<string>((resolve) => {
    answer.once("end", () => resolve("end"));
    answer.once("error", () => resolve("cut"));
  });
  return { ended };
}

// A server that asks for the body has the request; anything sent before that may still be unread.
const inTwoSteps = { expect: "100-continue" };

function beginCall(baseUrl: string, key: string, model: string, input: object) {
  const asked = httpRequest(`${baseUrl}/v1/models/${model}`, {
    method: "POST",
    agent: false,
    headers: { ...bearer(key), ...inTwoSteps, "content-type": "application/json" },
  });
  // Node sends the head of this request immediately.
  const begun = once(asked, "continue").then(() => void asked.end(JSON.stringify(input)));
  const answer = once(asked, "response").then(async ([got]: IncomingMessage[]) => ({
    status: got?.statusCode,
    headers: got?.headers ?? {},
    text: got === undefined ? "" : Buffer.concat(await got.toArray()).toString(),
  }));
  return { begun, answer };
}

function beginUpload(baseUrl: string, key: string) {
  const boundary = "drain-boundary";
  const asked = httpRequest(`${baseUrl}/api/v2/assets`, {
    method: "POST",
    agent: false,
    headers: { ...bearer(key), ...inTwoSteps, "content-type": `multipart/form-data; boundary=${boundary}` },
  });
  const begun = once(asked, "continue");
  const status = once(asked, "response").then(([answer]: IncomingMessage[]) => {
    answer?.resume();
    return answer?.statusCode;
  });
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = `${field("content_type", "text/plain")}${field("file_path", "a.txt")}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n`;
  return {
    async halfWay() {
      await begun;
      await new Promise<void>((resolve) => void asked.write(`${head}${"x".repeat(50_000)}`, () => resolve()));
    },
    finish() {
      asked.end(`${"y".repeat(50_000)}\r\n--${boundary}--\r\n`);
      return status;
    },
  };
}
