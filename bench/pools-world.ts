// One server that runs no graph itself, its database, and a pool of workers next to stand-in applications; each kind in separate
// processes, so that their CPU time can be told apart.
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import type { LimitName } from "../packages/server/src/capabilities/limits/index.ts";
import type { ApplicationsOrder } from "./pools-applications.ts";
import type { WorkersOrder } from "./pools-workers.ts";
import { atelier, root } from "./processes.ts";

export interface PoolWorld {
  // A server and a database, no worker yet.
  readonly baseUrl: string;
  call(method: string, path: string, body?: object, admin?: boolean): Promise<{ status: number; body: unknown }>;
  start(pool: ApplicationsOrder & { readonly slots: number }): Promise<RunningPool>;
  // Seconds of CPU time so far.
  serverSeconds(): number;
  databaseSeconds(): number;
  readonly key: string;
  close(): Promise<void>;
}

export interface RunningPool {
  readonly applications: readonly string[];
  workerSeconds(): number;
  applicationSeconds(): number;
  // Stops the workers, and lets them continue.
  hold(): void;
  release(): void;
  stop(): Promise<void>;
}

const limitNames: readonly LimitName[] = ["jobs", "streams", "workflow_and_registry_requests_per_minute", "assets"];

export async function poolWorld(): Promise<PoolWorld> {
  const home = mkdtempSync(join(tmpdir(), "atelier-bench-pools-"));
  const key = `service-${randomBytes(24).toString("hex")}`;
  const adminToken = `admin-${randomBytes(32).toString("base64url")}`;
  const server = await atelier(home, false, {
    env: {
      ATELIER_BOOTSTRAP_KEY: key,
      ATELIER_ADMIN_TOKEN: adminToken,
      ATELIER_ENGINE_SLOTS: "0",
      ATELIER_SANDBOX: "off",
      ATELIER_LOG_LEVEL: "warn",
      ATELIER_CONTENT_PORT: "0",
      ATELIER_CONNECTIONS_PER_ADDRESS_MAX: "5000",
    },
  });
  const baseUrl = `http://127.0.0.1:${server.port}`;
  const agent = new Agent({ connections: 64, headersTimeout: 60_000 });
  const call: PoolWorld["call"] = async (method, path, body, admin = false) => {
    const answer = await request(`${baseUrl}${path}`, {
      method,
      dispatcher: agent,
      headers: {
        authorization: `Bearer ${admin ? adminToken : key}`,
        ...(body ? { "content-type": "application/json" } : {}),
      },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, body: text === "" ? null : JSON.parse(text) };
  };
  const token = await prepare(call);
  return {
    baseUrl,
    key,
    call,
    start: (pool) => startPool(pool, baseUrl, token),
    serverSeconds: () => secondsOf(server.pid),
    databaseSeconds: () => databaseSeconds(home),
    async close() {
      await agent.destroy();
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function prepare(call: PoolWorld["call"]): Promise<string> {
  const account = await call("GET", "/account");
  const { workspace } = account.body as { readonly workspace: { readonly id: string } };
  for (const name of limitNames) {
    const set = await call("PUT", `/admin/workspaces/${workspace.id}/limits/${name}`, { value: 1_000_000 }, true);
    if (set.status !== 200)
      throw new Error(`the limit ${name} was answered ${set.status}: ${JSON.stringify(set.body)}`);
  }
  const made = await call("POST", "/admin/worker-tokens", { name: "bench" }, true);
  const { secret } = made.body as { readonly secret: string };
  return secret;
}

async function startPool(
  pool: ApplicationsOrder & { readonly slots: number },
  serverUrl: string,
  token: string,
): Promise<RunningPool> {
  const applications = child("bench/pools-applications.ts");
  const order: ApplicationsOrder = { count: pool.count, latencyMs: pool.latencyMs };
  const urls = (await answered(applications, order)) as readonly string[];
  const workers = child("bench/pools-workers.ts");
  const wanted: WorkersOrder = { serverUrl, token, applications: urls, slots: pool.slots };
  await answered(workers, wanted);
  return {
    applications: urls,
    workerSeconds: () => secondsOf(workers.pid ?? 0),
    applicationSeconds: () => secondsOf(applications.pid ?? 0),
    hold: () => void workers.kill("SIGSTOP"),
    release: () => void workers.kill("SIGCONT"),
    async stop() {
      for (const one of [workers, applications]) await ended(one);
    },
  };
}

const child = (file: string): ChildProcess =>
  fork(join(root, file), [], {
    execArgv: ["--conditions=atelier-source", "--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });

function answered(one: ChildProcess, order: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    one.once("message", resolve);
    one.once("exit", (code) => reject(new Error(`A child ended with ${code} before it was ready.`)));
    one.send(order);
  });
}

// Once released, a child ends on its own and removes its folder.
function ended(one: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const giveUp = setTimeout(() => one.kill("SIGKILL"), endMsMax);
    one.once("exit", () => {
      clearTimeout(giveUp);
      resolve();
    });
    one.disconnect();
  });
}

const endMsMax = 10_000;

const ticksPerSecond = 100;

export function secondsOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return 0;
  }
}

// The postmaster of this home and all its descendants, ended ones included.
function databaseSeconds(home: string): number {
  try {
    const postmaster = Number(readFileSync(join(home, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
    const own = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === postmaster);
    return secondsOf(postmaster) + own.reduce((sum, pid) => sum + secondsOf(Number(pid)), 0);
  } catch {
    return 0;
  }
}

function parentOf(pid: string): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return 0;
  }
}
