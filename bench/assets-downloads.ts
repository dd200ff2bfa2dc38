// Signed downloads beside nginx with the same bytes: three sizes, connections that stay open, in turns of one run, both on
// the same core, the generator on another. CPU is that of all processes of a server, for ours the database's included.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type FileServers, startNginxOn } from "./assets-nginx.ts";
import { type Finding, median } from "./finding.ts";
import { treeCpuSecondsOf, watchCpu } from "./foreign-cpu.ts";
import type { Loader, Started } from "./processes.ts";
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
  // Microseconds of CPU for each million bytes.
  readonly cpu: number[];
}

export async function benchDownloads(site: AssetServer, rounds: number, milliseconds: number): Promise<Finding[]> {
  const files = new Map([...sizes].map(([name, size]) => [name.replace(" ", "-"), randomBytes(size)]));
  const nginx = await startNginxOn(join(site.home, "bench-nginx"), files);
  const findings: Finding[] = [];
  try {
    for (const [name, bytes] of files) {
      const url = await uploaded(site, bytes);
      findings.push(...(await compare({ ...site, name, url, nginx, rounds, milliseconds })));
    }
  } finally {
    await nginx?.sendfile.stop();
    await nginx?.readAndWrite.stop();
  }
  return findings;
}

interface Comparison extends AssetServer {
  readonly name: string;
  readonly url: URL;
  readonly nginx: FileServers | null;
  readonly rounds: number;
  readonly milliseconds: number;
}

async function compare(asked: Comparison): Promise<Finding[]> {
  const { name, url, nginx, server } = asked;
  const cpu = watchCpu();
  const ours = { pid: server.pid, port: Number(url.port), path: `${url.pathname}${url.search}`, ...series() };
  const path = `/${name}`;
  const sendfile = nginx && { ...nginx.sendfile, path, ...series() };
  const readAndWrite = nginx && { ...nginx.readAndWrite, path, ...series() };
  for (let round = -1; round < asked.rounds; round++) {
    for (const target of [ours, sendfile, readAndWrite]) if (target) await measure(asked, target, round < 0);
  }
  const foreignCpu = cpu.foreignShare();
  const finding = (what: string, values: number[], unit: Finding["unit"], limit?: Finding["limit"]): Finding => ({
    name: `signed downloads of ${name.replace("-", " ")}${what}`,
    value: median(values),
    unit,
    ...(limit ? { limit } : {}),
    rounds: values,
    foreignCpu,
  });
  const findings = [finding("", ours.rates, "MB/s"), finding(": CPU for one MB", ours.cpu, "µs")];
  for (const [how, other] of [
    ["sendfile", sendfile],
    ["read and write", readAndWrite],
  ] as const) {
    if (!other) continue;
    findings.push(
      finding(`: nginx (${how})`, other.rates, "MB/s"),
      finding(`: nginx (${how}), CPU for one MB`, other.cpu, "µs"),
      finding(`: share of nginx (${how})`, shares(ours.rates, other.rates), "%", judged(how)),
      finding(`: share of nginx (${how}) by CPU`, shares(other.cpu, ours.cpu), "%"),
    );
  }
  return findings;
}

const series = (): Series => ({ rates: [], cpu: [] });

// What was measured in the same turn.
const shares = (some: readonly number[], others: readonly number[]) =>
  some.map((value, round) => (value / (others[round] ?? Number.NaN)) * 100);

// What was promised is a share of nginx as it is installed, whatever the size of the file; the other way of nginx is told
// to show what of the distance is the kernel's.
function judged(how: "sendfile" | "read and write"): Finding["limit"] {
  return how === "sendfile" ? { kind: "at least", value: 60 } : undefined;
}

async function measure(
  { transfer, milliseconds }: Comparison,
  target: Series & { readonly pid: number; readonly port: number; readonly path: string },
  isWarmUp: boolean,
): Promise<void> {
  const before = treeCpuSecondsOf(target.pid);
  const tally = await transfer.run({
    kind: "download",
    port: target.port,
    path: target.path,
    connections,
    milliseconds,
  });
  if (isWarmUp) return;
  target.rates.push(tally.bytes / 1e6 / tally.seconds);
  target.cpu.push(((treeCpuSecondsOf(target.pid) - before) * 1e6) / (tally.bytes / 1e6));
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
