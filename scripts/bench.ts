// `npm run bench`: what we promised about speed and memory, measured in one run on this machine. Ratios are taken between things
// that ran in turns, so they hold on slow and busy machines too; absolute figures are shown next to them.
//   npm run bench                      everything, as a table
//   npm run bench -- badges            only the suites whose name holds a word
//   npm run bench -- --quick           shorter rounds
//   npm run bench -- fleet             several gateways on one PostgreSQL; only when named
//   npm run bench -- tail              ten minutes of durable calls, for their tail; only when named
//   npm run bench -- model-streams     5,000 streams of a model at once; only when named
//   npm run bench -- --json            one JSON object
//   npm run bench -- --write           also into the block of docs/BENCHMARKS*.md
//   npm run bench -- growth --rows 10000000    the largest stock of that suite
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchAssets, quickAssets, wholeAssets } from "../bench/assets.ts";
import { benchBadges } from "../bench/badges.ts";
import { benchCalls } from "../bench/calls.ts";
import { benchClasses } from "../bench/classes.ts";
import { benchCli } from "../bench/cli.ts";
import { benchConsole } from "../bench/console.ts";
import { benchDeclared } from "../bench/declared.ts";
import { benchEngine } from "../bench/engine.ts";
import { benchEstimates } from "../bench/estimates.ts";
import { type Finding, isKept, table } from "../bench/finding.ts";
import { benchFleet } from "../bench/fleet.ts";
import { cores } from "../bench/foreign-cpu.ts";
import { benchGrowth } from "../bench/growth.ts";
import { benchJobs } from "../bench/jobs.ts";
import { benchModelStreams } from "../bench/model-streams.ts";
import { benchNodes } from "../bench/nodes.ts";
import { benchPartners } from "../bench/partners.ts";
import { poolSuites } from "../bench/pools.ts";
import { isPinned, root } from "../bench/processes.ts";
import { benchQueued } from "../bench/queued.ts";
import { benchRegistry } from "../bench/registry.ts";
import { benchRegistryPublish } from "../bench/registry-publish.ts";
import { benchRouter } from "../bench/router.ts";
import { benchRouterTail } from "../bench/router-tail.ts";
import { benchRoutesAndTokens } from "../bench/routes-and-tokens.ts";
import { benchRest, benchStart } from "../bench/start-and-rest.ts";
import { benchStreams } from "../bench/streams.ts";
import { benchWebhooks } from "../bench/webhooks.ts";
import { benchWorks } from "../bench/works.ts";

const { values, positionals } = parseArgs({
  options: {
    json: { type: "boolean" },
    write: { type: "boolean" },
    quick: { type: "boolean" },
    rows: { type: "string", default: "1000000" },
  },
  allowPositionals: true,
});
const suites: Readonly<Record<string, () => Promise<Finding[]>>> = {
  badges: () => benchBadges(values.quick ? 5 : 15, 600),
  declared: () => benchDeclared(values.quick ? 3 : 7),
  classes: () => benchClasses(values.quick ? 5 : 15, 600),
  estimates: () => benchEstimates(values.quick ? 3 : 7, 1_000),
  start: () => benchStart(values.quick ? 1 : 3),
  memory: () => benchRest(5),
  webhooks: () => benchWebhooks(values.quick ? 1 : 3),
  works: () => benchWorks(values.quick ? 2 : 5),
  partners: () =>
    benchPartners({
      rounds: values.quick ? 1 : 3,
      calls: values.quick ? 200 : 500,
      openTasks: 5_000,
      watchSeconds: values.quick ? 20 : 30,
    }),
  console: () => benchConsole(values.quick ? 3 : 7),
  nodes: () => benchNodes(values.quick ? 6 : 20),
  jobs: () => benchJobs(values.quick ? 1 : 3, values.quick ? 100_000 : 1_000_000),
  ...Object.fromEntries(
    Object.entries(poolSuites).map(([name, run]) => [
      name,
      () =>
        run(
          values.quick
            ? { seconds: 10, peakJobs: 2_000, watchers: 1_000, latencyJobs: 30 }
            : { seconds: 15, peakJobs: 10_000, watchers: 1_000, latencyJobs: 100 },
        ),
    ]),
  ),
  streams: () => benchStreams({ rounds: values.quick ? 2 : 5, streams: 10_000, submissions: values.quick ? 30 : 100 }),
  registry: () =>
    benchRegistry({
      rounds: values.quick ? 2 : 5,
      milliseconds: 1_000,
      nodes: 20_000,
      searches: values.quick ? 200 : 1_000,
    }),
  "registry-publish": () => benchRegistryPublish(values.quick ? 2 : 5),
  queued: () => benchQueued({ rounds: values.quick ? 2 : 5, calls: values.quick ? 3_000 : 12_000 }),
  "routes-and-tokens": () =>
    benchRoutesAndTokens({ rounds: values.quick ? 3 : 9, milliseconds: values.quick ? 1_000 : 2_000 }),
  // Ten minutes of one load, so only when named.
  ...(positionals.includes("model-streams")
    ? { "model-streams": () => benchModelStreams({ calls: 200, streams: values.quick ? 1_000 : 5_000 }) }
    : {}),
  ...(positionals.includes("tail") ? { tail: () => benchRouterTail(values.quick ? 1 : 10) } : {}),
  calls: () => benchCalls(values.quick ? 1 : 5, values.quick ? [] : [100_000, 1_000_000]),
};
const isAsked = (name: string) => positionals.length === 0 || positionals.some((word) => name.includes(word));

const measured: [string, Finding[]][] = [];
for (const [name, run] of Object.entries(suites)) {
  if (!isAsked(name)) continue;
  process.stderr.write(`measuring ${name} …\n`);
  measured.push([name, await run()]);
}
const growth = isAsked("growth") ? await measureGrowth() : null;
const assets = isAsked("assets") ? await measureAssets() : null;
const cli = isAsked("cli") ? await measureCli() : null;
const router = isAsked("router") ? await measureRouter() : null;
const engine = isAsked("engine") ? await measureEngine() : null;
const fleet = positionals.includes("fleet") ? await measureFleet() : null;

const environment = {
  date: new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  cores,
  processor: cpus()[0]?.model.trim() ?? "unknown",
  pinned: isPinned,
};
const where = `${environment.date}, Node ${environment.node}, ${environment.cores} cores (${environment.processor}), ${isPinned ? "server and load generator each on a core of its own" : "no core pinned"}.`;
const all = [
  ...measured.flatMap(([, findings]) => findings),
  ...(growth ?? []),
  ...(assets ?? []),
  ...(cli ?? []),
  ...(router?.findings ?? []),
  ...(engine ?? []),
  ...(fleet ?? []),
];
// Each suite has its own block, so that it can be measured again alone; the router's also shows every gateway side by side.
const blocks = measured.map(([name, findings]): [string, string] => [
  `bench-${name}`,
  `${where}\n\n${table(findings)}`,
]);
if (growth) blocks.push(["bench-growth", `${where}\n\n${table(growth)}`]);
if (assets) blocks.push(["bench-assets", `${where}\n\n${table(assets)}`]);
if (cli) blocks.push(["bench-cli", `${where}\n\n${table(cli)}`]);
if (router) blocks.push(["bench-router", `${where}\n\n${router.sideBySide}\n\n${table(router.findings)}`]);
if (engine) blocks.push(["bench-engine", `${where}\n\n${table(engine)}`]);
if (fleet) blocks.push(["bench-fleet", `${where}\n\n${table(fleet)}`]);
if (values.json)
  process.stdout.write(`${JSON.stringify({ ok: all.every(isKept), place: environment, findings: all })}\n`);
else process.stdout.write(`${blocks.map(([, text]) => text).join("\n\n")}\n`);
if (values.write) for (const [name, text] of blocks) writeBlock(name, text);
const disturbed = all.some(({ foreignCpu }) => (foreignCpu ?? 0) > 0.2);
if (disturbed)
  process.stderr.write(
    "Other programs used more than a fifth of the machine meanwhile; measure again on a quiet one.\n",
  );
process.exit(all.every(isKept) ? 0 : 12);

function measureGrowth() {
  process.stderr.write("measuring growth …\n");
  const most = values.quick ? 20_000 : Number(values.rows);
  return benchGrowth({ rounds: values.quick ? 1 : 3, stocks: [...new Set([1_000, Math.min(100_000, most), most])] });
}

function measureAssets() {
  process.stderr.write("measuring assets …\n");
  return benchAssets(values.quick ? quickAssets : wholeAssets);
}

function measureCli() {
  process.stderr.write("measuring cli …\n");
  return benchCli(values.quick ? 5 : 15);
}

function measureEngine() {
  process.stderr.write("measuring engine …\n");
  return benchEngine(values.quick ? 2 : 8);
}

function measureFleet() {
  process.stderr.write("measuring fleet …\n");
  return benchFleet(
    values.quick
      ? { rounds: 1, milliseconds: 2_000, streams: 300, messages: 100 }
      : { rounds: 5, milliseconds: 4_000, streams: 3_000, messages: 400 },
  );
}

function measureRouter() {
  process.stderr.write("measuring router …\n");
  return values.quick
    ? benchRouter({ rounds: 1, crowdMs: 1000, aloneMs: 500, steadyCalls: 10_000, warmCalls: 3_000 })
    : benchRouter({ rounds: 5, crowdMs: 2000, aloneMs: 1000, steadyCalls: 100_000, warmCalls: 12_000 });
}

function writeBlock(name: string, text: string): void {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  for (const path of globSync("docs/BENCHMARKS*.md", { cwd: root })) {
    const file = join(root, path);
    const whole = readFileSync(file, "utf8");
    const [from, to] = [whole.indexOf(begin), whole.indexOf(end)];
    if (from === -1 || to < from) continue;
    writeFileSync(file, `${whole.slice(0, from + begin.length)}\n${text}\n${whole.slice(to)}`);
    return;
  }
  throw new Error(`No page docs/BENCHMARKS*.md has a block ${name}.`);
}
