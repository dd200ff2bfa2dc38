// `npm run bench`: what was promised about speed and memory, measured in one run on this machine. Ratios are taken between
// things that ran in turns, so they hold on slow and busy machines too; absolute figures are told beside them.
//   npm run bench                      everything, as a table
//   npm run bench -- badges            only the suites whose name holds a word
//   npm run bench -- --quick           shorter rounds
//   npm run bench -- --json            one JSON object
//   npm run bench -- --write           also into docs/BENCHMARKS.md
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchAssets } from "../bench/assets.ts";
import { benchBadges } from "../bench/badges.ts";
import { benchCalls } from "../bench/calls.ts";
import { type Finding, isKept, table } from "../bench/finding.ts";
import { cores } from "../bench/foreign-cpu.ts";
import { isPinned, root } from "../bench/processes.ts";
import { benchRest, benchStart } from "../bench/start-and-rest.ts";

const { values, positionals } = parseArgs({
  options: { json: { type: "boolean" }, write: { type: "boolean" }, quick: { type: "boolean" } },
  allowPositionals: true,
});
const suites: Readonly<Record<string, () => Promise<Finding[]>>> = {
  badges: () => benchBadges(values.quick ? 5 : 15, 600),
  start: () => benchStart(values.quick ? 1 : 3),
  memory: () => benchRest(5),
  assets: () => benchAssets(values.quick ? 1 : 3),
  calls: () => benchCalls(values.quick ? 1 : 5, values.quick ? [] : [100_000, 1_000_000]),
};

const findings: Finding[] = [];
for (const [name, run] of Object.entries(suites)) {
  if (positionals.length > 0 && !positionals.some((word) => name.includes(word))) continue;
  process.stderr.write(`measuring ${name} …\n`);
  findings.push(...(await run()));
}

const place = {
  date: new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  cores,
  processor: cpus()[0]?.model.trim() ?? "unknown",
  pinned: isPinned,
};
const where = `${place.date}, Node ${place.node}, ${place.cores} cores (${place.processor}), ${isPinned ? "server and load generator each on a core of its own" : "no core pinned"}.`;
if (values.json) process.stdout.write(`${JSON.stringify({ ok: findings.every(isKept), place, findings })}\n`);
else process.stdout.write(`${where}\n\n${table(findings)}\n`);
if (values.write) writeBlock(`${where}\n\n${table(findings)}`);
const disturbed = findings.some(({ foreignCpu }) => (foreignCpu ?? 0) > 0.2);
if (disturbed)
  process.stderr.write("Others used more than a fifth of the machine meanwhile: measure again on a quiet one.\n");
process.exit(findings.every(isKept) ? 0 : 12);

function writeBlock(text: string): void {
  const file = join(root, "docs/BENCHMARKS.md");
  const whole = readFileSync(file, "utf8");
  const [begin, end] = ["<!-- bench:begin -->", "<!-- bench:end -->"];
  const [from, to] = [whole.indexOf(begin), whole.indexOf(end)];
  if (from === -1 || to < from) throw new Error("docs/BENCHMARKS.md has no block.");
  writeFileSync(file, `${whole.slice(0, from + begin.length)}\n${text}\n${whole.slice(to)}`);
}
