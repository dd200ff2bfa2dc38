// The node registry with 20,000 nodes and 200,000 versions: a node by its id and a page of the list over HTTP, per core of the
// gateway, each with and without a matching ETag; searches of two and three words, one of them misspelt, straight at the
// database, each asked once, so that nothing is cached; and whether the intended node comes first.
import { searchNodes } from "../packages/server/src/capabilities/registry/search/search-nodes.ts";
import { connectionUrl, type Database } from "../packages/server/src/foundation/database/index.ts";
import { silentLog } from "../packages/server/src/foundation/log.ts";
import { etagOf, type Job, measure } from "./badges.ts";
import { migrateWhole, openUntil, postgresIn } from "./database.ts";
import { atLeast, atMost, type Finding, median, reportWith } from "./finding.ts";
import { cpuSecondsOf, watchCpu } from "./foreign-cpu.ts";
import { atelier, startLoader, tempFolder } from "./processes.ts";
import { madeNode, misspelt } from "./registry-data.ts";
import { startVerdaccio } from "./registry-peer.ts";
import { backendPids, fillRegistry } from "./registry-store.ts";

export interface RegistryBench {
  readonly rounds: number;
  readonly milliseconds: number;
  readonly nodes: number;
  readonly searches: number;
}

const versionsPerNode = 10;

export async function benchRegistry(bench: RegistryBench): Promise<Finding[]> {
  await using ends = new AsyncDisposableStack();
  const home = ends.use(tempFolder("registry")).path;
  const postgres = await postgresIn(home, ends, { transport: "tcp" });
  const url = connectionUrl(postgres.connection);
  const database = openUntil(ends, { connection: url, poolSize: 4, log: silentLog });
  await migrateWhole(url);
  await fillRegistry(database, { nodes: bench.nodes, versionsPerNode });
  return [...(await searching(database, bench)), ...(await reading(home, url, bench))];
}

const reader = { workspaceId: null, personId: null, isAdmin: false } as const;

async function searching(database: Database, { nodes, searches }: RegistryBench): Promise<Finding[]> {
  const cpu = watchCpu();
  const took: number[] = [];
  const missed: string[] = [];
  const pids = [process.pid, ...(await backendPids(database))];
  const worked = () => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
  const before = worked();
  for (let at = -20; at < searches; at++) {
    const { brand, subjects, kind, nodeId } = madeNode((Math.abs(at) * 7_919 + 11) % nodes, "made-0");
    const [one, two] = subjects;
    const text = [
      `${misspelt(brand, at + 21)} ${one}`,
      `${brand} ${misspelt(one.length > 4 ? one : kind, at + 21)}`,
      `${one} ${misspelt(brand, at + 22)} ${two}`,
      `${brand} ${one}`,
    ][(at + 20) % 4];
    const began = performance.now();
    const filter = { reader, statuses: ["NodeStatusActive"] } as const;
    const found = await searchNodes(database, filter, text, { limit: 10, offset: 0 });
    if (at < 0) continue;
    took.push(performance.now() - began);
    if (found.nodes[0]?.nodeId !== nodeId) missed.push(`${text} → ${found.nodes[0]?.nodeId}, meant ${nodeId}`);
  }
  for (const line of missed.slice(0, 5)) process.stderr.write(`not first: ${line}\n`);
  const workMs = (1000 * (worked() - before)) / (searches + 20);
  took.sort((a, b) => a - b);
  const { one } = reportWith(cpu.foreignShare());
  const first = (100 * (searches - missed.length)) / searches;
  return [
    one("registry search, p50", median(took), "ms", atMost(15)),
    // CPU time of this process and the database per search: hardly affected by what else the machine does.
    one("registry search, CPU for one", workMs, "ms"),
    one("registry search, p99", took[Math.floor(took.length * 0.99)] ?? 0, "ms"),
    one("registry search: the meant node first", first, "%", atLeast(95)),
  ];
}

async function reading(home: string, url: string, bench: RegistryBench): Promise<Finding[]> {
  await using ends = new AsyncDisposableStack();
  const server = ends.use(
    await atelier(home, true, { env: { DATABASE_URL: url, ATELIER_MIGRATE: "auto", ATELIER_SANDBOX: "off" } }),
  );
  const peer = await startVerdaccio(home);
  if (peer) ends.use(peer.server);
  using loader = startLoader();
  const node = `/nodes/${madeNode(77, "made-0").nodeId}`;
  const page = "/nodes?page=3&limit=10";
  const ours = (name: string, path: string, status: number, headers = {}): Job => ({
    ...{ name: `registry ${name} ${status}`, server, path, status, headers },
  });
  const jobs: Job[] = [
    ours("node get", node, 200),
    ours("node get", node, 304, await etagOf(server, node)),
    ours("list", page, 200),
    ours("list", page, 304, await etagOf(server, page)),
  ];
  if (peer) jobs.push({ name: "verdaccio package get", ...peer, status: 200, headers: {} });
  const cpu = watchCpu();
  const perCore = new Map(jobs.map(({ name }) => [name, [] as number[]]));
  for (const job of jobs) await measure(loader, job, 800);
  for (let round = 0; round < bench.rounds; round++)
    for (const job of jobs) {
      // On a dedicated core, answers per second of the server's CPU time are its speed.
      const { microseconds } = await measure(loader, job, bench.milliseconds);
      perCore.get(job.name)?.push(1e6 / microseconds);
    }
  const { medianOf } = reportWith(cpu.foreignShare());
  return jobs.map((job) => {
    const limit = job.server === server ? atLeast(8_000) : null;
    return medianOf(`${job.name}, per core`, perCore.get(job.name) ?? [], "answers/s", limit);
  });
}
