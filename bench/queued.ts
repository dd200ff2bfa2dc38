// Queued model calls next to synchronous ones on the same server, in turns: from the first submission until the last request has
// completed, against durable calls (key, hold, settle) on as many connections. Callers only submit and look at the queue from
// time to time, like callers who use a webhook.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase, startEmbeddedPostgres } from "../packages/server/src/foundation/database/index.ts";
import { type Finding, median } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { atelier, node, type Started, startPoster, startUntilReady } from "./processes.ts";
import { providerDefinition, requestBody } from "./router-request.ts";
import { countOpenRequests, liftLimits } from "./router-store.ts";

const apiKey = "service-bench-0123456789abcdefghijklmnop";
const connections = 32;
const path = "/v1/models/bench/priced";

export interface QueuedOptions {
  readonly rounds: number;
  readonly calls: number;
}

export async function benchQueued(options: QueuedOptions): Promise<Finding[]> {
  const home = mkdtempSync(join(tmpdir(), "atelier-bench-queued-"));
  const endings: (() => unknown)[] = [() => rmSync(home, { recursive: true, force: true })];
  try {
    return await run(home, options, (end) => endings.unshift(end));
  } finally {
    for (const end of endings) await end();
  }
}

async function run(home: string, { rounds, calls }: QueuedOptions, atEnd: (end: () => unknown) => void) {
  const provider = await startUntilReady(node("bench/router-upstream.ts"), { isPinned: "with the load" });
  atEnd(() => provider.stop());
  const postgres = await startEmbeddedPostgres({ dataDir: join(home, "postgres") });
  atEnd(() => postgres.stop());
  const gateway = await startGateway(home, provider);
  atEnd(() => gateway.stop());
  const database = openDatabase({ connection: postgres.connection, poolSize: 2, readers: 0 });
  atEnd(() => database.close());
  await liftLimits(database);
  const poster = startPoster();
  atEnd(() => poster.end());
  const post = (to: string, status: number) =>
    poster.run({
      port: gateway.port,
      path: to,
      headers: { "x-api-key": apiKey },
      body: requestBody,
      key: "fresh",
      connections,
      milliseconds: 120_000,
      answersMax: calls,
      status,
    });
  const synchronous = async () => {
    const { answers, seconds } = await post(path, 200);
    return answers / seconds;
  };
  const queued = async () => {
    const began = performance.now();
    const { answers } = await post(`${path}/requests`, 202);
    while ((await countOpenRequests(database)) > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    return answers / ((performance.now() - began) / 1000);
  };
  await synchronous();
  await queued();
  const series = { synchronous: [] as number[], queued: [] as number[], share: [] as number[] };
  const cpu = watchCpu();
  for (let round = 0; round < rounds; round++) {
    const [one, other] = [await synchronous(), await queued()];
    series.synchronous.push(one);
    series.queued.push(other);
    series.share.push((100 * other) / one);
  }
  const foreignCpu = cpu.foreignShare();
  const finding = (name: string, all: number[], unit: Finding["unit"], limit?: Finding["limit"]): Finding => ({
    name,
    value: median(all),
    unit,
    ...(limit ? { limit } : {}),
    rounds: all,
    foreignCpu,
  });
  return [
    finding("queued calls: submitted until completed, 32 connections", series.queued, "calls/s"),
    finding("queued calls: durable synchronous calls beside them", series.synchronous, "calls/s"),
    finding("queued calls: share of the durable synchronous rate", series.share, "%", { kind: "at least", value: 60 }),
  ];
}

function startGateway(home: string, provider: Started): Promise<Started> {
  const definition = join(home, "bench-provider.json");
  writeFileSync(definition, JSON.stringify(providerDefinition(`http://127.0.0.1:${provider.port}`)));
  return atelier(home, true, {
    env: {
      ATELIER_PROVIDERS: definition,
      ATELIER_SANDBOX: "off",
      ATELIER_ENGINE_SLOTS: "0",
      ATELIER_BOOTSTRAP_KEY: apiKey,
      ATELIER_BOOTSTRAP_CREDITS: "1000000000",
      // On a busy machine the queue grows old, but overload is not what we measure.
      ATELIER_QUEUE_AGE_MS_MAX: "60000",
    },
  });
}
