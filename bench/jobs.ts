// Jobs: durable submissions, claims, reads and lists, with PostgreSQL on the same cores, as on the smallest installation.
// Claims, reads and lists are measured in turns at a thousand stored jobs, at a million, and at a million with a snapshot that
// stays open while tens of thousands of jobs pass through the queue, so that their dead entries cannot be removed.
import { Client } from "pg";
import { callPlannerSettings } from "../packages/server/src/capabilities/calls/index.ts";
import {
  createJobs,
  type JobLease,
  type Jobs,
  type Submission,
} from "../packages/server/src/capabilities/jobs/index.ts";
import { inProcessBus } from "../packages/server/src/foundation/bus/bus.ts";
import { systemClock } from "../packages/server/src/foundation/clock.ts";
import { createCursors } from "../packages/server/src/foundation/cursor.ts";
import {
  connectionUrl,
  type Database,
  onDatabase,
  openDatabase,
} from "../packages/server/src/foundation/database/index.ts";
import { newId, parseId, type WorkspaceId } from "../packages/server/src/foundation/ids.ts";
import { silentLog } from "../packages/server/src/foundation/log.ts";
import type { Metrics } from "../packages/server/src/foundation/metrics.ts";
import { allBackendSeconds } from "./backend-seconds.ts";
import { addWorkspaces } from "./calls-store.ts";
import { migrateWhole, openUntil, postgresIn } from "./database.ts";
import { atLeast, atMost, type Finding, median, reportWith } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { growJobs, someJobs } from "./jobs-store.ts";
import { tempFolder } from "./processes.ts";
import { crowd } from "./timing.ts";

const callers = 64;
const poolId = newId<"pool">();
const graph = Buffer.from(
  JSON.stringify(
    Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        String(index),
        {
          class_type: "ImageScale",
          inputs: { image: [String(index - 1), 0], upscale_method: "area", width: 512, height: 512 },
        },
      ]),
    ),
  ),
);

export const submission = (workspaceId: WorkspaceId, pool = poolId): Submission => ({
  workspaceId,
  apiKeyId: null,
  poolId: pool,
  workflow: graph,
  nodesTotal: 12,
  assetIds: [],
  metadata: null,
  priority: 0,
  webhookUrl: null,
  extraData: null,
  idempotencyKey: newId(),
  fingerprint: Buffer.alloc(32, 1),
  holds: [],
});

interface Rate {
  readonly perSecond: number;
  // For this process alone.
  readonly perCore: number;
  readonly p50Ms: number;
  // For this process and the database's own processes: hardly affected by what else the machine does.
  readonly workUs: number;
}

// Repeats `run` until the time is over, this many at the same time.
async function load(
  sides: number,
  seconds: number,
  name: Name,
  run: (index: number) => Promise<unknown>,
): Promise<Rate> {
  const backend = allBackendSeconds(name);
  const cpu = process.cpuUsage();
  const took = await crowd(sides, seconds, run);
  const used = process.cpuUsage(cpu);
  const ownSeconds = (used.user + used.system) / 1e6;
  return {
    perSecond: took.length / seconds,
    perCore: took.length / ownSeconds,
    p50Ms: took[took.length >> 1] ?? 0,
    workUs: (1e6 * (ownSeconds + allBackendSeconds(name) - backend)) / took.length,
  };
}

export function jobsOf(database: Database, metrics?: Metrics): Jobs {
  const seal = (_context: unknown, text: string | Uint8Array) => String(text);
  return createJobs({
    database,
    clock: systemClock,
    log: silentLog,
    bus: inProcessBus(),
    assets: {
      receive: () => Promise.reject(new Error("no outputs here")),
      fromHash: () => Promise.reject(new Error("no outputs here")),
      hold: async () => [],
      isHeld: async () => false,
      holdMany: async () => new Map(),
      releaseMany: async () => undefined,
      releaseOne: async () => undefined,
      remove: () => Promise.reject(new Error("no outputs here")),
    },
    limits: { limitOf: () => 10_000_000 },
    sealer: { seal, open: () => null, reseal: () => null },
    cursors: createCursors({ secrets: [Buffer.alloc(32, 1)], clock: systemClock }),
    ...(metrics ? { metrics } : {}),
  });
}

// Three databases on one server, so that each figure and its comparison are measured in turns.
const names = ["few", "many", "old"] as const;
type Name = (typeof names)[number];
interface Stock {
  readonly name: Name;
  readonly database: Database;
  readonly jobs: Jobs;
}

export async function benchJobs(rounds: number, stored: number): Promise<Finding[]> {
  await using ends = new AsyncDisposableStack();
  const home = ends.use(tempFolder("jobs")).path;
  const server = await postgresIn(home, ends);
  const urlOf = (name: string) => onDatabase(connectionUrl(server.connection), `bench_${name}`);
  const admin = new Client({ connectionString: connectionUrl(server.connection) });
  ends.defer(() => admin.end());
  const open = (name: string): Database => {
    const database = openUntil(ends, { connection: urlOf(name), poolSize: 6, settings: callPlannerSettings });
    return database;
  };
  await admin.connect();
  const workspaces = Array.from({ length: 100 }, () => newId<"workspace">());
  return await makeStocks(admin, { urlOf, open, workspaces, rounds, stored });
}

interface Making {
  urlOf(name: string): string;
  open(name: string): Database;
  readonly workspaces: readonly WorkspaceId[];
  readonly rounds: number;
  readonly stored: number;
}

async function makeStocks(admin: Client, making: Making): Promise<Finding[]> {
  const { workspaces, rounds, stored } = making;
  for (const name of ["few", "many"] as const) {
    await admin.query(`create database bench_${name}`);
    await migrateWhole(making.urlOf(name));
    const database = openDatabase({ connection: making.urlOf(name), poolSize: 2 });
    await addWorkspaces(database, workspaces);
    await growJobs(database, { poolId, workspaces, count: name === "few" ? 1_000 : stored });
    await database.close();
  }
  await admin.query("create database bench_old template bench_many");
  const stocks = Object.fromEntries(
    names.map((name) => {
      const database = making.open(name);
      return [name, { name, database, jobs: jobsOf(database) }];
    }),
  ) as Record<Name, Stock>;
  const snapshot = new Client({ connectionString: making.urlOf("old") });
  await snapshot.connect();
  try {
    await snapshot.query("begin isolation level repeatable read");
    await snapshot.query("select count(*) from job_leases");
    return await measure(stocks, workspaces, rounds, stored);
  } finally {
    await snapshot.end();
    for (const { jobs } of Object.values(stocks)) await jobs.close();
  }
}

interface Reads {
  readonly claim: Rate;
  readonly get: Rate;
  readonly list: Rate;
  readonly crowd: Rate;
}

// One after another, so that a figure is the time of the thing itself; only the reads for the rate run concurrently.
async function reads({ name, database, jobs }: Stock, workspaces: readonly WorkspaceId[]): Promise<Reads> {
  const workspaceId = workspaces[0] ?? newId<"workspace">();
  const workerId = newId<"worker">();
  const { signal } = new AbortController();
  const leases: JobLease[] = [];
  // Enough to claim even if a thousand are stored.
  await Promise.all(
    Array.from({ length: 2_000 }, (_, index) => jobs.submit(submission(workspaces[index % 100] ?? workspaceId))),
  );
  const claim = await load(1, 1, name, async () => {
    const [claimed] = await jobs.workers.claim({ workerId, poolId, slots: 1, waitMs: 1000, signal });
    if (!claimed) throw new Error("nothing to claim");
    leases.push(claimed.lease);
  });
  await Promise.all(
    leases.map((lease) =>
      jobs.workers.finish(lease, { kind: "succeeded", outputsReused: false, executedWorkflow: null }),
    ),
  );
  // Waiting jobs are never cached: each read of one reaches the database. One hundred of them, so that every position is
  // reported.
  await Promise.all(Array.from({ length: 100 }, () => jobs.submit(submission(workspaceId))));
  const waiting = await someJobs(database, { poolId, workspaceId, state: "queued", count: 50 });
  const at = (ids: readonly string[], index: number) => ({
    workspaceId,
    poolId,
    jobId: parseId<"job">(ids[index % ids.length] ?? ""),
  });
  const get = await load(1, 1, name, (index) => jobs.get(at(waiting, index)));
  const crowd = await load(callers * 4, 1, name, (index) => jobs.get(at(waiting, index)));
  const page = { poolId, states: null, metadata: null, idempotencyKey: null, cursor: null, limit: 20 };
  const list = await load(1, 1, name, (index) =>
    jobs.list({ ...page, workspaceId: workspaces[index % workspaces.length] ?? workspaceId }),
  );
  return { claim, get, list, crowd };
}

// Jobs pass through the queue while the snapshot is open: submitted, claimed, finished.
async function passThrough(jobs: Jobs, workspaceId: WorkspaceId, count: number): Promise<void> {
  const { signal } = new AbortController();
  const workerId = newId<"worker">();
  for (let done = 0; done < count; ) {
    await Promise.all(Array.from({ length: 256 }, () => jobs.submit(submission(workspaceId))));
    for (let claimed = 0; claimed < 256; ) {
      const some = await jobs.workers.claim({ workerId, poolId, slots: 64, waitMs: 1000, signal });
      await Promise.all(
        some.map(({ lease }) =>
          jobs.workers.finish(lease, { kind: "succeeded", outputsReused: false, executedWorkflow: null }),
        ),
      );
      claimed += some.length;
    }
    done += 256;
  }
}

async function measure(
  stocks: Record<Name, Stock>,
  workspaces: readonly WorkspaceId[],
  rounds: number,
  stored: number,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const cpu = watchCpu();
  const add = (name: string, values: readonly number[], unit: Finding["unit"], limit?: Finding["limit"]) =>
    findings.push(reportWith(cpu.foreignShare()).medianOf(name, values, unit, limit));
  const { jobs } = stocks.few;
  const elsewhere = newId<"pool">();
  const submit = async (some: readonly WorkspaceId[], seconds: number) =>
    load(callers, seconds, "few", (index) => jobs.submit(submission(some[index % some.length] ?? newId(), elsewhere)));
  await submit(workspaces, 1);
  const [one, many, idle]: [Rate[], Rate[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    one.push(await submit(workspaces.slice(0, 1), 2));
    many.push(await submit(workspaces, 2));
    idle.push(await idleClaim(jobs, workspaces[0] ?? newId()));
  }
  for (const [words, rates] of [
    ["one workspace", one],
    ["100 workspaces", many],
  ] as const) {
    const perSecond = rates.map((rate) => rate.perSecond);
    add(`jobs, submitted on ${words}`, perSecond, "calls/s", atLeast(3000));
    const workUs = rates.map((rate) => rate.workUs);
    add(`jobs, work of a submission on ${words}`, workUs, "µs");
  }
  add("jobs, idle: submission to claim, p50", idle, "ms", atMost(20));

  await passThrough(stocks.old.jobs, workspaces[0] ?? newId(), 20_000);
  const series: Record<Name, Reads[]> = { few: [], many: [], old: [] };
  for (const name of names) await reads(stocks[name], workspaces);
  for (let round = 0; round < rounds + 2; round++) {
    for (const name of names) series[name].push(await reads(stocks[name], workspaces));
  }
  const ratios = (name: Name, base: Name, key: keyof Reads) =>
    series[name].map((one, round) => (100 * one[key].workUs) / (series[base][round]?.[key].workUs ?? Number.NaN));
  for (const key of ["claim", "get", "list"] as const) {
    const p50Us = series.few.map((one) => one[key].p50Ms * 1000);
    const workUs = series.few.map((one) => one[key].workUs);
    add(`jobs, ${key}: p50, 1,000 stored`, p50Us, "µs");
    add(`jobs, ${key}: work, 1,000 stored`, workUs, "µs");
    const stock = `${stored.toLocaleString("en")} stored`;
    add(`jobs, ${key}: work, ${stock}, of that`, ratios("many", "few", key), "%", atMost(150));
    add(`jobs, ${key}: the same beside an old snapshot`, ratios("old", "many", key), "%", {
      kind: "at most",
      value: 200,
    });
  }
  const perCore = series.many.map(({ crowd }) => crowd.perCore);
  add("jobs, reads per second of gateway CPU", perCore, "answers/s", atLeast(8000));
  return findings;
}

async function idleClaim(jobs: Jobs, workspaceId: WorkspaceId): Promise<number> {
  const pool = newId<"pool">();
  const { signal } = new AbortController();
  const took: number[] = [];
  for (let index = 0; index < 30; index++) {
    const claiming = jobs.workers.claim({ workerId: newId(), poolId: pool, slots: 1, waitMs: 5000, signal });
    await systemClock.sleep(5);
    const started = performance.now();
    await jobs.submit(submission(workspaceId, pool));
    const [claimed] = await claiming;
    took.push(performance.now() - started);
    if (claimed) await jobs.workers.finish(claimed.lease, { kind: "canceled" });
  }
  return median(took);
}
