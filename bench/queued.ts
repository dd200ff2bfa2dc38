// Queued model calls next to synchronous ones on the same server, in turns: from the first submission until the last request has
// completed, against durable calls (key, hold, settle) on as many connections. Callers only submit and look at the queue from
// time to time, like callers who use a webhook.
import { openUntil, postgresIn } from "./database.ts";
import { atLeast, type Finding, reportWith } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { benchKey, patient, startGateway } from "./gateway.ts";
import { node, startPoster, startUntilReady, tempFolder } from "./processes.ts";
import { providerDefinition, requestBody } from "./router-request.ts";
import { countOpenRequests, liftLimits } from "./router-store.ts";

const connections = 32;
const path = "/v1/models/bench/priced";

export interface QueuedOptions {
  readonly rounds: number;
  readonly calls: number;
}

export async function benchQueued({ rounds, calls }: QueuedOptions): Promise<Finding[]> {
  await using ends = new AsyncDisposableStack();
  const home = ends.use(tempFolder("queued")).path;
  const upstream = node("bench/router-upstream.ts");
  const provider = ends.use(await startUntilReady(upstream, { isPinned: "with the load" }));
  const postgres = await postgresIn(home, ends);
  const gateway = ends.use(await startGateway(home, providerDefinition(`http://127.0.0.1:${provider.port}`), patient));
  const database = openUntil(ends, { connection: postgres.connection, poolSize: 2, readers: 0 });
  await liftLimits(database);
  using poster = startPoster();
  const post = (to: string, status: number) =>
    poster.run({
      port: gateway.port,
      path: to,
      headers: { "x-api-key": benchKey },
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
  const { medianOf } = reportWith(cpu.foreignShare());
  return [
    medianOf("queued calls: submitted until completed, 32 connections", series.queued, "calls/s"),
    medianOf("queued calls: durable synchronous calls beside them", series.synchronous, "calls/s"),
    medianOf("queued calls: share of the durable synchronous rate", series.share, "%", atLeast(60)),
  ];
}
