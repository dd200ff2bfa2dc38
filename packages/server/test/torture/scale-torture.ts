// A deployment at zero: jobs arrive, a scaler starts workers with an application each, workers are killed meanwhile, and at the
// end nothing runs any more. Every job must succeed, and no worker that had a job may be let go.
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/foundation/clock.ts";
import { allInvariants } from "../../src/processes/invariants.ts";
import { bearer } from "../support/app-client.ts";
import { attemptsOfJobs } from "../support/job-records-store.ts";
import { type ServerProcess, startServerProcess, until } from "../support/server-process.ts";
import { addWorkerToken } from "../support/worker-token-store.ts";
import { type RouterServer, type RouterWorld, routerWorld } from "./router-world.ts";

export interface ScaleTorture {
  readonly jobs: number;
  readonly jobSeconds: number;
  readonly workersMax: number;
  // How many workers to kill with SIGKILL while jobs run.
  readonly kills: number;
  readonly idleSeconds: number;
  readonly leaseSeconds: number;
  say(line: string): void;
}

export interface ScaleTortureReport {
  readonly violations: readonly string[];
  readonly succeeded: number;
  readonly killed: number;
  readonly workersMost: number;
  // From the first submission until the scaler had decided to start a worker, and until the first job ran.
  readonly decidedMs: number;
  readonly firstRunMs: number;
  // From the end of the last job until no worker ran.
  readonly backToZeroSeconds: number;
  readonly retried: number;
  readonly seconds: number;
}

interface Scene extends ScaleTorture {
  readonly home: string;
  readonly router: RouterWorld;
  readonly gateway: RouterServer;
  readonly admin: string;
  readonly deploymentId: string;
}

export async function tortureScale(options: ScaleTorture): Promise<ScaleTortureReport> {
  const startedMs = performance.now();
  const home = await mkdtemp(join(tmpdir(), "atelier-scale-"));
  const router = await routerWorld({
    ATELIER_ENGINE_SLOTS: "0",
    ATELIER_JOB_LEASE_SECONDS: String(options.leaseSeconds),
  });
  let scaler: ServerProcess | null = null;
  try {
    const gateway = await router.start();
    const admin = router.adminToken;
    const deploymentId = await makeDeployment({ gateway, admin, options });
    scaler = await startScaler({ home, gateway, router, deploymentId, options });
    const report = await runIn({ ...options, home, router, gateway, admin, deploymentId });
    return { ...report, seconds: (performance.now() - startedMs) / 1000 };
  } finally {
    await scaler?.kill("SIGTERM");
    await router.close();
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

async function makeDeployment(site: {
  readonly gateway: RouterServer;
  readonly admin: string;
  readonly options: ScaleTorture;
}): Promise<string> {
  const body = {
    name: "scaled",
    environment: { engine: "application" },
    workers_min: 0,
    workers_max: site.options.workersMax,
    jobs_per_worker: 4,
  };
  const path = "/admin/deployments";
  const made = await site.gateway.client.call({ method: "POST", path, headers: bearer(site.admin), body });
  const { id }: { id?: string } = JSON.parse(made.text);
  if (id === undefined) throw new Error(`the deployment was answered with ${made.text}`);
  return id;
}

const program = join(import.meta.dirname, "../support/application-program.ts");

async function startScaler(site: {
  readonly home: string;
  readonly gateway: RouterServer;
  readonly router: RouterWorld;
  readonly deploymentId: string;
  readonly options: ScaleTorture;
}): Promise<ServerProcess> {
  const { home, gateway, router, deploymentId, options } = site;
  const application = `exec ${process.execPath} --conditions=atelier-source --disable-warning=ExperimentalWarning ${program} {port} ${home}/application-{port}`;
  const words = [
    "pool",
    deploymentId,
    "--workers",
    "auto",
    "--server",
    gateway.baseUrl,
    "--start-command",
    application,
  ];
  return startServerProcess({
    home: join(home, "scaler"),
    command: [...words, "--idle-seconds", String(options.idleSeconds)],
    env: { ATELIER_WORKER_TOKEN: await addWorkerToken(router.database, [deploymentId]) },
  });
}

async function runIn(scene: Scene): Promise<Omit<ScaleTortureReport, "seconds">> {
  const { say } = scene;
  const firstMs = performance.now();
  const watching = watch(scene);
  const first = await submitUntilAccepted(scene, 0);
  const decidedMs = (watching.decidedAtMs() ?? Number.NaN) - firstMs;
  await until("the first job runs", async () => (await stateOf(scene, first)) !== "queued", 600);
  const firstRunMs = performance.now() - firstMs;
  say(`from zero: decided after ${Math.round(decidedMs)} ms, running after ${Math.round(firstRunMs)} ms`);
  const ids = [first];
  for (let index = 1; index < scene.jobs; index += 1) ids.push(await submitUntilAccepted(scene, index));
  say(`${ids.length} jobs are queued`);
  const killed = await killSome(scene, ids);
  await until("all jobs have ended", async () => (await countEnded(scene, ids)) === ids.length, 1_200);
  const endedMs = performance.now();
  say("all jobs have ended");
  await until("no worker is left", async () => (await status(scene)).workers.length === 0, 600);
  const backToZeroSeconds = (performance.now() - endedMs) / 1000;
  const workersMost = await watching.end();
  const violations = await judge(scene, ids);
  const { retried } = await attemptsOfJobs(scene.router.database);
  const succeeded = await countEnded(scene, ids, "succeeded");
  return { violations, succeeded, killed, workersMost, decidedMs, firstRunMs, backToZeroSeconds, retried };
}

const graphOf = (index: number, seconds: number) => ({
  1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: index + 1 } },
  2: { class_type: "TestSleep", inputs: { value: ["1", 0], seconds } },
  3: { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "kept" } },
});

// A deployment at zero says 429 with Retry-After until its first worker is there, as SDKs expect.
async function submitUntilAccepted(scene: Scene, index: number): Promise<string> {
  const { gateway, router, deploymentId } = scene;
  const path = `/deployment/${deploymentId}/api/v2/jobs`;
  const body = { workflow: graphOf(index, scene.jobSeconds) };
  for (;;) {
    const answer = await gateway.client.call({ method: "POST", path, headers: bearer(router.key), body });
    if (answer.status === 201) return String(JSON.parse(answer.text).id);
    if (answer.status !== 429) throw new Error(`a submission answered ${answer.status}: ${answer.text}`);
    await systemClock.sleep(500);
  }
}

interface Status {
  readonly workers: readonly { readonly id: string }[];
  readonly scalers: readonly { readonly running: number; readonly starting: number; readonly workers_wanted: number }[];
}

async function status({ gateway, admin, deploymentId }: Scene): Promise<Status> {
  const path = `/admin/deployments/${deploymentId}`;
  return JSON.parse((await gateway.client.call({ path, headers: bearer(admin) })).text);
}

// When the scaler first wanted a worker, and the most workers there were at once.
function watch(scene: Scene) {
  const over = new AbortController();
  let decidedAtMs: number | null = null;
  let most = 0;
  const looking = (async () => {
    while (!over.signal.aborted) {
      const { scalers, workers } = await status(scene).catch(() => ({ scalers: [], workers: [] }));
      if (scalers.some(({ starting, running }) => starting + running > 0)) decidedAtMs ??= performance.now();
      most = Math.max(most, workers.length);
      await systemClock.sleep(100, over.signal);
    }
  })();
  return {
    decidedAtMs: () => decidedAtMs,
    async end() {
      over.abort();
      await looking;
      return most;
    },
  };
}

async function killSome(scene: Scene, ids: readonly string[]): Promise<number> {
  let killed = 0;
  for (let strike = 1; strike <= scene.kills; strike += 1) {
    const share = strike / (scene.kills + 1);
    const isTime = async () => (await countEnded(scene, ids)) >= ids.length * share;
    await until(`${Math.round(share * 100)} % of the jobs`, isTime, 1_200);
    const pid = await workerWithJob(scene);
    if (pid === null) continue;
    scene.say(`kill -9 of a worker that has a job (${pid})`);
    process.kill(pid, "SIGKILL");
    killed += 1;
  }
  return killed;
}

// A process of one of the scaler's workers to which the server has given a job.
async function workerWithJob(scene: Scene): Promise<number | null> {
  const path = `/admin/pools/${scene.deploymentId}/workers`;
  const answer = await scene.gateway.client.call({ path, headers: bearer(scene.admin) });
  const { data }: { data: { id: string; jobs: unknown[] }[] } = JSON.parse(answer.text);
  const busy = new Set(data.filter(({ jobs }) => jobs.length > 0).map(({ id }) => id));
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const words = readText(`/proc/${pid}/cmdline`).split("\0");
    const home = words[words.indexOf("--home") + 1] ?? "";
    if (!words.includes("worker") || !home.startsWith(scene.home)) continue;
    const { worker_id }: { worker_id?: string } = JSON.parse(readText(join(home, "worker", "worker.json")) || "{}");
    if (worker_id !== undefined && busy.has(worker_id)) return Number(pid);
  }
  return null;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

async function stateOf(scene: Scene, id: string): Promise<string> {
  const path = `/deployment/${scene.deploymentId}/api/v2/jobs/${id}`;
  const answer = await scene.gateway.client.call({ path, headers: bearer(scene.router.key) });
  return String(JSON.parse(answer.text).status);
}

async function countEnded(
  scene: Scene,
  ids: readonly string[],
  states = "succeeded,failed,canceled,expired",
): Promise<number> {
  const wanted = new Set(ids);
  let count = 0;
  let path: string | null = `/deployment/${scene.deploymentId}/api/v2/jobs?limit=100&status=${states}`;
  while (path !== null) {
    const answer = await scene.gateway.client.call({ path, headers: bearer(scene.router.key) });
    const page: { data: { id: string }[]; next: string | null } = JSON.parse(answer.text);
    count += page.data.filter(({ id }) => wanted.has(id)).length;
    path = page.next ?? null;
  }
  return count;
}

async function judge(scene: Scene, ids: readonly string[]): Promise<string[]> {
  const violations: string[] = [];
  const lost = ids.length - (await countEnded(scene, ids, "succeeded"));
  if (lost > 0) violations.push(`${lost} jobs did not succeed`);
  for (const { name, statement } of allInvariants) {
    const broken = await scene.router.database.query(statement);
    if (broken.length > 0) violations.push(`${name}: ${JSON.stringify(broken.slice(0, 3))}`);
  }
  return violations;
}
