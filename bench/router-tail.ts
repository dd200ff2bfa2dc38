// The tail of durable calls: 32 connections for minutes, with a PostgreSQL checkpoint forced in the middle of each, as they
// occur on a server that runs for days. We judge one distribution over the whole time, so a slow minute is not lost in an
// average of minutes. For comparison, what the machine itself adds: how long the gateway's thread was runnable without a core,
// by the kernel's count, and the tail of a Fastify that forwards and stores nothing, under the same load.
import { readFileSync } from "node:fs";
import { openUntil } from "./database.ts";
import { atMost, type Finding, reportWith } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import type { startPoster } from "./processes.ts";
import { durableTarget, routerWorld } from "./router.ts";
import { startPassThrough } from "./router-peers.ts";
import { requestBody } from "./router-request.ts";
import { checkpointNow } from "./router-store.ts";

export async function benchRouterTail(minutes: number): Promise<Finding[]> {
  await using ends = new AsyncDisposableStack();
  const { provider, postgres, gateway, poster } = await routerWorld("tail", ends);
  const database = openUntil(ends, { connection: postgres.connection, poolSize: 1, readers: 0 });
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
  ends.defer(() => clearInterval(timer));
  const tally = await poster.run({ ...job, milliseconds: minutes * 60_000 + 500 });
  const waited = (waitedMs(gateway.pid) - waitedBefore) / tally.seconds / 10;
  const { one } = reportWith(cpu.foreignShare());
  const prefix = `router: ${minutes} min of durable calls at 32 connections, ${checkpoints} checkpoints:`;
  return [
    one(`${prefix} p50`, tally.p50Ms, "ms"),
    one(`${prefix} p99`, tally.p99Ms, "ms"),
    one(`${prefix} p99 against p50`, tally.p99Ms / tally.p50Ms, "times", atMost(2.5)),
    one(`${prefix} calls a second`, tally.answers / tally.seconds, "calls/s"),
    one(`${prefix} the gateway has work and no core`, waited, "%"),
    one("router: Fastify + Ajv + undici in the same run: p99 against p50", fastify, "times"),
  ];
}

async function fastifyTail(poster: ReturnType<typeof startPoster>, providerUrl: string, minutes: number) {
  const { server, path, headers } = await startPassThrough("fastify", providerUrl);
  await using _ = server;
  const job = { port: server.port, path, headers, key: null, body: requestBody, connections: 32 };
  await poster.run({ ...job, milliseconds: 20_000, answersMax: 12_000 });
  const tally = await poster.run({ ...job, milliseconds: minutes * 6_000 });
  return tally.p99Ms / tally.p50Ms;
}

// How long the main thread of a process was runnable but not running, since it started.
function waitedMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
  } catch {
    return Number.NaN;
  }
}
