// Streams of models through the gateway: how long after the provider's first byte the caller has it, and what 5,000 streams at once
// cost in memory. All calls are paid, so each is held before and settled after.
import { Agent, request } from "node:http";
import { openUntil, postgresIn } from "./database.ts";
import { atLeast, atMost, type Finding, median, reportWith } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { benchKey, patient, startGateway } from "./gateway.ts";
import { node, startUntilReady, tempFolder } from "./processes.ts";
import { liftLimits, liftStreams } from "./router-store.ts";
import { residentWhile } from "./start-and-rest.ts";

const agent = new Agent({ keepAlive: true, maxSockets: 20_000, maxFreeSockets: 4 });

export interface ModelStreamOptions {
  readonly calls: number;
  readonly streams: number;
}

export async function benchModelStreams({ calls, streams }: ModelStreamOptions): Promise<Finding[]> {
  await using ends = new AsyncDisposableStack();
  const home = ends.use(tempFolder("model-streams")).path;
  const upstream = node("bench/model-stream-upstream.ts");
  const provider = ends.use(await startUntilReady(upstream, { isPinned: "with the load" }));
  const postgres = await postgresIn(home, ends);
  const gateway = ends.use(await startGateway(home, providerOfStreams(`http://127.0.0.1:${provider.port}`), patient));
  const database = openUntil(ends, { connection: postgres.connection, poolSize: 2, readers: 0 });
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
  const opened = await residentWhile(gateway.pid, 200, () => openAll(gateway.port, streams));
  const whole = opened.result.filter(({ isWhole }) => isWhole).length;
  const { one } = reportWith(cpu.foreignShare());
  const added = through.map((ms, index) => ms - (direct[index] ?? 0));
  return [
    one("model streams: first byte after the provider's, p50", median(through), "ms"),
    one(
      "model streams: the same without what the network and the reader take",
      Math.max(0, median(added)),
      "ms",
      atMost(1),
    ),
    one(`model streams: whole answers out of ${streams} at once`, (100 * whole) / streams, "%", atLeast(100)),
    one(
      `model streams: memory per stream of 50 kB, ${streams} at once`,
      (opened.added * 1e6) / 1024 / streams,
      "kB",
      atMost(256),
    ),
  ];
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
    const headers = { "x-api-key": benchKey, "content-type": "application/json" };
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

function providerOfStreams(base_url: string) {
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
  return { provider: "bench", base_url, credential: { kind: "none" }, models: [model] };
}
