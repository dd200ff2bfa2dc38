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
import type { RouterReport } from "../bench/router-goals.ts";
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

// For a whole run, or for a quick one.
const pick = <T>(whole: T, quick: T): T => (values.quick ? quick : whole);
const rows = pick(Number(values.rows), 20_000);
const isNamed = (name: string) => positionals.includes(name);

type Measured = Finding[] | RouterReport;
const suites: Readonly<Record<string, () => Promise<Measured>>> = {
  badges: () => benchBadges(pick(15, 5), 600),
  declared: () => benchDeclared(pick(7, 3)),
  classes: () => benchClasses(pick(15, 5), 600),
  estimates: () => benchEstimates(pick(7, 3), 1_000),
  start: () => benchStart(pick(3, 1)),
  memory: () => benchRest(5),
  webhooks: () => benchWebhooks(pick(3, 1)),
  works: () => benchWorks(pick(5, 2)),
  partners: () =>
    benchPartners({
      rounds: pick(3, 1),
      calls: pick(500, 200),
      openTasks: 5_000,
      watchSeconds: pick(30, 20),
    }),
  console: () => benchConsole(pick(7, 3)),
  nodes: () => benchNodes(pick(20, 6)),
  jobs: () => benchJobs(pick(3, 1), pick(1_000_000, 100_000)),
  ...Object.fromEntries(
    Object.entries(poolSuites).map(([name, run]) => [
      name,
      () => run({ seconds: pick(15, 10), peakJobs: pick(10_000, 2_000), watchers: 1_000, latencyJobs: pick(100, 30) }),
    ]),
  ),
  streams: () => benchStreams({ rounds: pick(5, 2), streams: 10_000, submissions: pick(100, 30) }),
  registry: () =>
    benchRegistry({
      rounds: pick(5, 2),
      milliseconds: 1_000,
      nodes: 20_000,
      searches: pick(1_000, 200),
    }),
  "registry-publish": () => benchRegistryPublish(pick(5, 2)),
  queued: () => benchQueued({ rounds: pick(5, 2), calls: pick(12_000, 3_000) }),
  "routes-and-tokens": () => benchRoutesAndTokens({ rounds: pick(9, 3), milliseconds: pick(2_000, 1_000) }),
  // Long, under one load, or on several gateways: only when named.
  ...(isNamed("model-streams") && {
    "model-streams": () => benchModelStreams({ calls: 200, streams: pick(5_000, 1_000) }),
  }),
  ...(isNamed("tail") && { tail: () => benchRouterTail(pick(10, 1)) }),
  calls: () => benchCalls(pick(5, 1), pick([100_000, 1_000_000], [])),
  growth: () => benchGrowth({ rounds: pick(3, 1), stocks: [...new Set([1_000, Math.min(100_000, rows), rows])] }),
  assets: () => benchAssets(pick(wholeAssets, quickAssets)),
  cli: () => benchCli(pick(15, 5)),
  router: () =>
    benchRouter({
      rounds: pick(5, 1),
      crowdMs: pick(2_000, 1_000),
      aloneMs: pick(1_000, 500),
      steadyCalls: pick(100_000, 10_000),
      warmCalls: pick(12_000, 3_000),
    }),
  engine: () => benchEngine(pick(8, 2)),
  ...(isNamed("fleet") && {
    fleet: () =>
      benchFleet({
        rounds: pick(5, 1),
        milliseconds: pick(4_000, 2_000),
        streams: pick(3_000, 300),
        messages: pick(400, 100),
      }),
  }),
};

const measured: [string, Measured][] = [];
for (const [name, run] of Object.entries(suites)) {
  if (positionals.length > 0 && !positionals.some((word) => name.includes(word))) continue;
  process.stderr.write(`measuring ${name} …\n`);
  measured.push([name, await run()]);
}

const environment = {
  date: new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  cores,
  processor: cpus()[0]?.model.trim() ?? "unknown",
  pinned: isPinned,
};
const where = `${environment.date}, Node ${environment.node}, ${environment.cores} cores (${environment.processor}), ${isPinned ? "server and load generator each on a core of its own" : "no core pinned"}.`;
const findingsOf = (one: Measured) => ("findings" in one ? one.findings : one);
const all = measured.flatMap(([, one]) => findingsOf(one));
// Each suite has its own block, so that it can be measured again alone; the router's also shows every gateway side by side.
const blocks = measured.map(([name, one]): [string, string] => [
  `bench-${name}`,
  [where, ...("sideBySide" in one ? [one.sideBySide] : []), table(findingsOf(one))].join("\n\n"),
]);
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
