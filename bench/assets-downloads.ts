// Signed downloads next to nginx and a bare node:http with the same bytes: three sizes, keep-alive connections, in turns within
// one run, all on the same core, the generator on another. CPU is that of all processes of a server; ours includes the database.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type FileServers, startNginxOn } from "./assets-nginx.ts";
import { atLeast, type Finding, reportWith } from "./finding.ts";
import { treeCpuSecondsOf, watchCpu } from "./foreign-cpu.ts";
import type { PhaseLimit } from "./phase-limit.ts";
import { type Loader, node, type Started, startUntilReady } from "./processes.ts";
import type { TransferJob, TransferTally } from "./transfer-generator.ts";

export interface AssetServer {
  readonly home: string;
  readonly key: string;
  readonly server: Started;
  readonly transfer: Loader<TransferJob, TransferTally>;
}

const sizes = new Map([
  ["64 KiB", 64 * 1024],
  ["1 MiB", 1024 ** 2],
  ["100 MiB", 100 * 1024 ** 2],
]);
const connections = 16;

interface Series {
  readonly rates: number[];
  // Microseconds of CPU per million bytes.
  readonly cpu: number[];
}

export interface DownloadOptions {
  readonly rounds: number;
  readonly downloadMs: number;
}

export async function benchDownloads(
  site: AssetServer,
  { rounds, downloadMs: milliseconds }: DownloadOptions,
  limit: PhaseLimit,
): Promise<Finding[]> {
  const files = new Map([...sizes].map(([name, size]) => [name.replace(" ", "-"), randomBytes(size)]));
  const folder = join(site.home, "bench-nginx");
  const nginx = await startNginxOn(folder, files);
  await using ends = new AsyncDisposableStack();
  if (nginx) ends.use(nginx.sendfile);
  if (nginx) ends.use(nginx.readAndWrite);
  const findings: Finding[] = [];
  const bare = ends.use(
    await startUntilReady([...node("bench/bare-bytes.ts"), join(folder, "root")], { isPinned: true }),
  );
  for (const [name, bytes] of files) {
    const url = await uploaded(site, bytes);
    // A Node program needs some ten thousand requests to reach full speed.
    if (findings.length === 0) await warmUp(site, url, 10 * milliseconds);
    // Sixteen large ones take half a second, so a turn must fit several of them. Small ones take shorter turns and more of
    // them.
    const isLarge = bytes.length > 1024 ** 2;
    const turns = isLarge
      ? { milliseconds: 2 * milliseconds, rounds }
      : { milliseconds: 0.7 * milliseconds, rounds: 2 * rounds - 1 };
    findings.push(...(await compare({ ...site, ...turns, limit, name, url, nginx, bare })));
  }
  return findings;
}

interface Comparison extends AssetServer {
  readonly name: string;
  readonly url: URL;
  readonly nginx: FileServers | null;
  readonly bare: Started;
  readonly rounds: number;
  readonly milliseconds: number;
  readonly limit: PhaseLimit;
}

type Target = Series & { readonly how: string; readonly pid: number; readonly port: number; readonly path: string };

async function compare(asked: Comparison): Promise<Finding[]> {
  const { name, url, nginx, server } = asked;
  const cpu = watchCpu();
  const path = `/${name}`;
  const ours: Target = {
    how: "",
    pid: server.pid,
    port: Number(url.port),
    path: `${url.pathname}${url.search}`,
    ...series(),
  };
  const others: Target[] = [
    ...(nginx ? [{ how: "nginx (sendfile)", ...nginx.sendfile, path, ...series() }] : []),
    ...(nginx ? [{ how: "nginx (read and write)", ...nginx.readAndWrite, path, ...series() }] : []),
    { how: "bare node:http", ...asked.bare, path, ...series() },
  ];
  // The first round warms everything up.
  for (let round = -1; round < asked.rounds; round++) {
    for (const target of [ours, ...others]) {
      asked.limit.check();
      await measure(asked, target, round < 0);
    }
  }
  return findingsOf(name, ours, others, cpu.foreignShare());
}

function findingsOf(name: string, ours: Target, others: readonly Target[], foreignCpu: number | null): Finding[] {
  const { medianOf } = reportWith(foreignCpu);
  const what = `signed downloads of ${name.replace("-", " ")}`;
  return [
    medianOf(what, ours.rates, "MB/s"),
    medianOf(`${what}: CPU for one MB`, ours.cpu, "µs"),
    ...others.flatMap((other) => [
      medianOf(`${what}: ${other.how}`, other.rates, "MB/s"),
      medianOf(`${what}: ${other.how}, CPU for one MB`, other.cpu, "µs"),
      medianOf(`${what}: share of ${other.how}`, shares(ours.rates, other.rates), "%", judged(other.how)),
    ]),
  ];
}

const series = (): Series => ({ rates: [], cpu: [] });

// Ratios within the same turn.
export const shares = (some: readonly number[], others: readonly number[]) =>
  some.map((value, round) => (value / (others[round] ?? Number.NaN)) * 100);

// We promised a share of a stock nginx serving the same file, at any size. For small files the request itself takes the time;
// the bare node:http shows how much of it is up to us.
function judged(how: string): Finding["limit"] {
  return how === "nginx (sendfile)" ? atLeast(60) : undefined;
}

async function measure({ transfer, milliseconds }: Comparison, target: Target, isWarmUp: boolean): Promise<void> {
  const before = treeCpuSecondsOf(target.pid);
  const tally = await transfer.run({
    kind: "download",
    port: target.port,
    path: target.path,
    connections,
    milliseconds: isWarmUp ? 2 * milliseconds : milliseconds,
  });
  if (isWarmUp) return;
  target.rates.push(tally.bytes / 1e6 / tally.seconds);
  target.cpu.push(((treeCpuSecondsOf(target.pid) - before) * 1e6) / (tally.bytes / 1e6));
}

async function warmUp({ transfer }: AssetServer, url: URL, milliseconds: number): Promise<void> {
  const [port, path] = [Number(url.port), `${url.pathname}${url.search}`];
  await transfer.run({ kind: "download", port, path, connections, milliseconds });
}

async function uploaded({ server, key }: AssetServer, bytes: Uint8Array<ArrayBuffer>): Promise<URL> {
  const form = new FormData();
  form.set("content_type", "application/octet-stream");
  form.set("file_path", `download-${bytes.length}.bin`);
  form.set("file", new Blob([bytes]), "x");
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/v2/assets`, {
    method: "POST",
    headers: { "x-api-key": key },
    body: form,
  });
  if (answer.status !== 201) throw new Error(`an upload answered ${answer.status}: ${await answer.text()}`);
  const { url } = (await answer.json()) as { url: string };
  return new URL(url);
}
