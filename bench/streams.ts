// Reading jobs: what one GET costs the server's process, how much memory ten thousand idle event streams take, how long one
// event takes to the last of them, and how soon a job submitted to an idle server runs.
import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "@atelier/contract";
import { type Call, calling, liftLimits } from "./calling.ts";
import { fdatasyncMs } from "./fdatasync.ts";
import { atLeast, atMost, type Finding, median, reportWith } from "./finding.ts";
import { cpuSecondsOf, watchCpu } from "./foreign-cpu.ts";
import { atelier, type Started, startLoader, startStreams, tempFolder } from "./processes.ts";
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
  using home = tempFolder("streams");
  const resting = await withServer(home.path, "0", async (server, call) => [
    // First, on a process that has done nothing yet.
    ...(await holdStreams(server, call, options.streams)),
    ...(await readJobs(server, call, options.rounds)),
  ]);
  const running = await withServer(home.path, "1", (_, call) => untilRunning(call, home.path, options.submissions));
  return [...resting, ...running];
}

async function withServer<T>(
  home: string,
  engineSlots: string,
  run: (server: Started, call: Call) => Promise<T>,
): Promise<T> {
  await using server = await atelier(home, true, { env: { ...env, ATELIER_ENGINE_SLOTS: engineSlots } });
  await liftLimits(server, apiKey, adminToken, ["streams", "jobs", "workflow_and_registry_requests_per_minute"]);
  return await run(server, calling(server, apiKey));
}

async function readJobs(server: Started, call: Call, rounds: number): Promise<Finding[]> {
  const waiting = await submit(call);
  const ended = await submit(call);
  await call("POST", `/api/v2/jobs/${ended.id}/cancel`);
  using loader = startLoader();
  const cpu = watchCpu();
  const costs: { waiting: number[]; ended: number[] } = { waiting: [], ended: [] };
  const measure = async (path: string) => {
    const before = cpuSecondsOf(server.pid);
    const job = { port: server.port, path, headers, status: 200, connections: 32, milliseconds: 2_000 };
    const { answers } = await loader.run(job);
    return ((cpuSecondsOf(server.pid) - before) * 1e6) / answers;
  };
  await measure(waiting.urls.self);
  for (let round = 0; round < rounds; round++) {
    costs.waiting.push(await measure(waiting.urls.self));
    costs.ended.push(await measure(ended.urls.self));
  }
  const { one } = reportWith(cpu.foreignShare());
  const perCore = (name: string, costs: readonly number[]): Finding => {
    const rates = costs.map((each) => 1e6 / each);
    return one(`GET of ${name} per core of the gateway`, Math.max(...rates), "answers/s", atLeast(8_000), rates);
  };
  return [perCore("a job that waits", costs.waiting), perCore("a job that has ended", costs.ended)];
}

async function holdStreams(server: Started, call: Call, streams: number): Promise<Finding[]> {
  const job = await submit(call);
  using generator = startStreams();
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
  const restingMegabytes = residentMegabytes(server.pid);
  await generator.run(asked);
  await sleep(5_000);
  const idle = cpuSecondsOf(server.pid);
  await sleep(5_000);
  const idleShare = (cpuSecondsOf(server.pid) - idle) / 5;
  const heldMegabytes = residentMegabytes(server.pid);
  const tally = await generator.run(asked);
  if (tally.kind !== "delivered") throw new Error("The event did not reach the streams.");
  const { one } = reportWith(cpu.foreignShare());
  const name = `${streams.toLocaleString("en")} idle event streams`;
  const added = heldMegabytes - restingMegabytes;
  return [
    one(`${name}: the whole process`, heldMegabytes, "MB", atMost(250)),
    one(`${name}: what they add to the server's process`, added, "MB"),
    one(`${name}: one of them`, (added * 1e3) / streams, "kB"),
    one(`${name}: share of a core`, idleShare * 100, "%"),
    one(`${name}: one event at the last of them`, tally.lastMs / 1_000, "s", atMost(1)),
  ];
}

async function untilRunning(call: Call, home: string, submissions: number): Promise<Finding[]> {
  const cpu = watchCpu();
  const took: number[] = [];
  const flushes = fdatasyncMs(home, 50, "appended");
  // The first ones start the engine's process and fill its caches.
  for (let count = -5; count < submissions; count++) {
    const { id } = await submit(call);
    let job = await read(call, id);
    for (; job.completed_at === null; job = await read(call, id)) await sleep(20);
    if (count >= 0) took.push(job.metrics?.queue_ms ?? Number.NaN);
    await sleep(50);
  }
  const { one } = reportWith(cpu.foreignShare());
  const flushMs = median(flushes);
  return [
    one("submitted to running on an idle server, p50", median(took), "ms", atMost(Math.ceil(10 + flushMs))),
    one("one fdatasync on the same disk, p50", flushMs, "ms"),
  ];
}

const graph = {
  "1": { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 7 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "bench" } },
};

const submit = (call: Call) => call<Job>("POST", "/api/v2/jobs", { workflow: graph });
const read = (call: Call, id: string) => call<Job>("GET", `/api/v2/jobs/${id}`);
