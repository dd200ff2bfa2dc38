// What a person waits for at the command line: `--help` from the built packages and from the sources, what `atelier run` adds to
// a job that a warm program does with plain fetch (submit, follow the stream, download, write), and how large the core of the
// SDK is on the wire. A disturbance only ever adds time, so the minimum of each series counts.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, install, pack, published } from "../packages/cli/test/support/empty-install.ts";
import { coreBytes } from "../packages/sdk/test/support/core-bytes.ts";
import { atMost, type Finding, reportWith } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { atelier, root, tempFolder } from "./processes.ts";

const sourceBin = join(root, "packages/cli/bin/atelier.mjs");

export async function benchCli(rounds: number): Promise<Finding[]> {
  using folder = tempFolder("cli");
  const cpu = watchCpu();
  const builtBin = installed(folder.path);
  const help = helpTimes({ built: builtBin, sources: sourceBin }, rounds);
  const runs = await runTimes(folder.path, builtBin, rounds);
  const { one } = reportWith(cpu.foreignShare());
  const added = least(runs.command) - least(runs.fetch);
  const size = coreBytes(join(root, "packages/sdk/dist")) / 1000;
  return [
    one("atelier --help, built, the least", least(help.built), "ms", atMost(150), help.built),
    one("atelier --help, from sources, the least", least(help.sources), "ms", atMost(300), help.sources),
    one("node alone, the least", least(help.bare), "ms", null, help.bare),
    one("atelier run beyond the same job by fetch", added, "ms", atMost(100), runs.command),
    one("the same job by fetch, the least", least(runs.fetch), "ms", null, runs.fetch),
    reportWith(null).one("core of the SDK, gzip", size, "kB", atMost(15)),
  ];
}

const least = (values: readonly number[]): number => Math.min(...values);

// As npm would install it, from the tarballs.
function installed(folder: string): string {
  build();
  const installFolder = join(folder, "installed");
  mkdirSync(installFolder);
  install(
    published.map((name) => pack(name, folder)),
    installFolder,
  );
  return join(installFolder, "node_modules/@atelier/cli/bin/atelier.mjs");
}

function helpTimes(bins: { readonly built: string; readonly sources: string }, rounds: number) {
  const times = { built: [] as number[], sources: [] as number[], bare: [] as number[] };
  // The first ones fill Node's compile cache.
  for (let round = -2; round < rounds; round++) {
    const bare = timed(["-e", "0"]);
    const built = timed([bins.built, "--help"]);
    const sources = timed([bins.sources, "--help"]);
    if (round < 0) continue;
    times.bare.push(bare);
    times.built.push(built);
    times.sources.push(sources);
  }
  return times;
}

function timed(words: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  const began = performance.now();
  execFileSync(process.execPath, words, { stdio: "pipe", timeout: 60_000, env: { PATH: process.env["PATH"], ...env } });
  return performance.now() - began;
}

async function runTimes(folder: string, bin: string, rounds: number) {
  const home = join(folder, "home");
  await using server = await atelier(home, false);
  const url = `http://127.0.0.1:${server.port}`;
  const key = /^API key: +(\S+)$/m.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[1] ?? "";
  const times = { command: [] as number[], fetch: [] as number[] };
  for (let round = -2; round < rounds; round++) {
    const workflow = join(folder, "graph.json");
    writeFileSync(workflow, JSON.stringify(graph(2 * round + 100)));
    const words = [bin, "run", workflow, "-o", join(folder, "out"), "--json"];
    const command = timed(words, { ATELIER_URL: url, ATELIER_API_KEY: key });
    const byFetch = await runByFetch(url, key, graph(2 * round + 101), join(folder, "fetched.png"));
    if (round < 0) continue;
    times.command.push(command);
    times.fetch.push(byFetch);
  }
  return times;
}

// A different colour each time, so that earlier results are not reused.
const graph = (color: number) => ({
  "1": { class_type: "EmptyImage", inputs: { width: 256, height: 256, batch_size: 1, color } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "bench" } },
});

interface Job {
  readonly status: string;
  readonly urls: { readonly self: string; readonly events: string };
  readonly outputs: readonly { readonly urls: { readonly content: string } }[];
}

async function runByFetch(url: string, key: string, workflow: object, file: string): Promise<number> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const began = performance.now();
  const ask = { method: "POST", headers, body: JSON.stringify({ workflow }) };
  const job: Job = Object(await (await fetch(`${url}/api/v2/jobs`, ask)).json());
  const stream = await fetch(`${url}${job.urls.events}`, { headers });
  // The stream ends with the job.
  await stream.text();
  const ended: Job = Object(await (await fetch(`${url}${job.urls.self}`, { headers })).json());
  const [output] = ended.outputs;
  if (ended.status !== "succeeded" || !output) throw new Error(`The job ended as ${ended.status}.`);
  const content = await fetch(`${url}${output.urls.content}`, { headers });
  writeFileSync(file, Buffer.from(await content.arrayBuffer()));
  return performance.now() - began;
}
