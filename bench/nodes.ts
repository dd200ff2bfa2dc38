// What it costs to report the state of each node: the same jobs pass through the queue, the worker and its books with and
// without it, in turns. The graph has twelve nodes and nothing is computed, so the share of the reporting is as large as it can
// be; progress is reported as the engine does, and every job is submitted, claimed, run and ended durably.
import {
  createGraphWorker,
  type GraphRunner,
  NodeBoard,
} from "../packages/server/src/capabilities/graph-runs/index.ts";
import {
  type Jobs,
  jobPlannerSettings,
  type PoolId,
  type WorkerPort,
} from "../packages/server/src/capabilities/jobs/index.ts";
import { createBackground } from "../packages/server/src/foundation/background.ts";
import { systemClock } from "../packages/server/src/foundation/clock.ts";
import { onDatabase, sql } from "../packages/server/src/foundation/database/index.ts";
import { newId, type WorkspaceId } from "../packages/server/src/foundation/ids.ts";
import { silentLog } from "../packages/server/src/foundation/log.ts";
import { createMetrics } from "../packages/server/src/foundation/metrics.ts";
import { allBackendSeconds } from "./backend-seconds.ts";
import { addWorkspaces } from "./calls-store.ts";
import { migrateWhole, openUntil, postgresIn } from "./database.ts";
import { atLeast, type Finding, reportWith } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { jobsOf, submission } from "./jobs.ts";
import { tempFolder } from "./processes.ts";

const nodesTotal = 12;
const ids = Array.from({ length: nodesTotal }, (_, at) => String(at));
const nodes = ids.map((id) => ({ id, classType: "ImageScale", title: `Step ${id}` }));
const jobsPerRound = 500;
const slots = 16;
const callers = 50;
const name = "nodes";

// A graph that takes no time, with the engine's reports.
function runnerOf(isReporting: boolean): GraphRunner {
  return {
    async run(_job, report) {
      const board = new NodeBoard(nodes, systemClock);
      if (isReporting) report.nodes(board);
      for (const [at, id] of ids.entries()) {
        if (isReporting) board.begin(id);
        report.progress({
          value: at / nodesTotal,
          nodesDone: at,
          nodesTotal,
          currentNode: id,
          currentNodeClass: "ImageScale",
          step: null,
          steps: null,
          message: "ImageScale",
        });
        if (isReporting) board.finish(id, 1);
        if (at % 4 === 3) await new Promise((resolve) => setImmediate(resolve));
      }
      return { kind: "succeeded", outputsReused: false, executedWorkflow: null };
    },
  };
}

interface Round {
  // Jobs per second, from the submission of the first to the end of the last.
  readonly perSecond: number;
  // For this process and the database: hardly affected by what else the machine does.
  readonly workUs: number;
}

async function round(jobs: Jobs, isReporting: boolean, workspaces: readonly WorkspaceId[]): Promise<Round> {
  const poolId: PoolId = newId<"pool">();
  const stop = new AbortController();
  let left = jobsPerRound;
  const allRan = Promise.withResolvers<void>();
  const port: WorkerPort = {
    ...jobs.workers,
    async finish(...ending) {
      const isEnded = await jobs.workers.finish(...ending);
      left -= 1;
      if (left === 0) allRan.resolve();
      return isEnded;
    },
  };
  const worker = createGraphWorker({
    workerId: newId<"worker">(),
    poolId,
    slots,
    port,
    runner: runnerOf(isReporting),
    clock: systemClock,
    log: silentLog,
    onCancel: () => () => undefined,
    drainMs: 1_000,
  });
  const working = worker.run(createBackground({ clock: systemClock, log: silentLog }), stop.signal);
  const backend = allBackendSeconds(name);
  const cpu = process.cpuUsage();
  const started = performance.now();
  for (let at = 0; at < jobsPerRound; at += callers) {
    const some = Array.from(
      { length: callers },
      (_, index) => workspaces[index % workspaces.length] ?? newId<"workspace">(),
    );
    await Promise.all(some.map((workspaceId) => jobs.submit(submission(workspaceId, poolId))));
  }
  await allRan.promise;
  const seconds = (performance.now() - started) / 1000;
  const own = process.cpuUsage(cpu);
  const workSeconds = (own.user + own.system) / 1e6 + allBackendSeconds(name) - backend;
  stop.abort();
  await working;
  return { perSecond: jobsPerRound / seconds, workUs: (1e6 * workSeconds) / jobsPerRound };
}

export async function benchNodes(rounds: number): Promise<Finding[]> {
  await using ends = new AsyncDisposableStack();
  const home = ends.use(tempFolder("nodes")).path;
  const server = await postgresIn(home, ends);
  const admin = openUntil(ends, { connection: server.connection, poolSize: 1 });
  const connection = onDatabase(server.connection, `bench_${name}`);
  await admin.execute(sql`create database bench_nodes`);
  await migrateWhole(connection);
  const database = openUntil(ends, { connection, poolSize: 6, settings: jobPlannerSettings });
  const metrics = createMetrics();
  ends.defer(() => metrics.stop());
  const jobs = jobsOf(database, metrics);
  ends.defer(() => jobs.close());
  const workspaces = Array.from({ length: 20 }, () => newId<"workspace">());
  await addWorkspaces(database, workspaces);
  return await measure(jobs, workspaces, rounds);
}

async function measure(jobs: Jobs, workspaces: readonly WorkspaceId[], rounds: number): Promise<Finding[]> {
  const cpu = watchCpu();
  const [reporting, silent]: [Round[], Round[]] = [[], []];
  await round(jobs, true, workspaces);
  // In turns, each going first equally often.
  for (let at = 0; at < rounds; at++) {
    for (const isReporting of at % 2 === 0 ? [true, false] : [false, true]) {
      (isReporting ? reporting : silent).push(await round(jobs, isReporting, workspaces));
    }
  }
  const share = (key: keyof Round) => reporting.map((one, at) => (100 * one[key]) / (silent[at]?.[key] ?? Number.NaN));
  const { medianOf } = reportWith(cpu.foreignShare());
  const rates = (all: readonly Round[]) => all.map(({ perSecond }) => perSecond);
  const works = (all: readonly Round[]) => all.map(({ workUs }) => workUs);
  return [
    medianOf("nodes, jobs to their end, each node told of", rates(reporting), "calls/s"),
    medianOf("nodes, jobs to their end, no node told of", rates(silent), "calls/s"),
    medianOf("nodes, share of the rate that is left", share("perSecond"), "%", atLeast(90)),
    medianOf("nodes, work of a job, each node told of", works(reporting), "µs"),
    medianOf("nodes, work of a job, no node told of", works(silent), "µs"),
    medianOf("nodes, work of a job beside one without", share("workUs"), "%"),
  ];
}
