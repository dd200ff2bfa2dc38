// Streams of models through the gateway: how long after the provider's first byte the caller has it, and what 5,000 streams at once
// cost in memory. All calls are paid, so each is held before and settled after.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase, startEmbeddedPostgres } from "../packages/server/src/foundation/database/index.ts";
import { type Finding, median } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { atelier, node, type Started, startUntilReady } from "./processes.ts";
import { liftLimits, liftStreams } from "./router-store.ts";

const apiKey = "service-bench-0123456789abcdefghijklmnop";
const agent = new Agent({ keepAlive: true, maxSockets: 20_000, maxFreeSockets: 4 });

export interface ModelStreamOptions {
  readonly calls: number;
  readonly streams: number;
}

export async function benchModelStreams(options: ModelStreamOptions): Promise<Finding[]> {
  const home = mkdtempSync(join(tmpdir(), "atelier-bench-model-streams-"));
  const endings: (() => unknown)[] = [() => rmSync(home, { recursive: true, force: true })];
  try {
    return await run(home, options, (end) => endings.unshift(end));
  } finally {
    for (const end of endings) await end();
  }
}

async function run(home: string, { calls, streams }: ModelStreamOptions, atEnd: (end: () => unknown) => void) {
  const provider = await startUntilReady(node("bench/model-stream-upstream.ts"), { isPinned: "with the load" });
  atEnd(() => provider.stop());
  const postgres = await startEmbeddedPostgres({ dataDir: join(home, "postgres") });
  atEnd(() => postgres.stop());
  const gateway = await startGateway(home, provider);
  atEnd(() => gateway.stop());
  const database = openDatabase({ connection: postgres.connection, poolSize: 2, readers: 0 });
  atEnd(() => database.close());
  await liftLimits(database);
  await liftStreams(database, streams * 2);
  // The gateway reads its limits again within seconds.
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  const cpu = watchCpu();
  const through: number[] = [];
  const direct: number[] = [];
  for (let count = 0; count < calls; count++) {
    direct.push((await stream(provider.port, "/bench", 0)).firstMs);
    through.push((await stream(gateway.port, "/v1/models/bench/text", 0)).firstMs);
  }
  const before = residentMiB(gateway.pid);
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMiB(gateway.pid));
  }, 200);
  const all = await openAll(gateway.port, streams);
  clearInterval(watch);
  const whole = all.filter(({ isWhole }) => isWhole).length;
  const foreignCpu = cpu.foreignShare();
  const added = through.map((ms, index) => ms - (direct[index] ?? 0));
  return [
    { name: "model streams: first byte after the provider's, p50", value: median(through), unit: "ms", foreignCpu },
    {
      name: "model streams: the same without what the network and the reader take",
      value: Math.max(0, median(added)),
      unit: "ms",
      limit: { kind: "at most", value: 1 },
      foreignCpu,
    },
    {
      name: `model streams: whole answers out of ${streams} at once`,
      value: (100 * whole) / streams,
      unit: "%",
      limit: { kind: "at least", value: 100 },
      foreignCpu,
    },
    {
      name: `model streams: memory per stream of 50 kB, ${streams} at once`,
      value: ((peak - before) * 1024) / streams,
      unit: "kB",
      limit: { kind: "at most", value: 256 },
      foreignCpu,
    },
  ] satisfies Finding[];
}

const lanes = 64;
// Longer than it takes to open all of them, so that they are open at once.
const heldSeconds = 120;

// Each lane opens its next stream when the last one has begun, and tries again where the gateway was too busy.
async function openAll(port: number, streams: number): Promise<Streamed[]> {
  const opened: Promise<Streamed>[] = [];
  let left = streams;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      const begun = Promise.withResolvers<boolean>();
      const whole = stream(port, "/v1/models/bench/text", heldSeconds, begun.resolve);
      whole.catch(() => begun.resolve(false));
      if (await begun.promise) opened.push(whole);
      else left += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return Promise.all(opened.map((each) => each.catch(() => ({ firstMs: Number.NaN, isWhole: false }))));
}

interface Streamed {
  // From when the provider wrote its first event until we had it.
  readonly firstMs: number;
  readonly isWhole: boolean;
}

function stream(port: number, path: string, seconds: number, begun?: (is: boolean) => void): Promise<Streamed> {
  return new Promise((resolve, reject) => {
    const headers = { "x-api-key": apiKey, "content-type": "application/json" };
    const sent = request({ host: "127.0.0.1", port, path, method: "POST", headers, agent }, (response) => {
      begun?.(response.statusCode === 200);
      let firstMs = Number.NaN;
      let last = "";
      response.on("data", (chunk: Buffer) => {
        if (Number.isNaN(firstMs)) {
          const [, written = "0"] = /"sent":"(\d+)"/.exec(chunk.toString("latin1", 0, 200)) ?? [];
          firstMs = Number(process.hrtime.bigint() - BigInt(written)) / 1e6;
        }
        last = (last + chunk.toString("latin1")).slice(-32);
      });
      response.on("end", () => resolve({ firstMs, isWhole: last.endsWith("data: [DONE]\n\n") }));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(JSON.stringify({ stream: true, seconds }));
  });
}

function residentMiB(pid: number): number {
  const [, pages = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(pages) / 1024;
}

function startGateway(home: string, provider: Started): Promise<Started> {
  const definition = join(home, "bench-provider.json");
  const model = {
    model: "text",
    released: true,
    submit: { path: "/bench", encoding: "json" },
    stream: {
      member: "stream",
      end: { data: "[DONE]" },
      whole: [
        { from: "/text", into: "/text", as: "append" },
        { from: "/usage", into: "/usage", as: "set" },
      ],
    },
    result: ["/text"],
    usage: { tokens: "/usage/tokens" },
    price: {
      usd: { kind: "tokens", rates: [{ usd_per_million: "1", default: 1000, most: 1000, reported: "tokens" }] },
    },
    charges_on_policy_rejection: "no",
    input_schema: null,
    recovery: "neither",
    longest_run_seconds: 600,
  };
  const base_url = `http://127.0.0.1:${provider.port}`;
  const whole = { provider: "bench", base_url, credential: { kind: "none" }, models: [model] };
  writeFileSync(definition, JSON.stringify(whole));
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
