// `npm run torture -- ledger`: kills, pauses and faults for minutes, then the judge.
//   npm run torture -- ledger --kills 300 --postgres-kills 20 --pauses 60 --minutes 12 --seed 7 --write
//   npm run torture -- ledger --plant no-fence      a planted bug, which must be found
//   npm run torture -- ledger --plants              all of them
//   npm run torture -- ledger --kills 1000 --postgres-kills 50 --pauses 200 --minutes 60 --parts 10 --state torture.json
//                                            in ten parts, each a separate run with the next seed. The file records what is
//                                            done: the same command continues after the last part and reports all of them.
// `--write` puts the figures into docs/BENCHMARKS.md.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Plant, plants } from "../packages/server/test/torture/planted-bugs.ts";
import { fullRun, plantedRun, type Strikes } from "../packages/server/test/torture/runs.ts";
import { type TortureReport, torture } from "../packages/server/test/torture/torture.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "300" },
    "postgres-kills": { type: "string", default: "20" },
    pauses: { type: "string", default: "60" },
    minutes: { type: "string", default: "12" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    plant: { type: "string" },
    plants: { type: "boolean", default: false },
    servers: { type: "string" },
    lanes: { type: "string" },
    write: { type: "boolean", default: false },
    parts: { type: "string", default: "1" },
    state: { type: "string" },
  },
});
const seed = Number(values.seed);
const page = join(import.meta.dirname, "../docs/BENCHMARKS.md");
const say = (line: string) => void process.stdout.write(`${line}\n`);

say(`seed ${seed}`);
if (values.plants) process.exitCode = await runPlants(plants);
else if (values.plant) process.exitCode = await runPlants(plants.filter((plant) => plant === values.plant));
else process.exitCode = await runWhole();

async function runWhole(): Promise<number> {
  const strikes: Strikes = {
    kills: Number(values.kills),
    postgresKills: Number(values["postgres-kills"]),
    pauses: Number(values.pauses),
    minutes: Number(values.minutes),
  };
  const report = await runParts(strikes, Number(values.parts));
  const figures = figuresOf(report);
  say(figures);
  printFindings(report);
  if (values.write) writeBlock("torture", `${commandOf(strikes)}\n\n${figures}`);
  return isClean(report) ? 0 : 1;
}

// Parts that ended stay ended, including what they found.
async function runParts(strikes: Strikes, parts: number): Promise<TortureReport> {
  const file = values.state;
  const saved: Saved =
    file !== undefined && existsSync(file)
      ? JSON.parse(readFileSync(file, "utf8"))
      : { seed, strikes, parts, done: [] };
  if (JSON.stringify([saved.strikes, saved.parts]) !== JSON.stringify([strikes, parts]))
    throw new Error(`${file} belongs to another run: ${JSON.stringify({ ...saved, done: saved.done.length })}.`);
  while (saved.done.length < parts) {
    const part = saved.done.length;
    if (parts > 1) say(`part ${part + 1} of ${parts}, seed ${saved.seed + part}`);
    const report = await torture(fullRun(saved.seed + part, shareOf(strikes, part, parts), say));
    saved.done.push(report);
    if (file !== undefined) writeFileSync(file, JSON.stringify(saved));
    if (parts > 1)
      say(
        `part ${part + 1} ended after ${report.seconds.toFixed(0)} s: ${report.violations.length} violations, ${report.troubles.length} troubles`,
      );
  }
  return saved.done.reduce(together);
}

interface Saved {
  // The seed of the first part.
  readonly seed: number;
  readonly strikes: Strikes;
  readonly parts: number;
  readonly done: TortureReport[];
}

// The last parts take the remainder: all together are what was asked for.
function shareOf(strikes: Strikes, part: number, parts: number): Strikes {
  const share = (all: number) => Math.floor((all * (part + 1)) / parts) - Math.floor((all * part) / parts);
  const { kills, postgresKills, pauses, minutes } = strikes;
  return { kills: share(kills), postgresKills: share(postgresKills), pauses: share(pauses), minutes: minutes / parts };
}

function together(one: TortureReport, other: TortureReport): TortureReport {
  const points: Record<string, number> = { ...one.strikes.points };
  for (const [point, times] of Object.entries(other.strikes.points)) points[point] = (points[point] ?? 0) + times;
  return {
    seed: one.seed,
    violations: [...one.violations, ...other.violations],
    troubles: [...one.troubles, ...other.troubles],
    strikes: {
      kills: one.strikes.kills + other.strikes.kills,
      pauses: one.strikes.pauses + other.strikes.pauses,
      postgresKills: one.strikes.postgresKills + other.strikes.postgresKills,
      providerKills: one.strikes.providerKills + other.strikes.providerKills,
      points,
    },
    keys: one.keys + other.keys,
    calls: one.calls + other.calls,
    takenOver: one.takenOver + other.takenOver,
    runs: one.runs + other.runs,
    charged: one.charged + other.charged,
    unknown: one.unknown + other.unknown,
    attempts: one.attempts + other.attempts,
    replayed: one.replayed + other.replayed,
    seconds: one.seconds + other.seconds,
  };
}

// Three seeds to find each bug with.
async function runPlants(some: readonly Plant[]): Promise<number> {
  if (some.length === 0) throw new Error(`Unknown plant. Plants: ${plants.join(", ")}.`);
  const rows: string[] = [];
  let missed = 0;
  for (const plant of some) {
    const row = await runPlant(plant);
    if (row.endsWith("missed |")) missed += 1;
    rows.push(row);
  }
  const table = ["| Planted bug | Found as | |", "|---|---|---|", ...rows].join("\n");
  say(`\n${table}`);
  if (values.write && some.length === plants.length) writeBlock("torture-plants", table);
  return missed === 0 ? 0 : 1;
}

async function runPlant(plant: Plant): Promise<string> {
  for (let round = 0; round < 3; round++) {
    const report = await torture(plantedRun(plant, seed + round));
    const kinds = new Map<string, number>();
    for (const { kind } of report.violations) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const found = [...kinds].map(([kind, count]) => `${kind} (${count})`).join(", ");
    say(`${plant}, seed ${report.seed}, ${report.seconds.toFixed(0)} s: ${found || "nothing found"}`);
    if (kinds.size > 0) return `| ${plant} | ${found} | caught |`;
  }
  return `| ${plant} | nothing | missed |`;
}

function isClean(report: TortureReport): boolean {
  return report.violations.length + report.troubles.length === 0;
}

function printFindings(report: TortureReport): void {
  for (const { kind, what } of report.violations.slice(0, 50)) say(`VIOLATION ${kind}: ${what}`);
  for (const trouble of report.troubles) say(`TROUBLE ${trouble}`);
  say(isClean(report) ? "no violation" : `${report.violations.length} violations, ${report.troubles.length} troubles`);
}

function commandOf(strikes: Strikes): string {
  const { kills, postgresKills, pauses, minutes } = strikes;
  const flags = `--kills ${kills} --postgres-kills ${postgresKills} --pauses ${pauses} --minutes ${minutes} --seed ${seed}${values.parts === "1" ? "" : ` --parts ${values.parts}`}`;
  return `\`npm run torture -- ${flags}\` on ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}:`;
}

function figuresOf(report: TortureReport): string {
  const { strikes } = report;
  const count = (...kinds: string[]) => report.violations.filter(({ kind }) => kinds.includes(kind)).length;
  const rows: [string, number | string][] = [
    ["Workers killed (`kill -9`)", strikes.kills],
    ["PostgreSQL killed (`kill -9`)", strikes.postgresKills],
    ["Workers paused beyond their lease (SIGSTOP)", strikes.pauses],
    ["Provider killed (`kill -9`)", strikes.providerKills],
    ["Calls begun", report.calls],
    ["Taken over from a dead or sleeping owner", report.takenOver],
    ["Runs at the provider", report.runs],
    ["Calls charged", report.charged],
    ["Ended unknown (not charged, one suspense line)", report.unknown],
    ["Answers that clients saw", report.attempts],
    ["Keys answered again afterwards", report.replayed],
    ["**Double runs**", count("ran twice", "ran without an intent")],
    [
      "**Charge errors**",
      count("ran, not charged", "charged, not run", "unknown without suspense", "unknown though it could be asked"),
    ],
    [
      "**Differing answers**",
      count("answers of one key differ", "an answer is not the recorded one", "an answer is not the provider's"),
    ],
    ["**Broken invariants, wallets, calls left open**", count("invariant", "wallet", "left open")],
    ["Other troubles", report.troubles.length],
    ["Seconds", report.seconds.toFixed(0)],
  ];
  const lines = rows.map(([name, value]) => `| ${name} | ${value} |`);
  const points = Object.entries(strikes.points)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([point, times]) => `${point} ${times}`);
  return ["| | |", "|---|---|", ...lines, "", `Strikes by point: ${points.join(", ")}.`].join("\n");
}

// Other parts of the page belong to other commands, so we only change the block, and create it if it is missing.
function writeBlock(name: string, text: string): void {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  let content = existsSync(page) ? readFileSync(page, "utf8") : "# Benchmarks\n";
  if (!content.includes(begin)) {
    const heading = /^## Torture$/m.test(content) ? "" : "\n## Torture\n";
    content = `${content.trimEnd()}\n${heading}\n${begin}\n${end}\n`;
  }
  const [from, to] = [content.indexOf(begin) + begin.length, content.indexOf(end)];
  writeFileSync(page, `${content.slice(0, from)}\n${text}\n${content.slice(to)}`);
  say(`wrote the block ${name} of docs/BENCHMARKS.md`);
}
