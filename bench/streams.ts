// Reading jobs: what one GET costs the server's process, how much memory ten thousand idle event streams take, how long one
// event takes to the last of them, and how soon a job submitted to an idle server runs.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "@atelier/contract";
import { type Finding, median } from "./finding.ts";
import { cpuSecondsOf, watchCpu } from "./foreign-cpu.ts";
import { atelier, type Started, startLoader, startStreams } from "./processes.ts";
import { residentMegabytes } from "./start-and-rest.ts";

const apiKey = `service-${"b".repeat(48)}`;
const adminToken = `admin-${"b".repeat(43)}`;
const headers = { "x-api-key": apiKey };
const env = {
  ATELIER_BOOTSTRAP_KEY: apiKey,
  ATELIER_ADMIN_TOKEN: adminToken,
  ATELIER_SANDBOX: "off",
  ATELIER_LOG_LEVEL: "warn",
  ATELIER_CONTENT_PORT: "0",
};

export interface StreamBench {
  readonly rounds: number;
  readonly streams: number;
  readonly submissions: number;
}

export async function benchStreams(options: StreamBench): Promise<Finding[]> {
  const home = mkdtempSync(join(tmpdir(), "atelier-bench-"));
  try {
    const resting = await withServer(home, { ATELIER_ENGINE_SLOTS: "0" }, async (server) => [
      // First, on a process that has done nothing yet.
      ...(await holdStreams(server, options.streams)),
      ...(await readJobs(server, options.rounds)),
    ]);
    const running = await withServer(home, { ATELIER_ENGINE_SLOTS: "1" }, (server) =>
      untilRunning(server, home, options.submissions),
    );
    return [...resting, ...running];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function withServer<T>(
  home: string,
  more: Readonly<Record<string, string>>,
  run: (server: Started) => Promise<T>,
): Promise<T> {
  const server = await atelier(home, true, { env: { ...env, ...more } });
  try {
    await liftLimits(server);
    return await run(server);
  } finally {
    await server.stop();
  }
}

async function readJobs(server: Started, rounds: number): Promise<Finding[]> {
  const waiting = await submit(server);
  const ended = await submit(server);
  await ask(server, `/api/v2/jobs/${ended.id}/cancel`, { method: "POST" });
  const loader = startLoader();
  const cpu = watchCpu();
  const costs: { waiting: number[]; ended: number[] } = { waiting: [], ended: [] };
  const measure = async (path: string) => {
    const before = cpuSecondsOf(server.pid);
    const job = { port: server.port, path, headers, status: 200, connections: 32, milliseconds: 2_000 };
    const { answers } = await loader.run(job);
    return ((cpuSecondsOf(server.pid) - before) * 1e6) / answers;
  };
  try {
    await measure(waiting.urls.self);
    for (let round = 0; round < rounds; round++) {
      costs.waiting.push(await measure(waiting.urls.self));
      costs.ended.push(await measure(ended.urls.self));
    }
  } finally {
    loader.end();
  }
  const foreignCpu = cpu.foreignShare();
  const limit = { kind: "at least", value: 8_000 } as const;
  const finding = (name: string, values: readonly number[]): Finding => ({
    name: `GET of ${name} per core of the gateway`,
    value: 1e6 / Math.min(...values),
    unit: "answers/s",
    limit,
    rounds: values.map((each) => 1e6 / each),
    foreignCpu,
  });
  return [finding("a job that waits", costs.waiting), finding("a job that has ended", costs.ended)];
}

async function holdStreams(server: Started, streams: number): Promise<Finding[]> {
  const job = await submit(server);
  const generator = startStreams();
  const cpu = watchCpu();
  const asked = {
    port: server.port,
    headers,
    path: job.urls.events,
    streams,
    trigger: job.urls.cancel,
    expected: '"canceled"',
    milliseconds: 120_000,
  };
  try {
    const restingMegabytes = residentMegabytes(server.pid);
    await generator.run(asked);
    await sleep(5_000);
    const idle = cpuSecondsOf(server.pid);
    await sleep(5_000);
    const idleShare = (cpuSecondsOf(server.pid) - idle) / 5;
    const heldMegabytes = residentMegabytes(server.pid);
    const tally = await generator.run(asked);
    if (tally.kind !== "delivered") throw new Error("The event did not reach the streams.");
    const foreignCpu = cpu.foreignShare();
    const name = `${streams.toLocaleString("en")} idle event streams`;
    return [
      {
        name: `${name}: the whole process`,
        value: heldMegabytes,
        unit: "MB",
        limit: { kind: "at most", value: 250 },
        foreignCpu,
      },
      {
        name: `${name}: what they add to the server's process`,
        value: heldMegabytes - restingMegabytes,
        unit: "MB",
        foreignCpu,
      },
      {
        name: `${name}: one of them`,
        value: ((heldMegabytes - restingMegabytes) * 1e3) / streams,
        unit: "kB",
        foreignCpu,
      },
      { name: `${name}: share of a core`, value: idleShare * 100, unit: "%", foreignCpu },
      {
        name: `${name}: one event at the last of them`,
        value: tally.lastMs / 1_000,
        unit: "s",
        limit: { kind: "at most", value: 1 },
        foreignCpu,
      },
    ];
  } finally {
    generator.end();
  }
}

async function untilRunning(server: Started, home: string, submissions: number): Promise<Finding[]> {
  const cpu = watchCpu();
  const took: number[] = [];
  const flushes = fdatasyncMs(home, 50);
  // The first ones start the engine's process and fill its caches.
  for (let count = -5; count < submissions; count++) {
    const { id } = await submit(server);
    let job = await read(server, id);
    for (; job.completed_at === null; job = await read(server, id)) await sleep(20);
    if (count >= 0) took.push(job.metrics?.queue_ms ?? Number.NaN);
    await sleep(50);
  }
  const foreignCpu = cpu.foreignShare();
  const flushMs = median(flushes);
  return [
    {
      name: "submitted to running on an idle server, p50",
      value: median(took),
      unit: "ms",
      limit: { kind: "at most", value: Math.ceil(10 + flushMs) },
      foreignCpu,
    },
    { name: "one fdatasync on the same disk, p50", value: flushMs, unit: "ms", foreignCpu },
  ];
}

const graph = {
  "1": { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 7 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "bench" } },
};

const submit = (server: Started): Promise<Job> =>
  ask(server, "/api/v2/jobs", { method: "POST", body: JSON.stringify({ workflow: graph }) });
const read = (server: Started, id: string): Promise<Job> => ask(server, `/api/v2/jobs/${id}`);

async function ask<T>(server: Started, path: string, more: RequestInit = {}): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { ...headers, "content-type": "application/json" },
    ...more,
  });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function liftLimits(server: Started): Promise<void> {
  const { workspace } = await ask<{ workspace: { id: string } }>(server, "/account");
  const admin = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
  for (const name of ["streams", "jobs", "workflow_and_registry_requests_per_minute"]) {
    const path = `/admin/workspaces/${workspace.id}/limits/${name}`;
    await ask(server, path, { method: "PUT", headers: admin, body: JSON.stringify({ value: 100_000_000 }) });
  }
}

function fdatasyncMs(home: string, count: number): number[] {
  const file = openSync(join(home, "bench-flush"), "w");
  try {
    return Array.from({ length: count }, () => {
      writeSync(file, Buffer.alloc(8192));
      const began = performance.now();
      fdatasyncSync(file);
      return performance.now() - began;
    });
  } finally {
    closeSync(file);
  }
}
