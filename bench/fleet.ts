// One, two and three gateways on one PostgreSQL: durable calls, submitted jobs and event streams, what a call costs in CPU time
// of the gateway and of PostgreSQL, and how soon processes wake each other. We measure how far a fleet scales if each gateway,
// PostgreSQL and the load have their own cores; otherwise we simulate it from the measured costs (bench/fleet-model.ts).
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { newRingText } from "../packages/server/src/capabilities/secrets/index.ts";
import { systemClock } from "../packages/server/src/foundation/clock.ts";
import { connectionUrl, type Database } from "../packages/server/src/foundation/database/index.ts";
import { hasNats, testNats } from "../packages/server/test/support/test-nats-server.ts";
import { calling } from "./calling.ts";
import { migrateWhole, openUntil, postgresIn } from "./database.ts";
import { atLeast, type Finding, median, reportWith } from "./finding.ts";
import { simulateFleet } from "./fleet-model.ts";
import { addPayingWorkspaces, writeOne } from "./fleet-store.ts";
import { benchWakeUps } from "./fleet-wake.ts";
import { treeCpuSecondsOf, watchCpu } from "./foreign-cpu.ts";
import {
  atelier,
  node,
  postmasterPid,
  type Started,
  startPoster,
  startStreams,
  startUntilReady,
  tempFolder,
} from "./processes.ts";
import { providerDefinition, requestBody } from "./router-request.ts";
import { timed } from "./timing.ts";

export interface FleetBench {
  readonly rounds: number;
  readonly milliseconds: number;
  readonly streams: number;
  readonly messages: number;
}

const gatewaysMax = 3;
const connections = 32;
const workspaces = 24;
// Two for each gateway, two for PostgreSQL, one for the load and the provider.
const coresFor = (gateways: number) => 2 * gateways + 3;
const simulatedPostgresCores = 4;

const graph = {
  "1": { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 7 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "bench" } },
};

export async function benchFleet(options: FleetBench): Promise<Finding[]> {
  await using ends = new AsyncDisposableStack();
  const home = ends.use(tempFolder("fleet")).path;
  const grown = await run(home, options, ends);
  return [...grown, ...(await benchWakeUps(home, options.messages))];
}

interface Fleet {
  readonly gateways: readonly Started[];
  readonly keys: readonly string[];
  readonly postgresPid: number;
}

async function run(home: string, options: FleetBench, ends: AsyncDisposableStack): Promise<Finding[]> {
  const provider = ends.use(await startUntilReady(node("bench/router-upstream.ts")));
  const postgres = await postgresIn(home, ends);
  await migrateWhole(postgres.connection);
  const nats = hasNats ? await testNats() : null;
  await nats?.start();
  ends.defer(() => nats?.kill());
  const definition = join(home, "bench-provider.json");
  writeFileSync(definition, JSON.stringify(providerDefinition(`http://127.0.0.1:${provider.port}`)));
  const env = {
    DATABASE_URL: connectionUrl(postgres.connection),
    ATELIER_SECRETS: newRingText(systemClock.now()),
    ATELIER_BLOBS: `file:${join(home, "blobs")}`,
    ...(nats ? { ATELIER_BUS: nats.url } : {}),
    ATELIER_PROVIDERS: definition,
    ATELIER_SANDBOX: "off",
    ATELIER_ENGINE_SLOTS: "0",
    ATELIER_CONTENT_PORT: "0",
    ATELIER_LOG_LEVEL: "warn",
    // On a busy machine the queue grows old, but overload is not what we measure.
    ATELIER_QUEUE_AGE_MS_MAX: "60000",
  };
  const gateways: Started[] = [];
  for (let index = 0; index < gatewaysMax; index++) {
    const own = join(home, `gateway-${index}`);
    mkdirSync(own);
    gateways.push(ends.use(await atelier(own, false, { env })));
  }
  const database = openUntil(ends, { connection: postgres.connection, poolSize: 2, readers: 0 });
  const fleet: Fleet = {
    gateways,
    keys: await addPayingWorkspaces(database, workspaces),
    postgresPid: postmasterPid(home),
  };
  return measureAll(fleet, options, database);
}

// One turn with this many gateways.
interface Turn {
  readonly perSecond: number;
  readonly gatewayMs: number;
  readonly postgresMs: number;
  readonly p50Ms: number;
}

async function measureAll(fleet: Fleet, options: FleetBench, database: Database): Promise<Finding[]> {
  const calls = { path: "/v1/models/bench/priced", body: requestBody, status: 200 };
  const jobs = { path: "/api/v2/jobs", body: JSON.stringify({ workflow: graph }), status: 201 };
  const counts = Array.from({ length: gatewaysMax }, (_, index) => index + 1);
  const turns = { calls: counts.map((): Turn[] => []), jobs: counts.map((): Turn[] => []) };
  const cpu = watchCpu();
  for (let round = -1; round < options.rounds; round++)
    for (const count of counts)
      for (const [name, what] of [["calls", calls] as const, ["jobs", jobs] as const]) {
        const turn = await oneTurn(fleet, count, what, options.milliseconds);
        // The first round only warms up the compiler.
        if (round >= 0) turns[name][count - 1]?.push(turn);
      }
  const streams = await followAll(fleet, counts, options.streams);
  const foreignCpu = cpu.foreignShare();
  const { one } = reportWith(foreignCpu);
  const flushMs = await flushOf(database);
  return [
    ...counts.flatMap((count) => [
      ...turnFindings("durable calls", count, turns.calls[count - 1] ?? [], foreignCpu),
      ...turnFindings("jobs submitted", count, turns.jobs[count - 1] ?? [], foreignCpu),
    ]),
    ...streams.map((value, index) =>
      one(`${options.streams} event streams on ${index + 1} gateways: one event at the last of them`, value, "ms"),
    ),
    ...growth("durable calls", turns.calls, flushMs, foreignCpu),
    ...growth("jobs submitted", turns.jobs, flushMs, foreignCpu),
  ];
}

interface Posted {
  readonly path: string;
  readonly body: string;
  readonly status: number;
}

// One poster per gateway, all at the same time.
async function oneTurn(fleet: Fleet, count: number, what: Posted, milliseconds: number): Promise<Turn> {
  const gateways = fleet.gateways.slice(0, count);
  using ends = new DisposableStack();
  const posters = gateways.map(() => ends.use(startPoster()));
  const used = () => ({
    gateway: gateways.reduce((sum, { pid }) => sum + treeCpuSecondsOf(pid), 0),
    postgres: treeCpuSecondsOf(fleet.postgresPid),
  });
  const before = used();
  const tallies = await Promise.all(
    gateways.map(({ port }, index) =>
      posters[index]?.run({
        ...what,
        port,
        headers: {},
        // Its own workspaces: a wallet is one row, and only one transaction can write a row at a time.
        headersOfEach: fleet.keys.filter((_, at) => at % gatewaysMax === index).map((key) => ({ "x-api-key": key })),
        key: "fresh",
        connections,
        milliseconds,
      }),
    ),
  );
  const after = used();
  const done = tallies.filter((tally) => tally !== undefined);
  const answers = done.reduce((sum, tally) => sum + tally.answers, 0);
  return {
    perSecond: done.reduce((sum, tally) => sum + tally.answers / tally.seconds, 0),
    gatewayMs: (1e3 * (after.gateway - before.gateway)) / answers,
    postgresMs: (1e3 * (after.postgres - before.postgres)) / answers,
    p50Ms: median(done.map((tally) => tally.p50Ms)),
  };
}

// From canceling a job until the last of its streams, spread over the gateways, has received it.
async function followAll(fleet: Fleet, counts: readonly number[], streams: number): Promise<number[]> {
  const [key = ""] = fleet.keys;
  const tookMs: number[] = [];
  for (const count of counts) {
    const [first, ...others] = fleet.gateways.slice(0, count);
    if (first === undefined) continue;
    const { id } = await calling(first, key)<{ id: string }>("POST", "/api/v2/jobs", { workflow: graph });
    using ends = new DisposableStack();
    const generators = [first, ...others].map((gateway) => ({ gateway, generator: ends.use(startStreams()) }));
    const jobAt = (gateway: Started) => ({
      port: gateway.port,
      headers: { "x-api-key": key },
      path: `/api/v2/jobs/${id}/events`,
      streams: Math.round(streams / count),
      trigger: gateway === first ? `/api/v2/jobs/${id}/cancel` : null,
      expected: '"canceled"',
      milliseconds: 60_000,
    });
    for (const { gateway, generator } of generators) await generator.run(jobAt(gateway));
    const tallies = await Promise.all(generators.map(({ gateway, generator }) => generator.run(jobAt(gateway))));
    tookMs.push(Math.max(...tallies.map((tally) => (tally.kind === "delivered" ? tally.lastMs : Number.NaN))));
  }
  return tookMs;
}

// How long a small commit waits.
async function flushOf(database: Database): Promise<number> {
  const took: number[] = [];
  for (let count = 0; count < 50; count++) took.push(await timed(() => database.transaction(writeOne)));
  return median(took);
}

const least = (turns: readonly Turn[], of: "gatewayMs" | "postgresMs") => Math.min(...turns.map((turn) => turn[of]));

function turnFindings(name: string, count: number, turns: readonly Turn[], foreignCpu: number | null): Finding[] {
  const { one, medianOf } = reportWith(foreignCpu);
  const many = `${name}, ${count} gateway${count === 1 ? "" : "s"}`;
  return [
    medianOf(
      `${many}, as they came`,
      turns.map(({ perSecond }) => perSecond),
      "calls/s",
    ),
    one(`${many}: CPU of the gateways for one`, 1e3 * least(turns, "gatewayMs"), "µs"),
    one(`${many}: CPU of PostgreSQL for one`, 1e3 * least(turns, "postgresMs"), "µs"),
  ];
}

function growth(name: string, turns: readonly Turn[][], flushMs: number, foreignCpu: number | null): Finding[] {
  const { one: measuredOne } = reportWith(foreignCpu);
  const { one: simulatedOne } = reportWith(null);
  const limit = atLeast(1.7);
  const measured = turns.map((each) => median(each.map(({ perSecond }) => perSecond)));
  const [one = 0, two = 0, three = 0] = measured;
  if (availableParallelism() >= coresFor(gatewaysMax))
    return [
      measuredOne(`${name}: 2 gateways against 1, measured`, two / one, "times", limit),
      measuredOne(`${name}: 3 gateways against 1, measured`, three / one, "times"),
    ];
  const simulated = turns.map((each, index) =>
    simulateFleet({
      gateways: index + 1,
      postgresCores: simulatedPostgresCores,
      callersPerGateway: connections,
      gatewayMs: least(each, "gatewayMs"),
      postgresMs: least(each, "postgresMs"),
      flushMs,
      providerMs: 1,
    }),
  );
  const [first = 0, second = 0, third = 0] = simulated;
  return [
    ...simulated.map((value, index) =>
      simulatedOne(
        `${name}, simulated: ${index + 1} on cores of their own, PostgreSQL on ${simulatedPostgresCores}`,
        value,
        "calls/s",
      ),
    ),
    simulatedOne(`${name}: 2 gateways against 1, simulated`, second / first, "times", limit),
    simulatedOne(`${name}: 3 gateways against 1, simulated`, third / first, "times"),
    measuredOne(`${name}: 2 gateways against 1 on these cores`, two / one, "times"),
  ];
}
