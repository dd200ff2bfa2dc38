// Kills real servers while works are called under keys, lets everything end, and judges: each key has one job, one run at the
// provider, one charge and one answer.
import { randomUUID } from "node:crypto";
import { systemClock } from "../../src/foundation/clock.ts";
import { allInvariants } from "../../src/processes/invariants.ts";
import { bearer, headerOf, textOf } from "../support/app-client.ts";
import { until } from "../support/server-process.ts";
import { storeWork } from "../support/stored-works.ts";
import { type RouterServer, type RouterWorld, routerWorld } from "./router-world.ts";
import { type Seeded, seeded } from "./seeded.ts";
import { countOpen, listWorkJobs } from "./work-torture-store.ts";

export interface WorkTorture {
  readonly seed: number;
  readonly calls: number;
  readonly kills: number;
  readonly lanes: number;
  say(line: string): void;
}

export interface WorkTortureReport {
  readonly violations: readonly string[];
  readonly calls: number;
  readonly kills: number;
  readonly jobs: number;
  readonly runs: number;
  readonly tries: number;
  readonly seconds: number;
}

interface TorturedCall {
  readonly key: string;
  readonly body: string;
  readonly isQueued: boolean;
  readonly answers: Set<string>;
  readonly credits: Set<string>;
  tries: number;
}

const graph = {
  "1": {
    class_type: "AtelierModelImage",
    inputs: {
      model: "sandbox/image-1-queued",
      prompt: "torture",
      width: 64,
      height: 64,
      seed: 1,
      parameters: '{"response_format": "b64_json", "simulate_seconds": 0.3}',
    },
  },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "torture" } },
};
const form = {
  inputs: [
    { name: "seed", node: "1", input: "seed", kind: "integer", minimum: 0, maximum: 1_000_000_000, required: true },
  ],
  outputs: [{ name: "picture", node: "2" }],
};
const model = "w.torture/poster";
const patienceMs = 180_000;

export async function tortureWorks(options: WorkTorture): Promise<WorkTortureReport> {
  const startedMs = performance.now();
  const random = seeded(options.seed);
  const env = { ATELIER_ENGINE_SLOTS: "4", ATELIER_JOB_LEASE_SECONDS: "3", ATELIER_ROUTER_DEADLINE_SECONDS: "60" };
  const world = await routerWorld(env, { concurrency: 4 });
  const alive: RouterServer[] = [];
  const calls: TorturedCall[] = [];
  let left = options.calls;
  const isDone = () => left <= 0 && calls.every(({ answers }) => answers.size > 0);
  try {
    const first = await world.start();
    await storeWork(world.database, {
      workspaceId: world.workspaceId(),
      provider: "w.torture",
      name: "poster",
      graph,
      form,
    });
    alive.push(first);
    const violations: string[] = [];
    const lanes = Array.from({ length: options.lanes }, async (_, index) => {
      const own = random.stream(`lane ${index}`);
      while (left-- > 0) {
        const call = newCall(own);
        calls.push(call);
        await drive(world, alive, call, own, violations);
      }
    });
    let kills = 0;
    const executioner = async (own: Seeded) => {
      while (kills < options.kills && !isDone()) {
        await systemClock.sleep(own.between(1_000, 3_000));
        const next = world.start().catch(() => null);
        const victim = alive.shift();
        await victim?.kill();
        kills += 1;
        const started = await next;
        if (started) alive.push(started);
        if (kills % 5 === 0) options.say(`${kills} kills, ${calls.length} calls begun`);
      }
    };
    alive.push(await world.start());
    await executioner(random.stream("executioner"));
    await Promise.all(lanes);
    await until("nothing is open", async () => (await countOpen(world.database)) === 0, 240);
    violations.push(...(await judge(world, calls)));
    const tries = calls.reduce((sum, call) => sum + call.tries, 0);
    const jobs = (await listWorkJobs(world.database)).length;
    const seconds = (performance.now() - startedMs) / 1000;
    return { violations, calls: calls.length, kills, jobs, runs: await world.provider.runs(), tries, seconds };
  } finally {
    await world.close();
  }
}

function newCall(random: Seeded): TorturedCall {
  const body = JSON.stringify({ seed: Math.floor(random.next() * 1e9) });
  const isQueued = random.next() < 0.3;
  return { key: randomUUID(), body, isQueued, answers: new Set(), credits: new Set(), tries: 0 };
}

// Asks under the key until it is answered, and then once more, as after a lost answer.
async function drive(
  world: RouterWorld,
  alive: readonly RouterServer[],
  call: TorturedCall,
  random: Seeded,
  violations: string[],
): Promise<void> {
  const end = performance.now() + patienceMs;
  const repeats = random.next() < 0.3 ? 2 : 1;
  for (let answered = 0; answered < repeats; ) {
    if (performance.now() > end) {
      violations.push(`${call.key} was not answered`);
      return;
    }
    const server = alive[Math.floor(random.next() * alive.length)];
    call.tries += 1;
    const answer = server && (await (call.isQueued ? queued : direct)(world, server, call).catch(() => null));
    if (answer?.status === 200) {
      answered += 1;
      call.answers.add(textOf(answer.json(), "job_id"));
      call.credits.add(headerOf(answer, "x-service-credits-used") ?? "none");
    } else {
      const isPassing = !answer || [202, 429, 503, 504].includes(answer.status) || answer.text.includes("lost");
      if (!isPassing) violations.push(`${call.key}: ${answer.status} ${answer.text}`);
      await systemClock.sleep(random.between(50, 300));
    }
  }
}

function direct(world: RouterWorld, server: RouterServer, call: TorturedCall) {
  return server.client.call({
    method: "POST",
    path: `/v1/models/${model}`,
    headers: { ...bearer(world.key), "content-type": "application/json", "idempotency-key": call.key },
    body: call.body,
  });
}

async function queued(world: RouterWorld, server: RouterServer, call: TorturedCall) {
  const accepted = await server.client.call({
    method: "POST",
    path: `/v1/models/${model}/requests`,
    headers: { ...bearer(world.key), "content-type": "application/json", "idempotency-key": call.key },
    body: call.body,
  });
  if (accepted.status !== 202) return accepted;
  const path = new URL(textOf(accepted.json(), "response_url")).pathname;
  return server.client.call({ method: "GET", path, headers: bearer(world.key) });
}

async function judge(world: RouterWorld, calls: readonly TorturedCall[]): Promise<string[]> {
  const found: string[] = [];
  const jobs = await listWorkJobs(world.database);
  const byId = new Map(jobs.map((job) => [job.id, job]));
  for (const { key, answers, credits } of calls) {
    if (answers.size !== 1) found.push(`${key} was answered with ${answers.size} jobs`);
    if (credits.size !== 1) found.push(`${key} was charged ${[...credits].join(" and ")}`);
    const [id = ""] = answers;
    const job = byId.get(id);
    if (job?.state !== "succeeded") found.push(`${key}: its job is ${job?.state ?? "gone"}`);
    else if (job.charges !== 1) found.push(`${key}: its job was charged ${job.charges} times`);
  }
  if (jobs.length !== calls.length) found.push(`${calls.length} keys, but ${jobs.length} jobs`);
  const runs = await world.provider.runs();
  if (runs !== calls.length) found.push(`${calls.length} keys, but the provider ran ${runs} times`);
  for (const { name, statement } of allInvariants)
    if ((await world.database.query(statement)).length > 0) found.push(`broken: ${name}`);
  return found;
}
