// Runs jobs on outside workers while workers and applications are killed: all of them succeed, each once, and their
// outputs can be read when every application is gone.
import type { Job } from "@atelier/contract";
import { systemClock } from "../../src/foundation/clock.ts";
import { allInvariants } from "../../src/processes/invariants.ts";
import { bearer } from "../support/app-client.ts";
import { attemptsOfJobs } from "../support/job-records-store.ts";
import { until } from "../support/server-process.ts";
import { type WorkerPair, type WorkerWorld, workerWorld } from "./worker-world.ts";

export interface WorkerTorture {
  readonly jobs: number;
  readonly leaseSeconds: number;
  readonly jobSeconds: number;
  // The last killed worker does not come back: its jobs must run elsewhere.
  readonly forGood: boolean;
  say(line: string): void;
}

export interface WorkerTortureReport {
  readonly violations: readonly string[];
  readonly succeeded: number;
  readonly retried: number;
  readonly lost: number;
  // Seconds from killing a worker that did not come back until the last of its jobs had ended elsewhere.
  readonly movedSeconds: number | null;
  // How many graphs each application finished.
  readonly spread: readonly number[];
  readonly seconds: number;
}

export async function tortureWorkers(options: WorkerTorture): Promise<WorkerTortureReport> {
  const startedMs = performance.now();
  const world = await workerWorld({ pairs: 2, leaseSeconds: options.leaseSeconds, slots: 2 });
  try {
    const ids = await submitAll(world, options);
    const [one, other] = world.pairs;
    if (!one || !other) throw new Error("two pairs were started");
    const done = (share: number) =>
      until(`${share} of the jobs`, async () => (await ended(world)) >= ids.length * share, 900);
    await done(0.2);
    options.say("kill -9 of a worker");
    await one.killWorker();
    await systemClock.sleep(1_000);
    await one.startWorker();
    await done(0.5);
    options.say("kill -9 of the other application");
    const beforeKill = await other.finished();
    await other.killApplication();
    await systemClock.sleep(2_000);
    await other.startApplication();
    const movedSeconds = options.forGood ? await killForGood(world, other, done) : null;
    await done(1);
    const spread = [await one.finished(), beforeKill + (await other.finished())];
    const violations = await judge(world, ids);
    const { retried, lost } = await attemptsOfJobs(world.router.database);
    const succeeded = ids.length - violations.length;
    const seconds = (performance.now() - startedMs) / 1000;
    return { violations, succeeded, retried, lost, movedSeconds, spread, seconds };
  } finally {
    await world.close();
  }
}

async function killForGood(
  world: WorkerWorld,
  pair: WorkerPair,
  done: (share: number) => Promise<unknown>,
): Promise<number> {
  await done(0.7);
  const running = await list(world, "running");
  await pair.killWorker();
  const killedMs = performance.now();
  const isOver = async () => {
    const open = new Set((await list(world, "queued,running")).map(({ id }) => id));
    return running.every(({ id }) => !open.has(id));
  };
  await until("the jobs of the dead worker ended elsewhere", isOver, 300);
  return (performance.now() - killedMs) / 1000;
}

const graphOf = (index: number, seconds: number) => ({
  1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: index + 1 } },
  2: { class_type: "TestSleep", inputs: { value: ["1", 0], seconds } },
  3: { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "kept" } },
});

async function submitAll(world: WorkerWorld, options: WorkerTorture): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < options.jobs; index += 1) {
    const answer = await call(world, "POST", "/api/v2/jobs", { workflow: graphOf(index, options.jobSeconds) });
    if (answer.status !== 201) throw new Error(`a submission answered ${answer.status}: ${answer.text}`);
    const job: Job = JSON.parse(answer.text);
    ids.push(job.id);
  }
  return ids;
}

function call({ router, gateway }: WorkerWorld, method: string, path: string, body?: object) {
  return gateway.client.call({ method, path, headers: bearer(router.key), ...(body ? { body } : {}) });
}

async function list(world: WorkerWorld, status: string): Promise<readonly Job[]> {
  const jobs: Job[] = [];
  let path: string | null = `/api/v2/jobs?limit=100&status=${status}`;
  while (path !== null) {
    const page: { data: Job[]; next: string | null } = JSON.parse((await call(world, "GET", path)).text);
    jobs.push(...page.data);
    path = page.next ?? null;
  }
  return jobs;
}

const ended = async (world: WorkerWorld) => (await list(world, "succeeded,failed,canceled,expired")).length;

// Runs once applications and workers are gone.
async function judge(world: WorkerWorld, ids: readonly string[]): Promise<string[]> {
  const violations: string[] = [];
  for (const pair of world.pairs) {
    await pair.killWorker();
    await pair.killApplication();
  }
  const jobs = new Map((await list(world, "succeeded,failed,canceled,expired")).map((job) => [job.id, job]));
  const hashes = new Map<string, string>();
  for (const id of ids) {
    const job = jobs.get(id);
    if (job?.status !== "succeeded") violations.push(`${id} is ${job?.status}: ${JSON.stringify(job?.error)}`);
    else if (job.outputs.length !== 1) violations.push(`${id} has ${job.outputs.length} outputs`);
    else violations.push(...(await readOutput(world, job, hashes)));
  }
  for (const { name, statement } of allInvariants) {
    const broken = await world.router.database.query(statement);
    if (broken.length > 0) violations.push(`${name}: ${JSON.stringify(broken.slice(0, 3))}`);
  }
  return violations;
}

// Each graph paints another colour, so each job must have made different bytes.
async function readOutput(world: WorkerWorld, job: Job, hashes: Map<string, string>): Promise<string[]> {
  const [output] = job.outputs;
  const redirect = await call(world, "GET", `/api/v2/assets/${output?.id}/content`);
  const location = redirect.headers["location"];
  if (typeof location !== "string") return [`${job.id}: its output answers ${redirect.status}`];
  const bytes = Buffer.from(await (await fetch(location)).arrayBuffer());
  if (bytes.subarray(1, 4).toString() !== "PNG") return [`${job.id}: its output is no picture`];
  const hash = bytes.toString("base64");
  const twin = hashes.get(hash);
  hashes.set(hash, job.id);
  return twin === undefined ? [] : [`${job.id} and ${twin} have made the same`];
}
