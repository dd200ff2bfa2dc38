// A server in several processes on one port, started, killed in part and stopped as an operator would.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bearer, openClient } from "./support/app-client.ts";
import { freePort } from "./support/free-port.ts";
import { startServerProcess, until } from "./support/server-process.ts";

const count = 3;
const isLinux = process.platform === "linux";

test("three processes answer on one port, a killed one comes back, calls and jobs are unaffected, and SIGTERM ends them all", {
  timeout: 900_000,
  skip: !isLinux && "ports are dealt out by Linux",
}, async () => {
  const home = await mkdtemp(join(tmpdir(), "atelier-processes-"));
  const metricsPort = await freePort();
  const server = await startServerProcess({
    home,
    env: {
      ATELIER_PROCESSES: String(count),
      ATELIER_METRICS_PORT: String(metricsPort),
      ATELIER_SANDBOX: "auto",
      ATELIER_CONTENT_PORT: "0",
      ATELIER_ENGINE_SLOTS: "1",
      ATELIER_DATABASE_POOL_SIZE: "4",
    },
  });
  try {
    const key = /^API key: +(\S+)$/m.exec(await readFile(join(home, "first-key.txt"), "utf8"))?.[1] ?? "";
    for (let index = 0; index < 120; index += 1) assert.equal(await statusOf(`${server.baseUrl}/health`), 200);
    const answered = await Promise.all(
      Array.from({ length: count }, (_, index) => requestsOf(metricsPort + index, "getHealth")),
    );
    assert.equal(
      answered.reduce((sum, each) => sum + each, 0),
      120,
    );
    assert.ok(
      answered.every((each) => each > 0),
      `all of them answer: ${answered}`,
    );

    const before = await available(server.baseUrl, key);
    await theirs(server.baseUrl, key);
    const between = await available(server.baseUrl, key);
    const [child = 0] = childrenOf(server.pid);
    process.kill(child, "SIGKILL");
    await until("the killed one is gone", () => !childrenOf(server.pid).includes(child));
    await until("another has come", async () => {
      const statuses = await Promise.all(
        Array.from({ length: count }, (_, index) => statusOf(`http://127.0.0.1:${metricsPort + index}/readyz`)),
      );
      return statuses.every((status) => status === 200);
    });
    await theirs(server.baseUrl, key);
    const spent = before - between;
    assert.ok(spent > 0);
    assert.equal(between - (await available(server.baseUrl, key)), spent, "the same was charged once more");
    const others = childrenOf(server.pid);
    assert.equal(await server.kill("SIGTERM"), 0, server.log());
    for (const pid of others) assert.throws(() => process.kill(pid, 0), /ESRCH/);
  } finally {
    server.process.kill("SIGKILL");
    await rm(home, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }
});

// A film that is requested again and again while it is made, a paid call twice under one key, and a picture by the
// engine: each request on a separate connection, so that they reach different processes.
async function theirs(baseUrl: string, key: string): Promise<void> {
  const headers = { ...bearer(key), "idempotency-key": randomUUID(), connection: "close" };
  const body = { prompt: "two by two" };
  const call = async () => {
    const client = openClient(baseUrl);
    try {
      return await client.call({ method: "POST", path: "/v1/models/sandbox/image-1", headers, body });
    } finally {
      await client.close();
    }
  };
  const [one, again] = [await call(), await call()];
  assert.deepEqual([one.status, again.status, again.text], [200, 200, one.text], one.text);
  const film = await fetch(`${baseUrl}/v1/models/sandbox/video-1`, {
    method: "POST",
    headers: { ...bearer(key), "content-type": "application/json" },
    body: JSON.stringify({ prompt: "a wave" }),
  });
  assert.equal(film.status, 200, await film.clone().text());
  await film.arrayBuffer();
  const workflow = {
    1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
    2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "example" } },
  };
  const job = await fetch(`${baseUrl}/api/v2/jobs`, {
    method: "POST",
    headers: { ...bearer(key), "content-type": "application/json" },
    body: JSON.stringify({ workflow }),
  });
  const { id } = Object(await job.json());
  const events = await fetch(`${baseUrl}/api/v2/jobs/${id}/events`, { headers: bearer(key) });
  assert.match(await events.text(), /"status":"succeeded"/);
}

async function available(baseUrl: string, key: string): Promise<number> {
  const answer = await fetch(`${baseUrl}/account/credits`, { headers: bearer(key) });
  const { available, held } = Object(await answer.json());
  assert.equal(Number(held), 0);
  // In millionths: credits have at most six decimals.
  return Math.round(Number(available) * 1e6);
}

function statusOf(url: string): Promise<number> {
  return new Promise((resolve) => {
    const asked = request(url, { agent: false }, (response) => resolve(response.resume().statusCode ?? 0));
    asked.once("error", () => resolve(0));
    asked.end();
  });
}

async function requestsOf(port: number, operation: string): Promise<number> {
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const line = new RegExp(`^atelier_http_requests_total\\{[^}]*operation="${operation}"[^}]*\\} (\\d+)$`, "m");
  return Number(line.exec(page)?.[1] ?? 0);
}

// Children that run the same program; the sandbox and the engine run others.
function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
  return children.filter((child) => readFileSync(`/proc/${child}/cmdline`, "utf8").includes("\0serve"));
}
