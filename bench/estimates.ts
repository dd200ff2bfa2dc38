// What an estimate costs: for a graph of thirty nodes, and for one model call, over HTTP on one connection, with the server and
// its PostgreSQL as shipped. A disturbance only ever adds time, so we compare the minimum of a series with the limit.
import { liftLimits } from "./calling.ts";
import { atMost, type Finding, reportWith } from "./finding.ts";
import { cpuSecondsOf, watchCpu } from "./foreign-cpu.ts";
import { benchKey } from "./gateway.ts";
import { atelier, type Started, startPoster, tempFolder } from "./processes.ts";

const adminToken = "admin-bench-0123456789abcdefghijklmnop";

// Ten nodes that call a model, two of them with a size that only the run knows, and the nodes that make and save their pictures.
export function thirtyNodes(): Record<string, object> {
  const node = (class_type: string, inputs: object) => ({ class_type, inputs });
  const graph: Record<string, object> = {
    blank: node("EmptyImage", { width: 512, height: 512, batch_size: 1, color: 0 }),
    size: node("GetImageSize", { image: ["blank", 0] }),
    width: node("PrimitiveInt", { value: 768 }),
    words: node("PrimitiveStringMultiline", { value: "a harbour in the morning" }),
  };
  for (let at = 0; at < 10; at++) {
    graph[`ask${at}`] = node("AtelierModelImage", {
      model: at % 2 === 0 ? "sandbox/image-1-queued" : "sandbox/video-1",
      prompt: ["words", 0],
      width: at < 2 ? ["size", 0] : ["width", 0],
      height: 512,
      seed: at,
      parameters: '{"response_format": "b64_json", "seconds": 4}',
    });
    graph[`save${at}`] = node("SaveImage", { images: [`ask${at}`, 0], filename_prefix: "x" });
  }
  for (let at = 0; at < 3; at++) {
    graph[`flip${at}`] = node("ImageInvert", { image: [`ask${at}`, 0] });
    graph[`kept${at}`] = node("SaveImage", { images: [`flip${at}`, 0], filename_prefix: "y" });
  }
  return graph;
}

interface Asked {
  readonly name: string;
  readonly path: string;
  readonly body: string;
  readonly limitMs?: number;
}

const asked: readonly Asked[] = [
  {
    name: "estimate of a graph of 30 nodes",
    path: "/account/estimates",
    body: JSON.stringify({ workflow: thirtyNodes() }),
    limitMs: 2,
  },
  {
    name: "estimate of a call",
    path: "/v1/models/sandbox/image-1-queued/estimate",
    body: JSON.stringify({ prompt: "a harbour in the morning", width: 512, height: 512 }),
  },
];

export async function benchEstimates(rounds: number, milliseconds: number): Promise<Finding[]> {
  using home = tempFolder("estimates");
  await using server = await atelier(home.path, true, {
    env: { ATELIER_BOOTSTRAP_KEY: benchKey, ATELIER_ADMIN_TOKEN: adminToken },
  });
  using poster = startPoster();
  // Rate limits are not what we measure.
  await liftLimits(server, benchKey, adminToken, [
    "router_and_partner_requests_per_minute",
    "workflow_and_registry_requests_per_minute",
  ]);
  const measure = (one: Asked, longest = milliseconds) => turn(poster, server, one, longest);
  for (const one of asked) await measure(one, 3_000);
  const cpu = watchCpu();
  const turns = new Map(asked.map(({ name }) => [name, [] as Turn[]]));
  for (let round = 0; round < rounds; round++) for (const one of asked) turns.get(one.name)?.push(await measure(one));
  const foreignCpu = cpu.foreignShare();
  return asked.flatMap((one) => findingsOf(one, turns.get(one.name) ?? [], foreignCpu));
}

interface Turn {
  readonly p50Ms: number;
  // CPU time of the server's process per answer.
  readonly microseconds: number;
}

async function turn(
  poster: ReturnType<typeof startPoster>,
  server: Started,
  { path, body }: Asked,
  milliseconds: number,
): Promise<Turn> {
  const before = cpuSecondsOf(server.pid);
  const headers = { "x-api-key": benchKey };
  const job = { port: server.port, path, headers, body, key: null, connections: 1, milliseconds } as const;
  const { answers, p50Ms } = await poster.run(job);
  return { p50Ms, microseconds: (1e6 * (cpuSecondsOf(server.pid) - before)) / answers };
}

function findingsOf({ name, limitMs }: Asked, turns: readonly Turn[], foreignCpu: number | null): Finding[] {
  const { one, medianOf } = reportWith(foreignCpu);
  const waits = turns.map(({ p50Ms }) => p50Ms);
  const costs = turns.map(({ microseconds }) => microseconds);
  const limit = limitMs === undefined ? null : atMost(limitMs);
  return [
    one(`${name}, one connection: p50, the least`, Math.min(...waits), "ms", limit, waits),
    medianOf(`${name}: CPU for one answer`, costs, "µs"),
  ];
}
