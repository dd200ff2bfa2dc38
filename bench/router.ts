// The model router next to other gateways, all in one run and in turns: the load generator and the provider are on one core and
// the gateway on the other; PostgreSQL may use both. What a call costs is CPU time by the kernel's count, which neighbours
// change little; calls per second and milliseconds are reported as measured.
import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type EmbeddedPostgres,
  openDatabase,
  startEmbeddedPostgres,
} from "../packages/server/src/foundation/database/index.ts";
import { median } from "./finding.ts";
import { treeCpuSecondsOf, watchCpu } from "./foreign-cpu.ts";
import type { PostJob } from "./post-generator.ts";
import { atelier, node, type Started, startPoster, startUntilReady } from "./processes.ts";
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

export const benchKey = "service-bench-0123456789abcdefghijklmnop";

export async function benchRouter(options: RouterBenchOptions): Promise<RouterReport> {
  const home = mkdtempSync(join(tmpdir(), "atelier-bench-router-"));
  const endings: (() => unknown)[] = [() => rmSync(home, { recursive: true, force: true })];
  try {
    return await run(home, options, (end) => endings.unshift(end));
  } finally {
    for (const end of endings) await end();
  }
}

async function run(home: string, options: RouterBenchOptions, atEnd: (end: () => unknown) => void) {
  const provider = await startUntilReady(node("bench/router-upstream.ts"), { isPinned: "with the load" });
  atEnd(() => provider.stop());
  const postgres = await startEmbeddedPostgres({ dataDir: join(home, "postgres") });
  atEnd(() => postgres.stop());
  const gateway = await startOurs(home, provider, postgres);
  atEnd(() => gateway.stop());
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
    atEnd(() => peer.server.stop());
  }
  const ledger = await startLedger(postgres.connection);
  atEnd(() => ledger.end());
  const poster = startPoster();
  atEnd(() => poster.end());

  const postgresPid = Number(readFileSync(join(home, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
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
    measured.fdatasyncMs.push(fdatasyncMs(home));
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

export async function startOurs(home: string, provider: Started, postgres: EmbeddedPostgres): Promise<Started> {
  const definition = join(home, "bench-provider.json");
  writeFileSync(definition, JSON.stringify(providerDefinition(`http://127.0.0.1:${provider.port}`)));
  const gateway = await atelier(home, true, {
    flags: ["--import", join(import.meta.dirname, "loop-delay.ts")],
    env: {
      ATELIER_PROVIDERS: definition,
      ATELIER_SANDBOX: "off",
      ATELIER_BOOTSTRAP_KEY: benchKey,
      ATELIER_BOOTSTRAP_CREDITS: "1000000000",
      BENCH_LOOP_FILE: join(home, "loop.json"),
    },
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

// How long the disk takes to write 8 KiB, a page of the log: a durable call waits at least twice that long.
function fdatasyncMs(home: string): number {
  const file = join(home, "fdatasync.bin");
  const [target, page] = [openSync(file, "w"), Buffer.alloc(8192, 1)];
  const took = Array.from({ length: 200 }, () => {
    writeSync(target, page, 0, page.length, 0);
    const began = performance.now();
    fdatasyncSync(target);
    return performance.now() - began;
  });
  closeSync(target);
  rmSync(file);
  return median(took);
}

function last<T>(list: readonly T[]): T {
  const item = list.at(-1);
  if (item === undefined) throw new Error("an empty list has no last item");
  return item;
}
