// Pools: what is between a caller and the applications that run graphs should cost little. The applications are stand-ins that
// take exactly as long as asked and make one small picture each; everything in front of them is real: submission, queue, workers
// outside, their API, stored outputs, durable ends.
import { request } from "undici";
import { atLeast, atMost, type Finding, median, reportWith } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { type PoolWorld, poolWorld } from "./pools-world.ts";

export interface PoolsBench {
  // How long the throughput runs take at the ideal rate.
  readonly seconds: number;
  readonly peakJobs: number;
  readonly watchers: number;
  readonly latencyJobs: number;
}

interface Ended {
  readonly id: string;
  readonly status: string;
  readonly created_at: string;
  readonly started_at: string;
  readonly completed_at: string;
}

// Separate suites, each with a fresh server and database, so that one can be measured without the others.
export const poolSuites: Readonly<Record<string, (options: PoolsBench) => Promise<Finding[]>>> = {
  "pools-throughput": ({ seconds }) =>
    inWorld(async (world) => [
      ...(await throughput(world, 8, 250, seconds)),
      ...(await throughput(world, 64, 1_000, seconds)),
    ]),
  "pools-peak": ({ peakJobs }) => inWorld((world) => peak(world, peakJobs)),
  "pools-latency": ({ latencyJobs }) => inWorld((world) => latency(world, latencyJobs)),
  "pools-watchers": (options) => inWorld((world) => watchers(world, options.watchers)),
};

async function inWorld(measure: (world: PoolWorld) => Promise<Finding[]>): Promise<Finding[]> {
  await using world = await poolWorld();
  return await measure(world);
}

const graph = (index: number) => ({
  1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: index % 16_000_000 } },
  2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "bench" } },
});

let submitted = 0;

async function submit(world: PoolWorld, metadata: string): Promise<string> {
  submitted += 1;
  for (;;) {
    const answer = await world.call("POST", "/api/v2/jobs", { workflow: graph(submitted), metadata });
    if (answer.status === 201) return (answer.body as { readonly id: string }).id;
    if (answer.status !== 429)
      throw new Error(`a submission answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    await pause(100);
  }
}

async function submitMany(world: PoolWorld, count: number, metadata: string): Promise<void> {
  let left = count;
  const lanes = Array.from({ length: 16 }, async () => {
    while (left > 0) {
      left -= 1;
      await submit(world, metadata);
    }
  });
  await Promise.all(lanes);
}

// Waits until nothing is open any more, or the same jobs have been running for a minute; then returns all that have ended.
async function waitForAll(world: PoolWorld, count: number, metadata: string): Promise<Ended[]> {
  let before = "";
  let changedMs = performance.now();
  for (;;) {
    const { running, queued } = await openJobs(world, metadata);
    if (running.length + queued.length === 0) break;
    // Pages are bounded, so we compare their contents to see whether anything moves.
    const now = [...running, ...queued].join(" ");
    if (now !== before) changedMs = performance.now();
    if (performance.now() - changedMs > 60_000) break;
    before = now;
    await pause(running.length + queued.length < Math.min(100, count) ? 250 : 1_000);
  }
  return listEnded(world, metadata);
}

async function openJobs(world: PoolWorld, metadata: string) {
  const idsOf = async (status: string) => {
    const { body } = await world.call("GET", `/api/v2/jobs?limit=100&metadata=${metadata}&status=${status}`);
    return (body as { readonly data: readonly { readonly id: string }[] }).data.map(({ id }) => id);
  };
  return { running: await idsOf("running"), queued: await idsOf("queued") };
}

async function listEnded(world: PoolWorld, metadata: string): Promise<Ended[]> {
  const all: Ended[] = [];
  let path: string | null = `/api/v2/jobs?limit=100&metadata=${metadata}&status=succeeded,failed`;
  while (path !== null) {
    const { status, body } = await world.call("GET", path);
    if (status !== 200) throw new Error(`the list of ended jobs was answered ${status}: ${JSON.stringify(body)}`);
    const page = body as { readonly data: readonly Ended[]; readonly next?: string | null };
    all.push(...page.data);
    path = page.next ?? null;
  }
  return all;
}

const momentOf = (text: string) => new Date(text).getTime();

// The time from when the workers begin, with everything in the queue, to the last end, against what this many applications need
// without any pause.
async function throughput(world: PoolWorld, count: number, latencyMs: number, seconds: number): Promise<Finding[]> {
  await using pool = await world.start({ count, latencyMs, slots: 2 });
  const jobs = Math.round((count * seconds * 1000) / latencyMs);
  const metadata = `throughput-${count}`;
  await submitMany(world, 2 * count, `warm-${count}`);
  await waitForAll(world, 2 * count, `warm-${count}`);
  pool.hold();
  await submitMany(world, jobs, metadata);
  const cpu = watchCpu();
  const from = Date.now();
  pool.release();
  const ended = await waitForAll(world, jobs, metadata);
  const to = Math.max(...ended.map((job) => momentOf(job.completed_at)));
  const idealMs = Math.ceil(jobs / count) * latencyMs;
  return [
    reportWith(cpu.foreignShare()).one(
      `pools: throughput of ${count} applications × ${latencyMs} ms, of ideal`,
      (100 * idealMs) / (to - from),
      "%",
      atLeast(95),
    ),
  ];
}

// Applications that take no time: what everything else can do, and where the CPU time goes.
async function peak(world: PoolWorld, jobs: number): Promise<Finding[]> {
  await using pool = await world.start({ count: 16, latencyMs: 1, slots: 4 });
  const metadata = "peak";
  const cpu = watchCpu();
  const before = [world.serverSeconds(), world.databaseSeconds(), pool.workerSeconds(), pool.applicationSeconds()];
  await submitMany(world, jobs, metadata);
  const ended = await waitForAll(world, jobs, metadata);
  const after = [world.serverSeconds(), world.databaseSeconds(), pool.workerSeconds(), pool.applicationSeconds()];
  const used = after.map((value, at) => (1000 * (value - (before[at] ?? 0))) / jobs);
  const succeeded = ended.filter(({ status }) => status === "succeeded").length;
  const { one } = reportWith(cpu.foreignShare());
  const names = ["the server", "the database", "the workers", "the stand-in applications"];
  return [
    one(
      `pools: jobs from submission to stored end, best second of ${jobs}`,
      bestSecond(ended.map((job) => momentOf(job.completed_at))),
      "calls/s",
      atLeast(200),
    ),
    one(`pools: jobs of ${jobs} that hung or failed`, jobs - succeeded, "times", atMost(0)),
    ...used.map((value, at) => one(`pools: processor time of ${names[at]} per job`, value, "ms")),
  ];
}

function bestSecond(ends: readonly number[]): number {
  const sorted = [...ends].sort((a, b) => a - b);
  let best = 0;
  let from = 0;
  for (const [to, end] of sorted.entries()) {
    while (end - (sorted[from] ?? end) >= 1_000) from += 1;
    best = Math.max(best, to - from + 1);
  }
  return best;
}

// One job at a time on an idle pool: what it takes beyond the application's own time, from the commit of the submission to the
// commit of the end.
async function latency(world: PoolWorld, jobs: number): Promise<Finding[]> {
  const latencyMs = 100;
  await using pool = await world.start({ count: 2, latencyMs, slots: 1 });
  await submitMany(world, 20, "warm-latency");
  await waitForAll(world, 20, "warm-latency");
  const cpu = watchCpu();
  const metadata = "latency";
  for (let index = 0; index < jobs; index += 1) {
    await submit(world, metadata);
    await pause(latencyMs + 150);
  }
  const ended = await waitForAll(world, jobs, metadata);
  const own = await ownTimes(pool.applications);
  const added = ended.map(
    (job) => momentOf(job.completed_at) - momentOf(job.created_at) - (own.get(job.id) ?? latencyMs),
  );
  const waited = ended.map((job) => momentOf(job.started_at) - momentOf(job.created_at));
  const { one } = reportWith(cpu.foreignShare());
  return [
    one(
      "pools: added to a job's time by queue, worker, outputs and durable commits, median",
      median(added),
      "ms",
      atMost(25),
    ),
    one("pools: of which from submission to claim, median", median(waited), "ms"),
    one("pools: the application's own time, median", median([...own.values()]), "ms"),
  ];
}

// How long each prompt took by the applications' own account: a timer of 100 ms takes 101, and the picture has to be written. A
// job's prompt has the job's id.
async function ownTimes(applications: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  for (const application of applications) {
    const history = (await (await request(`${application}/history`)).body.json()) as Readonly<Record<string, Ran>>;
    for (const [id, { status }] of Object.entries(history)) {
      const timestamps = new Map(status.messages.map(([event, { timestamp }]) => [event, timestamp]));
      const [from, to] = [timestamps.get("execution_start"), timestamps.get("execution_success")];
      if (from !== undefined && to !== undefined) times.set(id, to - from);
    }
  }
  return times;
}

interface Ran {
  readonly status: { readonly messages: readonly (readonly [event: string, { readonly timestamp: number }])[] };
}

async function watchers(world: PoolWorld, count: number): Promise<Finding[]> {
  await using pool = await world.start({ count: 1, latencyMs: 8_000, slots: 1 });
  const cpu = watchCpu();
  const leave = new AbortController();
  using leaving = new DisposableStack();
  leaving.defer(() => leave.abort());
  const id = await submit(world, "watched");
  const streams = Array.from({ length: count }, async () => {
    const answer = await request(`${world.baseUrl}/api/v2/jobs/${id}/events`, {
      headers: { authorization: `Bearer ${world.key}`, accept: "text/event-stream" },
      signal: leave.signal,
    });
    answer.body.on("error", () => undefined);
    answer.body.resume();
    return answer.statusCode;
  });
  const open = (await Promise.all(streams)).filter((status) => status === 200).length;
  await pause(1_000);
  const stats = await request(`${pool.applications[0]}/sandbox/stats`);
  const { socketsOpen } = (await stats.body.json()) as { readonly socketsOpen: number };
  return [
    reportWith(cpu.foreignShare()).one(
      `pools: sockets at the application for ${open} watchers of one job`,
      open === count ? socketsOpen : Number.POSITIVE_INFINITY,
      "times",
      atMost(1),
    ),
  ];
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
