// Price badges against a bare Fastify, on the same core, in many short turns: A B C D A B C D. We compare the CPU time of the
// server's process per answer. On a dedicated core that is its speed, and next to a busy neighbour it nearly is, while answers
// per second would measure the neighbour. A disturbance only ever adds time, so the minimum of a series is closest to the truth,
// and we compare the minima.
import { atLeast, type Finding, reportWith } from "./finding.ts";
import { cpuSecondsOf, watchCpu } from "./foreign-cpu.ts";
import { atelier, bareFastify, type Started, startLoader, tempFolder } from "./processes.ts";

const path = "/nodes/pricing/badges?app_version=1.2.3&platform=local";
const connections = 32;

export async function benchBadges(rounds: number, milliseconds: number): Promise<Finding[]> {
  using home = tempFolder("badges");
  await using bare = await bareFastify();
  await using server = await atelier(home.path, true);
  using loader = startLoader();
  const etag = await etagOf(server, path);
  const jobs: readonly Job[] = [
    { name: "bare Fastify hello", server: bare, path: "/", status: 200, headers: {} },
    { name: "badges 200", server, path, status: 200, headers: {} },
    { name: "badges 200, brotli", server, path, status: 200, headers: { "accept-encoding": "br, gzip" } },
    { name: "badges 304", server, path, status: 304, headers: etag },
  ];
  for (const job of jobs) await measure(loader, job, Math.min(milliseconds, 1500));

  const measured = new Map(jobs.map(({ name }) => [name, [] as Measured[]]));
  const cpu = watchCpu();
  for (let round = 0; round < rounds; round++) {
    for (const job of jobs) measured.get(job.name)?.push(await measure(loader, job, milliseconds));
  }
  return findingsOf(measured, cpu.foreignShare());
}

// For the same request again, unchanged since.
export async function etagOf(server: Started, path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { ...headers, "accept-encoding": "identity" },
  });
  await answer.arrayBuffer();
  return { "if-none-match": answer.headers.get("etag") ?? "" };
}

export interface Job {
  readonly name: string;
  readonly server: Started;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Measured {
  readonly perSecond: number;
  // CPU time of the server's process per answer.
  readonly microseconds: number;
}

export async function measure(
  loader: ReturnType<typeof startLoader>,
  job: Job,
  milliseconds: number,
): Promise<Measured> {
  const { path: at, status, headers, server } = job;
  const before = cpuSecondsOf(server.pid);
  const tally = await loader.run({ port: server.port, path: at, status, headers, connections, milliseconds });
  const used = cpuSecondsOf(server.pid) - before;
  return { perSecond: tally.answers / tally.seconds, microseconds: (1e6 * used) / tally.answers };
}

// Both figures of one target.
export function speedAndCost(name: string, own: readonly Measured[], foreignCpu: number | null): Finding[] {
  const { medianOf } = reportWith(foreignCpu);
  const speeds = own.map(({ perSecond }) => perSecond);
  const costs = own.map(({ microseconds }) => microseconds);
  return [medianOf(`${name}: as they came`, speeds, "answers/s"), medianOf(`${name}: CPU for one answer`, costs, "µs")];
}

export const leastCost = (own: readonly Measured[]) => Math.min(...own.map(({ microseconds }) => microseconds));

function findingsOf(measured: ReadonlyMap<string, readonly Measured[]>, foreignCpu: number | null): Finding[] {
  const bare = measured.get("bare Fastify hello") ?? [];
  return [...measured].flatMap(([name, own]): Finding[] => {
    const findings = speedAndCost(name, own, foreignCpu);
    if (own === bare) return findings;
    const share = (100 * leastCost(bare)) / leastCost(own);
    return [...findings, reportWith(foreignCpu).one(`${name}: share of bare Fastify`, share, "%", atLeast(50))];
  });
}
