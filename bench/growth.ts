// What grows with the amount of stored data? Calls, jobs, usage figures, lists, finding things by id and housekeeping, each on
// three databases of one PostgreSQL that differ only in their size, in turns. We compare the CPU time of the database's own
// processes per operation: neighbours hardly change it, and if anything grows, it does.
import { join } from "node:path";
import { Client } from "pg";
import {
  type Calls,
  callPlannerSettings,
  createHousekeeping,
  createUsageSumming,
} from "../packages/server/src/capabilities/calls/index.ts";
import { fundWallet } from "../packages/server/src/capabilities/calls/shared-sql.ts";
import { systemClock } from "../packages/server/src/foundation/clock.ts";
import {
  connectionUrl,
  type Database,
  onDatabase,
  openDatabase,
} from "../packages/server/src/foundation/database/index.ts";
import { newId, type WorkspaceId } from "../packages/server/src/foundation/ids.ts";
import { silentLog } from "../packages/server/src/foundation/log.ts";
import { backendSeconds } from "./backend-seconds.ts";
import { calling, liftLimits } from "./calling.ts";
import { ending, opening, startCalls } from "./calls.ts";
import { addWorkspaces } from "./calls-store.ts";
import { postgresIn } from "./database.ts";
import { atMost, type Finding, median, reportWith } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { growHistory, settleHistory, someRequests } from "./growth-store.ts";
import { jobsOf, submission } from "./jobs.ts";
import { growJobs } from "./jobs-store.ts";
import { atelier, type Started, tempFolder } from "./processes.ts";

export interface GrowthBench {
  readonly rounds: number;
  // The size that everything is compared with comes first.
  readonly stocks: readonly number[];
}

const apiKey = `service-${"g".repeat(48)}`;
const adminToken = `admin-${"g".repeat(43)}`;
const poolId = newId<"pool">();
const { signal } = new AbortController();

// One filled database, and a server on it.
interface World {
  readonly name: string;
  readonly rows: number;
  readonly database: Database;
  readonly server: Started;
  readonly calls: Calls;
  readonly jobs: ReturnType<typeof jobsOf>;
  readonly workspaceId: WorkspaceId;
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export async function benchGrowth({ rounds, stocks }: GrowthBench): Promise<Finding[]> {
  await using ends = new AsyncDisposableStack();
  const home = ends.use(tempFolder("growth")).path;
  const postgres = await postgresIn(home, ends);
  const worlds: World[] = [];
  for (const rows of stocks) {
    process.stderr.write(`  ${rows.toLocaleString("en")} stored …\n`);
    const name = `stock${rows}`;
    const whole = connectionUrl(postgres.connection);
    await createDatabase(whole, `bench_${name}`);
    const world = await makeWorld({ name, rows, url: onDatabase(whole, `bench_${name}`), home: join(home, name) });
    ends.defer(() => world.close());
    worlds.push(world);
  }
  return await measure(worlds, rounds);
}

async function createDatabase(connectionString: string, name: string): Promise<void> {
  const admin = new Client({ connectionString });
  await admin.connect();
  await admin.query(`create database ${name}`).finally(() => admin.end());
}

async function makeWorld(asked: { name: string; rows: number; url: string; home: string }): Promise<World> {
  const env = {
    DATABASE_URL: asked.url,
    ATELIER_MIGRATE: "auto",
    ATELIER_BOOTSTRAP_KEY: apiKey,
    ATELIER_ADMIN_TOKEN: adminToken,
    ATELIER_SANDBOX: "off",
    ATELIER_LOG_LEVEL: "error",
    ATELIER_CONTENT_PORT: "0",
    ATELIER_ENGINE_SLOTS: "0",
  };
  const server = await atelier(asked.home, true, { env });
  const { workspace } = await liftLimits(server, apiKey, adminToken, [
    "workflow_and_registry_requests_per_minute",
    "router_and_partner_requests_per_minute",
  ]);
  // For filling it: portions may take longer than a request may.
  const url = new URL(asked.url);
  url.searchParams.set("statement_timeout", "600000");
  const database = openDatabase({ connection: url.href, poolSize: 4, readers: 1 });
  const callDatabase = openDatabase({ connection: asked.url, poolSize: 4, readers: 1, settings: callPlannerSettings });
  const others = Array.from({ length: 99 }, () => newId<"workspace">());
  await addWorkspaces(database, others);
  await fundWallet(database, { transactionId: newId(), workspaceId: workspace.id, amount: 10n ** 15n });
  await growHistory(database, { workspaces: [workspace.id, ...others], count: asked.rows });
  await growJobs(database, { poolId, workspaces: [workspace.id, ...others], count: jobsOfStock(asked.rows) });
  await settleHistory(database);
  const summing = createUsageSumming({ database });
  while ((await summing.round(signal)) === null) await systemClock.sleep(500);
  const calls = await startCalls(callDatabase);
  const jobs = jobsOf(database);
  return {
    ...asked,
    database,
    server,
    calls,
    jobs,
    workspaceId: workspace.id,
    requests: await someRequests(database, workspace.id),
    async close() {
      await calls.close();
      await jobs.close();
      await server.stop();
      await callDatabase.close();
      await database.close();
    },
  };
}

// One per ten calls. Below a thousand there would be too few to claim.
const jobsOfStock = (rows: number) => Math.max(1_000, Math.min(rows / 10, 1_000_000));

type Operation = (world: World, index: number) => Promise<unknown>;

const month = () => {
  const day = 86_400_000;
  const from = new Date(Math.floor(Date.now() / day) * day - 29 * day).toISOString();
  return `from=${encodeURIComponent(from)}`;
};
const asking =
  (path: () => string): Operation =>
  (world) =>
    ask(world.server, path());

// Pages are short enough to be full even in the smallest database.
const operations: Readonly<Record<string, Operation>> = {
  "a call, begin + finish": async ({ calls, workspaceId }) => {
    const begun = await calls.begin(opening(workspaceId));
    if (begun.kind !== "begun") throw new Error(`a call did not begin: ${begun.kind}`);
    await calls.finish(ending(begun.call));
  },
  "a job, submitted": ({ jobs, workspaceId }) => jobs.submit(submission(workspaceId, newId<"pool">())),
  "a job, claimed and ended": async ({ jobs }) => {
    const [claimed] = await jobs.workers.claim({ workerId: newId(), poolId, slots: 1, waitMs: 1000, signal });
    if (!claimed) throw new Error("nothing to claim");
    await jobs.workers.finish(claimed.lease, { kind: "succeeded", outputsReused: false, executedWorkflow: null });
  },
  "usage of 30 days by the day": asking(() => `/account/usage/series?${month()}&step=day&by=subject`),
  "usage of 30 days with latency": asking(() => `/account/usage/series?${month()}&step=day&by=none`),
  "usage of 30 days by the hour": asking(() => `/account/usage/series?${month()}&step=hour&by=outcome`),
  "usage of 30 days without replays": asking(() => `/account/usage/series?${month()}&by=subject&replayed=false`),
  "daily sums": asking(() => "/account/usage/daily?by=subject"),
  "error groups of 30 days": asking(() => `/account/errors?${month()}`),
  "models' figures of a week": asking(() => "/account/models/stats?hours=168"),
  "list of usage": asking(() => "/account/usage?limit=20"),
  "list of failures": asking(() => "/account/usage?limit=20&failed=true"),
  "list of credits": asking(() => "/account/credits/lines?limit=20"),
  "list of jobs": ({ jobs, workspaceId }) =>
    jobs.list({ workspaceId, poolId, states: null, metadata: null, idempotencyKey: null, cursor: null, limit: 5 }),
  "find by id: a request": ({ server, requests }, index) =>
    ask(server, `/account/find?q=${requests[index % requests.length] ?? newId()}`),
  "find by id: nothing": ({ server }) => ask(server, `/account/find?q=${newId()}`),
  "a round of housekeeping": ({ database }) =>
    createHousekeeping({ database, log: silentLog, blobs: { release: async () => undefined } }).round(signal),
  "a round of adding usage up": ({ database }) => createUsageSumming({ database }).round(signal),
};

// The smallest database has a hundred waiting jobs, for all rounds together.
const timesMax: Readonly<Record<string, number>> = { "a job, claimed and ended": 25 };

// At least ten times and for a quarter of a second, but never longer than ten seconds.
async function workUs(world: World, run: Operation, countMax: number): Promise<number> {
  await run(world, 0);
  const began = performance.now();
  const before = backendSeconds(world.name);
  let count = 0;
  for (; ; count++) {
    const lasted = performance.now() - began;
    if (count >= countMax || lasted > 10_000 || (count >= 10 && lasted > 250)) break;
    await run(world, count);
  }
  // Connections may come and go meanwhile; the last work of a closed one is not counted.
  const worked = [...backendSeconds(world.name)].reduce((sum, [pid, used]) => sum + used - (before.get(pid) ?? 0), 0);
  return (worked * 1e6) / Math.max(1, count);
}

async function measure(worlds: readonly World[], rounds: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, run] of Object.entries(operations)) {
    const cpu = watchCpu();
    const series = worlds.map(() => [] as number[]);
    for (let round = 0; round < rounds; round++)
      for (const [index, world] of worlds.entries())
        series[index]?.push(await workUs(world, run, timesMax[name] ?? Number.POSITIVE_INFINITY));
    const { one } = reportWith(cpu.foreignShare());
    const least = series.map((values) => Math.min(...values));
    const [base = Number.NaN] = least;
    for (const [index, { rows }] of worlds.entries()) {
      const stock = `${rows.toLocaleString("en")} stored`;
      const values = series[index] ?? [];
      if (index === 0) findings.push(one(`growth, ${name}: work of the database, ${stock}`, base, "µs", null, values));
      else {
        const share = (100 * (least[index] ?? Number.NaN)) / base;
        const shares = values.map((value, round) => (100 * value) / (series[0]?.[round] ?? median(series[0] ?? [])));
        findings.push(one(`growth, ${name}: ${stock}, of that`, share, "%", atMost(150), shares));
      }
    }
  }
  return findings;
}

const ask = (server: Started, path: string) => calling(server, apiKey)("GET", path);
