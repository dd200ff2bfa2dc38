// Two providers that each fail three calls in a hundred, in every way they can, are the targets of one route. Clients call it under
// keys, and retry under the same key as the SDK does, while real servers are killed. Then the judge: no key ran twice at the
// providers, none was charged twice or without a result, and nearly every caller got one.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allInvariants } from "../../src/processes/invariants.ts";
import { bearer } from "../support/app-client.ts";
import type { FaultyProvider } from "../support/faulty-provider.ts";
import { inLanes } from "../support/router-calls.ts";
import { chargesByKey, openInvocations } from "../support/router-records-store.ts";
import { until } from "../support/server-process.ts";
import {
  allRuns,
  callsOf,
  keepAsking,
  type RouteCall,
  type RouteTorture,
  runsOf,
  strike,
  twoProviders,
} from "./route-rig.ts";
import { type RouterServer, type RouterWorld, routerWorld } from "./router-world.ts";

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
  // What each provider answers at the first try, in a thousand.
  readonly aloneOne: number;
  readonly aloneTwo: number;
  readonly seconds: number;
}

const sayEvery = 10_000;
const secondsSince = (startedMs: number) => Math.round((performance.now() - startedMs) / 1000);

export async function tortureRoutes(options: RouteTorture): Promise<RouteTortureReport> {
  const startedMs = performance.now();
  const folder = await mkdtemp(join(tmpdir(), "atelier-routes-"));
  const providers = await twoProviders();
  const files = providers.map(({ definition }) => join(folder, `${definition.provider}.json`));
  for (const [index, file] of files.entries()) await writeFile(file, JSON.stringify(providers[index]?.definition));
  const world = await routerWorld({ ATELIER_PROVIDERS: files.join(","), ATELIER_ENGINE_SLOTS: "0" });
  const alive: RouterServer[] = [];
  const calls = callsOf(options);
  try {
    alive.push(await world.start());
    await writeRoute(world, alive);
    let isOver = false;
    const striking = strike(
      options,
      alive,
      () => world.start(),
      () => isOver,
    );
    // A refusal by both leaves the key free.
    await inLanes(options.lanes, calls, async (call, index) => {
      await keepAsking(call, alive, askFor(call, world), (status) => status === 502);
      if ((index + 1) % sayEvery === 0) options.say(`${index + 1} calls, ${secondsSince(startedMs)} s`);
    });
    isOver = true;
    const kills = await striking;
    options.say(`${calls.length} calls made, ${kills} kills, ${secondsSince(startedMs)} s`);
    await until("every call has ended", () => isSettled(world), 300);
    const violations = await judge(world, calls, providers);
    const answered = calls.filter(({ status }) => status === 200).length;
    return {
      violations,
      calls: calls.length,
      kills,
      answered,
      available: (answered / calls.length) * 1000,
      runs: allRuns(providers[0]) + allRuns(providers[1]),
      rerouted: allRuns(providers[1]),
      ...alone(calls),
      seconds: (performance.now() - startedMs) / 1000,
    };
  } finally {
    await world.close();
    for (const provider of providers) await provider.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function alone(calls: readonly RouteCall[]): Pick<RouteTortureReport, "aloneOne" | "aloneTwo"> {
  const share = (name: string) =>
    (calls.filter(({ faults }) => (faults[name] ?? "ok") === "ok").length / calls.length) * 1000;
  return { aloneOne: share("one"), aloneTwo: share("two") };
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

function askFor({ key, prompt, faults }: RouteCall, world: RouterWorld): (server: RouterServer) => Promise<number> {
  const headers = { ...bearer(world.key), "idempotency-key": key };
  const body = { prompt, faults };
  return async ({ client }) => {
    const answer = await client
      .call({ method: "POST", path: "/v1/models/route/pair", headers, body })
      .catch(() => null);
    return answer?.status ?? 0;
  };
}

async function isSettled({ database }: RouterWorld): Promise<boolean> {
  return (await openInvocations(database)).length === 0;
}

async function judge(
  { database }: RouterWorld,
  calls: readonly RouteCall[],
  providers: readonly FaultyProvider[],
): Promise<string[]> {
  const violations: string[] = [];
  for (const { name, statement } of allInvariants)
    if ((await database.query(statement)).length > 0) violations.push(`invariant ${name}`);
  const charges = await chargesByKey(database);
  for (const call of calls) {
    const { key, prompt, status, faults: wanted } = call;
    const what = `${prompt} ${JSON.stringify(wanted)} ${status}`;
    const runs = runsOf(providers, call);
    if (runs > 1) violations.push(`${what}: ran ${runs} times`);
    const charged = charges.get(key) ?? 0;
    if (charged > 1) violations.push(`${what}: charged ${charged} times`);
    if (charged > runs) violations.push(`${what}: charged without a run`);
    if (status === 200 && (charged !== 1 || runs !== 1)) violations.push(`${what}: ${runs} runs, ${charged} charges`);
  }
  return violations;
}
