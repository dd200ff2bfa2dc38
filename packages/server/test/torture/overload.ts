// What others notice when one client sends three times what the server can handle: the server as `npm start` runs it, the
// flood in a second process on loopback, and one quiet workspace that sends a few requests all the time. First we find
// the capacity by sending without pause; then a flood of three times that comes from four workspaces whose rates an
// operator has raised, or from callers without a key.
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textOf } from "../support/app-client.ts";
import { collectOutput, runAtelier, type ServerProcess, startServerProcess } from "../support/server-process.ts";
import type { FloodJob, FloodTally } from "./overload-generator.ts";

export interface OverloadOptions {
  readonly secondsPerScenario: number;
  readonly say: (line: string) => void;
}

export interface OverloadFinding {
  readonly scenario: string;
  readonly capacityPerSecond: number;
  readonly sentPerSecond: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly withoutRetryAfter: number;
  readonly quiet: Latencies;
  readonly calm: Latencies;
  // Failed health checks; these must always be answered.
  readonly healthFailures: number;
}

export interface Latencies {
  readonly answers: number;
  readonly refused: number;
  readonly p50: number;
  readonly p99: number;
}

interface World {
  readonly port: number;
  readonly adminToken: string;
  readonly noisyKeys: readonly string[];
  readonly quietKey: string;
}

interface Scenario {
  readonly name: string;
  requests(world: World): readonly string[];
}

const noisyWorkspaces = 4;
const factor = 3;

export async function tortureByOverload(options: OverloadOptions): Promise<readonly OverloadFinding[]> {
  const home = await mkdtemp(join(tmpdir(), "atelier-overload-"));
  const adminToken = `admin-${randomBytes(24).toString("base64url")}`;
  const server = await startServerProcess({
    home,
    env: { ATELIER_ADMIN_TOKEN: adminToken, ATELIER_SANDBOX: "on", ATELIER_LOG_LEVEL: "warn" },
  });
  try {
    const world = await openWorld(server, adminToken, home);
    const findings: OverloadFinding[] = [];
    for (const scenario of scenarios) {
      const finding = await runScenario(world, scenario, options.secondsPerScenario);
      options.say(lineOf(finding));
      findings.push(finding);
    }
    return findings;
  } finally {
    await server.kill("SIGTERM");
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

const scenarios: readonly Scenario[] = [
  {
    name: "v2 submissions of four workspaces",
    requests: (world) => world.noisyKeys.map((key) => post(world.port, "/api/v2/jobs", key, smallJob)),
  },
  {
    name: "v2 reads of four workspaces",
    requests: (world) => world.noisyKeys.map((key) => get(world.port, "/api/v2/jobs?limit=20", key)),
  },
  {
    name: "model calls of four workspaces",
    requests: (world) => world.noisyKeys.map((key) => post(world.port, "/v1/models/sandbox/open-1", key, { n: 1 })),
  },
  { name: "GET /nodes of nobody in particular", requests: (world) => [get(world.port, "/nodes?limit=20", null)] },
];

// Never runs: its class is unknown, so all the work is in checking it.
const smallJob = { workflow: { 1: { class_type: "NoSuchClass", inputs: {} } } };

async function runScenario(world: World, scenario: Scenario, seconds: number): Promise<OverloadFinding> {
  const requests = scenario.requests(world);
  const asked = await flood({
    port: world.port,
    requests,
    perSecond: 100_000,
    connectionsMax: 16,
    milliseconds: 3_000,
  });
  const answered = Object.entries(asked.statuses).filter(([status]) => status !== "429" && status !== "503");
  const capacityPerSecond = Math.max(50, answered.reduce((sum, [, count]) => sum + count, 0) / 3);
  await pause(500);
  const calm = await probe(world, 2);
  const flooding = flood({
    port: world.port,
    requests,
    perSecond: capacityPerSecond * factor,
    connectionsMax: 1_000,
    milliseconds: seconds * 1000,
  });
  const health = { failures: 0, isOver: false };
  const watching = watchHealth(world, health);
  const quiet = await probe(world, seconds);
  const tally = await flooding;
  health.isOver = true;
  await watching;
  await pause(1_000);
  return {
    scenario: scenario.name,
    capacityPerSecond,
    sentPerSecond: tally.sent / seconds,
    statuses: tally.statuses,
    withoutRetryAfter: tally.withoutRetryAfter,
    quiet,
    calm,
    healthFailures: health.failures,
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function flood(job: FloodJob): Promise<FloodTally> {
  const child = fork(join(import.meta.dirname, "overload-generator.ts"), { execArgv: ["--conditions=atelier-source"] });
  return new Promise((resolve, reject) => {
    child.once("message", (tally: FloodTally) => resolve(tally));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The flood ended with ${code}.`)));
    child.send(job);
  });
}

// Thirty requests a second from the quiet workspace, whether or not the earlier ones were answered.
async function probe(world: World, seconds: number): Promise<Latencies> {
  const paths = ["/api/v2/jobs?limit=5", "/v1/models", "/api/v2/assets?limit=5"];
  const asked: Promise<{ ms: number; status: number }>[] = [];
  const began = performance.now();
  for (let at = 0; performance.now() - began < seconds * 1000; at++) {
    asked.push(timed(world, paths[at % paths.length] ?? "/"));
    await pause(33);
  }
  const answers = await Promise.all(asked);
  const good = answers.filter(({ status }) => status === 200).map(({ ms }) => ms);
  good.sort((one, other) => one - other);
  const at = (share: number) => good[Math.min(good.length - 1, Math.floor(good.length * share))] ?? Number.NaN;
  return { answers: answers.length, refused: answers.length - good.length, p50: at(0.5), p99: at(0.99) };
}

async function timed(world: World, path: string): Promise<{ ms: number; status: number }> {
  const began = performance.now();
  const answer = await fetch(`http://127.0.0.1:${world.port}${path}`, { headers: { "x-api-key": world.quietKey } });
  await answer.arrayBuffer();
  return { ms: performance.now() - began, status: answer.status };
}

async function watchHealth(world: World, health: { failures: number; isOver: boolean }): Promise<void> {
  const bearer = { authorization: `Bearer ${world.adminToken}` };
  while (!health.isOver) {
    for (const path of ["/health", "/livez", "/readyz", "/metrics"]) {
      const answer = await fetch(`http://127.0.0.1:${world.port}${path}`, { headers: bearer });
      await answer.arrayBuffer();
      if (answer.status !== 200) health.failures += 1;
    }
    await pause(250);
  }
}

async function openWorld(server: ServerProcess, adminToken: string, home: string): Promise<World> {
  const port = Number(new URL(server.baseUrl).port);
  const firstKey = /service-\S+/.exec(await readFile(join(home, "first-key.txt"), "utf8"))?.[0] ?? "";
  const ask = async (method: string, path: string, body?: unknown, credential = adminToken): Promise<unknown> => {
    const answer = await fetch(`${server.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? null : answer.json();
  };
  const account = await ask("GET", "/account", undefined, firstKey);
  const first = textOf(account, "workspace", "id");
  const members = await ask("GET", `/account/workspaces/${first}/members`, undefined, firstKey);
  const ownerId = textOf(members, "data", 0, "id");
  const open = async (name: string): Promise<string> => {
    const made = await ask("POST", "/admin/workspaces", { name, owner_id: ownerId });
    const id = textOf(made, "id");
    for (const limit of ["router_and_partner_requests_per_minute", "workflow_and_registry_requests_per_minute"])
      await ask("PUT", `/admin/workspaces/${id}/limits/${limit}`, { value: 100_000_000 });
    const words = ["keys", "create", name, "--workspace", id, "--json"];
    const { out, err } = await collectOutput(runAtelier(words, { ATELIER_HOME: home }));
    const key = /service-\w+/.exec(out)?.[0];
    if (key === undefined) throw new Error(`No key was made: ${err}`);
    return key;
  };
  const noisyKeys = [];
  for (let at = 1; at <= noisyWorkspaces; at++) noisyKeys.push(await open(`noisy-${at}`));
  return { port, adminToken, noisyKeys, quietKey: await open("quiet") };
}

function get(port: number, path: string, key: string | null): string {
  const credential = key === null ? "" : `x-api-key: ${key}\r\n`;
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${credential}\r\n`;
}

function post(port: number, path: string, key: string, body: unknown): string {
  const text = JSON.stringify(body);
  const head = `host: 127.0.0.1:${port}\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n`;
  return `POST ${path} HTTP/1.1\r\n${head}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

export function lineOf(finding: OverloadFinding): string {
  const { quiet, calm } = finding;
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const statuses = Object.entries(finding.statuses).map(([status, count]) => `${count} × ${status}`);
  return [
    `${finding.scenario}: can do ${finding.capacityPerSecond.toFixed(0)}/s, got ${finding.sentPerSecond.toFixed(0)}/s: ${statuses.join(", ")}.`,
    `  another workspace: p50 ${ms(quiet.p50)}, p99 ${ms(quiet.p99)}, ${quiet.refused} of ${quiet.answers} refused (before: p50 ${ms(calm.p50)}, p99 ${ms(calm.p99)}); ${finding.healthFailures} health checks failed; ${finding.withoutRetryAfter} refusals without Retry-After`,
  ].join("\n");
}
