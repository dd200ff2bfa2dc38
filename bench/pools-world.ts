// One server that runs no graph itself, its database, and a pool of workers next to stand-in applications; each kind in separate
// processes, so that their CPU time can be told apart.
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { Agent, request } from "undici";
import { calling, liftLimits } from "./calling.ts";
import { answerOf, spawnChild } from "./children.ts";
import { cpuSecondsOf, treeCpuSecondsOf } from "./foreign-cpu.ts";
import type { ApplicationsOrder } from "./pools-applications.ts";
import type { WorkersOrder } from "./pools-workers.ts";
import { atelier, node, postmasterPid, tempFolder } from "./processes.ts";

export interface PoolWorld extends AsyncDisposable {
  // A server and a database, no worker yet.
  readonly baseUrl: string;
  call(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }>;
  start(pool: ApplicationsOrder & { readonly slots: number }): Promise<RunningPool>;
  // Seconds of CPU time so far.
  serverSeconds(): number;
  databaseSeconds(): number;
  readonly key: string;
}

export interface RunningPool extends AsyncDisposable {
  readonly applications: readonly string[];
  workerSeconds(): number;
  applicationSeconds(): number;
  // Stops the workers, and lets them continue.
  hold(): void;
  release(): void;
}

const limitNames = ["jobs", "streams", "workflow_and_registry_requests_per_minute", "assets"] as const;

export async function poolWorld(): Promise<PoolWorld> {
  await using ends = new AsyncDisposableStack();
  const home = ends.use(tempFolder("pools")).path;
  const key = `service-${randomBytes(24).toString("hex")}`;
  const adminToken = `admin-${randomBytes(32).toString("base64url")}`;
  const server = ends.use(
    await atelier(home, false, {
      env: {
        ATELIER_BOOTSTRAP_KEY: key,
        ATELIER_ADMIN_TOKEN: adminToken,
        ATELIER_ENGINE_SLOTS: "0",
        ATELIER_SANDBOX: "off",
        ATELIER_LOG_LEVEL: "warn",
        ATELIER_CONTENT_PORT: "0",
        ATELIER_CONNECTIONS_PER_ADDRESS_MAX: "5000",
      },
    }),
  );
  const baseUrl = `http://127.0.0.1:${server.port}`;
  const agent = new Agent({ connections: 64, headersTimeout: 60_000 });
  ends.defer(() => agent.destroy());
  const call: PoolWorld["call"] = async (method, path, body) => {
    const answer = await request(`${baseUrl}${path}`, {
      method,
      dispatcher: agent,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body ? { "content-type": "application/json" } : {}),
      },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, body: text === "" ? null : JSON.parse(text) };
  };
  await liftLimits(server, key, adminToken, limitNames);
  const made = await calling(server, adminToken)<{ secret: string }>("POST", "/admin/worker-tokens", { name: "bench" });
  const kept = ends.move();
  return {
    baseUrl,
    key,
    call,
    start: (pool) => startPool(pool, baseUrl, made.secret),
    serverSeconds: () => cpuSecondsOf(server.pid),
    databaseSeconds: () => treeCpuSecondsOf(postmasterPid(home)),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function startPool(
  pool: ApplicationsOrder & { readonly slots: number },
  serverUrl: string,
  token: string,
): Promise<RunningPool> {
  const applications = spawnChild(node("bench/pools-applications.ts"));
  const order: ApplicationsOrder = { count: pool.count, latencyMs: pool.latencyMs };
  const urls = await answerOf<readonly string[]>(applications, startMsMax, order);
  const workers = spawnChild(node("bench/pools-workers.ts"));
  const wanted: WorkersOrder = { serverUrl, token, applications: urls, slots: pool.slots };
  await answerOf(workers, startMsMax, wanted);
  return {
    applications: urls,
    workerSeconds: () => cpuSecondsOf(workers.pid ?? 0),
    applicationSeconds: () => cpuSecondsOf(applications.pid ?? 0),
    hold: () => void workers.kill("SIGSTOP"),
    release: () => void workers.kill("SIGCONT"),
    async [Symbol.asyncDispose]() {
      for (const one of [workers, applications]) await ended(one);
    },
  };
}

const startMsMax = 120_000;

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
