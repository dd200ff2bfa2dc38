// The tail of durable calls: 32 connections for minutes, with a PostgreSQL checkpoint forced in the middle of each, as they
// occur on a server that runs for days. We judge one distribution over the whole time, so a slow minute is not lost in an
// average of minutes. For comparison, what the machine itself adds: how long the gateway's thread was runnable without a core,
// by the kernel's count, and the tail of a Fastify that forwards and stores nothing, under the same load.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase, startEmbeddedPostgres } from "../packages/server/src/foundation/database/index.ts";
import type { Finding } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { node, startPoster, startUntilReady } from "./processes.ts";
import { durableTarget, startOurs } from "./router.ts";
import { startPassThrough } from "./router-peers.ts";
import { requestBody } from "./router-request.ts";
import { checkpointNow } from "./router-store.ts";

export async function benchRouterTail(minutes: number): Promise<Finding[]> {
  const home = mkdtempSync(join(tmpdir(), "atelier-bench-tail-"));
  const endings: (() => unknown)[] = [() => rmSync(home, { recursive: true, force: true })];
  const atEnd = (end: () => unknown) => void endings.unshift(end);
  try {
    return await run(home, minutes, atEnd);
  } finally {
    for (const end of endings) await end();
  }
}

async function run(home: string, minutes: number, atEnd: (end: () => unknown) => void): Promise<Finding[]> {
  const provider = await startUntilReady(node("bench/router-upstream.ts"), { isPinned: "with the load" });
  atEnd(() => provider.stop());
  const postgres = await startEmbeddedPostgres({ dataDir: join(home, "postgres") });
  atEnd(() => postgres.stop());
  const gateway = await startOurs(home, provider, postgres);
  atEnd(() => gateway.stop());
  const database = openDatabase({ connection: postgres.connection, poolSize: 1, readers: 0 });
  atEnd(() => database.close());
  const poster = startPoster();
  atEnd(() => poster.end());
  const { path, headers, key } = durableTarget(gateway);
  const job = { port: gateway.port, path, headers, key, body: requestBody, connections: 32 };
  await poster.run({ ...job, milliseconds: 60_000, answersMax: 12_000 });

  const fastify = await fastifyTail(poster, `http://127.0.0.1:${provider.port}`, minutes);
  const cpu = watchCpu();
  const waitedBefore = waitedMs(gateway.pid);
  let checkpoints = 0;
  const timer = setInterval(() => {
    checkpoints += 1;
    void checkpointNow(database).catch(() => undefined);
  }, 60_000);
  atEnd(() => clearInterval(timer));
  const tally = await poster.run({ ...job, milliseconds: minutes * 60_000 + 500 });
  const waited = (waitedMs(gateway.pid) - waitedBefore) / tally.seconds / 10;
  const foreignCpu = cpu.foreignShare();
  const prefix = `router: ${minutes} min of durable calls at 32 connections, ${checkpoints} checkpoints:`;
  return [
    { name: `${prefix} p50`, value: tally.p50Ms, unit: "ms", foreignCpu },
    { name: `${prefix} p99`, value: tally.p99Ms, unit: "ms", foreignCpu },
    {
      name: `${prefix} p99 against p50`,
      value: tally.p99Ms / tally.p50Ms,
      unit: "times",
      limit: { kind: "at most", value: 2.5 },
      foreignCpu,
    },
    { name: `${prefix} calls a second`, value: tally.answers / tally.seconds, unit: "calls/s", foreignCpu },
    { name: `${prefix} the gateway has work and no core`, value: waited, unit: "%", foreignCpu },
    {
      name: "router: Fastify + Ajv + undici in the same run: p99 against p50",
      value: fastify,
      unit: "times",
      foreignCpu,
    },
  ];
}

async function fastifyTail(poster: ReturnType<typeof startPoster>, providerUrl: string, minutes: number) {
  const { server, path, headers } = await startPassThrough("fastify", providerUrl);
  try {
    const job = { port: server.port, path, headers, key: null, body: requestBody, connections: 32 };
    await poster.run({ ...job, milliseconds: 20_000, answersMax: 12_000 });
    const tally = await poster.run({ ...job, milliseconds: minutes * 6_000 });
    return tally.p99Ms / tally.p50Ms;
  } finally {
    await server.stop();
  }
}

// How long the main thread of a process was runnable but not running, since it started.
function waitedMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
  } catch {
    return Number.NaN;
  }
}
