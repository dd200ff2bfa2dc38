// Two providers that each fail three calls in a hundred, in every way they can, are the targets of one route. Clients call it under
// keys, and retry under the same key as the SDK does, while real servers are killed. Then the judge: no key ran twice at the
// providers, none was charged twice or without a result, and nearly every caller got one.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/foundation/clock.ts";
import { allInvariants } from "../../src/processes/invariants.ts";
import { bearer } from "../support/app-client.ts";
import { type FaultyProvider, faultyProvider, type ProviderFault } from "../support/faulty-provider.ts";
import { inLanes } from "../support/router-calls.ts";
import { openInvocations, recordedUnderKey } from "../support/router-records-store.ts";
import { until } from "../support/server-process.ts";
import { type RouterServer, type RouterWorld, routerWorld } from "./router-world.ts";
import { type Seeded, seeded } from "./seeded.ts";

export interface RouteTorture {
  readonly seed: number;
  readonly calls: number;
  readonly kills: number;
  readonly servers: number;
  readonly lanes: number;
  say(line: string): void;
}

export interface RouteTortureReport {
  readonly violations: readonly string[];
  readonly calls: number;
  readonly kills: number;
  readonly answered: number;
  // In a thousand.
  readonly available: number;
  readonly runs: number;
  // Calls that the second provider ran.
  readonly rerouted: number;
  readonly seconds: number;
}

interface Call {
  readonly key: string;
  readonly prompt: string;
  readonly faults: Readonly<Record<string, ProviderFault>>;
  status: number;
}

// Three calls in a hundred, shared among them. Each fails alone at 97 %.
const faults = [
  ...(["forbidden", "busy", "full", "hang", "hang_ran"] as const),
  ...(["reset", "reset_ran", "error", "error_ran"] as const),
] as const;
const faultShare = 0.03;
// How long a caller retries under its key.
const patienceMs = 120_000;

export async function tortureRoutes(options: RouteTorture): Promise<RouteTortureReport> {
  const startedMs = performance.now();
  const random = seeded(options.seed);
  const folder = await mkdtemp(join(tmpdir(), "atelier-routes-"));
  const providers = [
    await faultyProvider({ name: "one", usd: "0.02", finalAfterSeconds: 1, longestRunSeconds: 2 }),
    await faultyProvider({ name: "two", usd: "0.05", finalAfterSeconds: 1, longestRunSeconds: 2 }),
  ];
  const files = providers.map(({ definition }) => join(folder, `${definition.provider}.json`));
  for (const [index, file] of files.entries()) await writeFile(file, JSON.stringify(providers[index]?.definition));
  const world = await routerWorld({ ATELIER_PROVIDERS: files.join(","), ATELIER_ENGINE_SLOTS: "0" });
  const alive: RouterServer[] = [];
  const drawing = random.stream("calls");
  const calls = Array.from({ length: options.calls }, (_, index) => aCall(index, drawing));
  try {
    alive.push(await world.start());
    await writeRoute(world, alive);
    let isOver = false;
    const striking = strike(options, world, alive, random, () => isOver);
    await inLanes(options.lanes, calls, (call) => make(call, world, alive));
    isOver = true;
    const kills = await striking;
    options.say(`${calls.length} calls made, ${kills} kills`);
    await until("every call has ended", () => isSettled(world), 300);
    const violations = await judge(world, calls, providers);
    const answered = calls.filter(({ status }) => status === 200).length;
    const sum = (provider: FaultyProvider | undefined) =>
      [...(provider?.runs.values() ?? [])].reduce((a, b) => a + b, 0);
    return {
      violations,
      calls: calls.length,
      kills,
      answered,
      available: (answered / calls.length) * 1000,
      runs: sum(providers[0]) + sum(providers[1]),
      rerouted: sum(providers[1]),
      seconds: (performance.now() - startedMs) / 1000,
    };
  } finally {
    await world.close();
    for (const provider of providers) await provider.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function aCall(index: number, random: Seeded): Call {
  const fault = (): ProviderFault => (random.chance(faultShare) ? random.pick(faults) : "ok");
  return { key: randomUUID(), prompt: `call ${index}`, faults: { one: fault(), two: fault() }, status: 0 };
}

async function writeRoute({ key }: RouterWorld, [server]: readonly RouterServer[]): Promise<void> {
  const targets = [{ model: "one/draw" }, { model: "two/draw" }];
  const put = await server?.client.call({
    method: "PUT",
    path: "/account/routes/pair",
    headers: bearer(key),
    body: { targets },
  });
  if (put?.status !== 201) throw new Error(`the route could not be written: ${put?.text}`);
}

// As a client that retries: connection errors, and what says that the outcome is not known yet.
async function make(call: Call, { key }: RouterWorld, alive: readonly RouterServer[]): Promise<void> {
  const untilMs = performance.now() + patienceMs;
  const body = { prompt: call.prompt, faults: call.faults };
  for (let turn = 0; performance.now() < untilMs; turn++) {
    const server = alive[turn % Math.max(1, alive.length)];
    const headers = { ...bearer(key), "idempotency-key": call.key };
    const answer = await server?.client
      .call({ method: "POST", path: "/v1/models/route/pair", headers, body })
      .catch(() => null);
    call.status = answer?.status ?? 0;
    if (call.status === 200) return;
    // A refusal by both is an answer, too: the key is free, and the caller gives up.
    if (turn > 20 && call.status === 502) return;
    await systemClock.sleep(Math.min(2_000, 100 * (turn + 1)));
  }
}

async function strike(
  options: RouteTorture,
  world: RouterWorld,
  alive: RouterServer[],
  random: Seeded,
  isOver: () => boolean,
): Promise<number> {
  const own = random.stream("executioner");
  let kills = 0;
  while (alive.length < options.servers) alive.push(await world.start());
  while (kills < options.kills && !isOver()) {
    await systemClock.sleep(own.between(1_000, 4_000));
    const victim = alive[Math.floor(own.between(0, alive.length))];
    if (!victim || isOver()) continue;
    alive.splice(alive.indexOf(victim), 1);
    await victim.kill();
    kills += 1;
    alive.push(await world.start());
    if (kills % 5 === 0) options.say(`${kills} kills`);
  }
  return kills;
}

async function isSettled({ database }: RouterWorld): Promise<boolean> {
  return (await openInvocations(database)).length === 0;
}

async function judge(
  { database }: RouterWorld,
  calls: readonly Call[],
  providers: readonly FaultyProvider[],
): Promise<string[]> {
  const violations: string[] = [];
  for (const { name, statement } of allInvariants)
    if ((await database.query(statement)).length > 0) violations.push(`invariant ${name}`);
  for (const { key, prompt, status, faults: wanted } of calls) {
    const what = `${prompt} ${JSON.stringify(wanted)} ${status}`;
    const runs = providers.reduce((sum, provider) => sum + (provider.runs.get(prompt) ?? 0), 0);
    if (runs > 1) violations.push(`${what}: ran ${runs} times`);
    const recorded = await recordedUnderKey(database, key);
    const charged = recorded.reduce((sum, { settleLines }) => sum + settleLines, 0);
    if (charged > 1) violations.push(`${what}: charged ${charged} times`);
    if (charged > runs) violations.push(`${what}: charged without a run`);
    if (status === 200 && (charged !== 1 || runs !== 1)) violations.push(`${what}: ${runs} runs, ${charged} charges`);
  }
  return violations;
}
