// The model router next to other gateways, all in one run and in turns: the load generator and the provider are on one core and
// the gateway on the other; PostgreSQL may use both. What a call costs is CPU time by the kernel's count, which neighbours
// change little; calls per second and milliseconds are reported as measured.
import { join } from "node:path";
import { type EmbeddedPostgres, openDatabase } from "../packages/server/src/foundation/database/index.ts";
import { postgresIn } from "./database.ts";
import { fdatasyncMs } from "./fdatasync.ts";
import { median } from "./finding.ts";
import { treeCpuSecondsOf, watchCpu } from "./foreign-cpu.ts";
import { benchKey, startGateway } from "./gateway.ts";
import type { PostJob } from "./post-generator.ts";
import { node, postmasterPid, type Started, startPoster, startUntilReady, tempFolder } from "./processes.ts";
import { measureBodiesAndMemory } from "./router-bodies.ts";
import { durable, type RouterReport, replayed, reportOf } from "./router-goals.ts";
import { startLedger } from "./router-ledger-child.ts";
import type { Measured, Target, Turn } from "./router-measured.ts";
import { type Peer, startNginx, startPassThrough, startPortkey } from "./router-peers.ts";
import { providerDefinition, providerPath, requestBody } from "./router-request.ts";
import { liftLimits } from "./router-store.ts";

export interface RouterBenchOptions {
  readonly rounds: number;
  readonly crowdMs: number;
  readonly aloneMs: number;
  readonly steadyCalls: number;
  readonly warmCalls: number;
}

type Shape = Pick<PostJob, "connections" | "milliseconds" | "answersMax">;

// Everything a suite of durable calls needs: the provider, PostgreSQL, our gateway, and who posts.
export async function routerWorld(name: string, ends: AsyncDisposableStack) {
  const home = ends.use(tempFolder(name)).path;
  const upstream = node("bench/router-upstream.ts");
  const provider = ends.use(await startUntilReady(upstream, { isPinned: "with the load" }));
  const postgres = await postgresIn(home, ends);
  const gateway = ends.use(await startOurs(home, provider, postgres));
  return { home, provider, postgres, gateway, poster: ends.use(startPoster()), postgresPid: postmasterPid(home) };
}

export async function benchRouter(options: RouterBenchOptions): Promise<RouterReport> {
  await using ends = new AsyncDisposableStack();
  const { home, provider, postgres, gateway, poster, postgresPid } = await routerWorld("router", ends);
  const providerUrl = `http://127.0.0.1:${provider.port}`;
  const peers: Peer[] = [];
  for (const start of [
    () => startPassThrough("node", providerUrl),
    () => startPassThrough("fastify", providerUrl),
    () => startNginx(home, providerUrl),
    () => startPortkey(providerUrl),
  ]) {
    const peer = await start();
    if (peer === null) continue;
    peers.push(peer);
    ends.use(peer.server);
  }
  const ledger = await startLedger(postgres.connection);
  ends.defer(() => ledger.end());
  const targets: Target[] = [
    { name: "no gateway", server: provider, isOurs: false, path: providerPath, headers: {}, key: null },
    ...peers.map((peer) => ({ ...peer, isOurs: false, key: null })),
    ...ourModes(gateway),
  ];
  const measure = (target: Target, job: Shape) => measureTurn(poster, target, postgresPid, job);
  await measure(last(targets), { connections: 1, milliseconds: 200 });
  // By calls and not by time: a slower gateway must not be measured while its code is still being compiled.
  for (const target of targets)
    await measure(target, { connections: 32, milliseconds: 20_000, answersMax: options.warmCalls });
  await ledger.run(1000);

  const cpu = watchCpu();
  const measured: Measured = {
    alone: new Map(targets.map(({ name }) => [name, []])),
    crowd: new Map(targets.map(({ name }) => [name, []])),
    ledgerPerSecond: [],
    fdatasyncMs: [],
  };
  for (let round = 0; round < options.rounds; round++) {
    // A page of the log: a durable call waits at least twice that long.
    measured.fdatasyncMs.push(median(fdatasyncMs(home, 200, "over")));
    for (const target of targets)
      measured.alone.get(target.name)?.push(await measure(target, { connections: 1, milliseconds: options.aloneMs }));
    for (const target of targets)
      measured.crowd.get(target.name)?.push(await measure(target, { connections: 32, milliseconds: options.crowdMs }));
    measured.ledgerPerSecond.push(await ledger.run(options.crowdMs));
  }
  const foreignCpu = cpu.foreignShare();
  const memory = await measureBodiesAndMemory({
    poster,
    gateway,
    home,
    apiKey: benchKey,
    steadyCalls: options.steadyCalls,
  });
  return reportOf({ targets, measured, memory, foreignCpu });
}

async function startOurs(home: string, provider: Started, postgres: EmbeddedPostgres): Promise<Started> {
  const gateway = await startGateway(home, providerDefinition(`http://127.0.0.1:${provider.port}`), {
    flags: ["--import", join(import.meta.dirname, "loop-delay.ts")],
    env: { BENCH_LOOP_FILE: join(home, "loop.json") },
  });
  const database = openDatabase({ connection: postgres.connection, poolSize: 2, readers: 0 });
  await liftLimits(database).finally(() => database.close());
  return gateway;
}

export function durableTarget(server: Started): Target {
  const headers = { "x-api-key": benchKey };
  return { server, isOurs: true, headers, name: durable, path: "/v1/models/bench/priced", key: "fresh" };
}

function ourModes(server: Started): Target[] {
  const ours = { server, isOurs: true, headers: { "x-api-key": benchKey } };
  const [free, priced] = ["/v1/models/bench/free", "/v1/models/bench/priced"];
  return [
    { ...ours, name: "Atelier, unkeyed and free", path: free, key: null },
    { ...ours, name: "Atelier, keyed", path: free, key: "fresh" },
    durableTarget(server),
    { ...ours, name: replayed, path: priced, key: { same: "bench-replayed-key" } },
  ];
}

export async function measureTurn(
  poster: ReturnType<typeof startPoster>,
  target: Target,
  postgresPid: number,
  job: Shape,
): Promise<Turn> {
  const { path, headers, key, server } = target;
  const [gatewayBefore, postgresBefore] = [treeCpuSecondsOf(server.pid), treeCpuSecondsOf(postgresPid)];
  const tally = await poster.run({ ...job, port: server.port, path, headers, key, body: requestBody });
  const [gatewayUsed, postgresUsed] = [
    treeCpuSecondsOf(server.pid) - gatewayBefore,
    treeCpuSecondsOf(postgresPid) - postgresBefore,
  ];
  return {
    perSecond: tally.answers / tally.seconds,
    p50Ms: tally.p50Ms,
    p99Ms: tally.p99Ms,
    gatewayMicroseconds: (1e6 * gatewayUsed) / tally.answers,
    postgresMicroseconds: target.isOurs ? (1e6 * postgresUsed) / tally.answers : 0,
  };
}

function last<T>(list: readonly T[]): T {
  const item = list.at(-1);
  if (item === undefined) throw new Error("an empty list has no last item");
  return item;
}
