// `npm test`: everything that decides whether a change may land, in about a quarter of an hour on two cores. A stage that
// fails does not hide the next ones. Give words to run only the test files whose path holds one of them:
//   npm test -- badge cursor
import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { testEnvironment } from "./test-environment.mjs";
import { runPool } from "./test-pool.ts";
import { passedAgain, summarize, sumOf } from "./test-summary.ts";
import { secondsOf } from "./test-times.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);
const words = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), "atelier-test-"));
// Tests have their own home and temporary folder, which are removed with the run. What a test leaves in the temporary folder is
// listed at the end. PostgreSQL, which root runs as another user, must be able to reach its data.
const temporary = join(scratch, "t");
mkdirSync(temporary);
chmodSync(scratch, 0o755);
chmodSync(temporary, 0o1777);
const given = {
  ...testEnvironment(process.env),
  HOME: mkdtempSync(join(scratch, "home-")),
  TMPDIR: temporary,
  // The shared PostgreSQL outlives a run.
  ATELIER_TEST_TMPDIR_GIVEN: process.env.TMPDIR ?? "",
};
const postgres15 = "/usr/lib/postgresql/15/bin";
const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
);

const all = globSync("packages/*/{src,test}/**/*.test.ts", {
  exclude: (path) => path.includes("node_modules"),
})
  .sort()
  // Long tests have their own command (`npm run test:long -- console`).
  .filter((path) => process.env.ATELIER_TEST_LONG === "1" || !path.includes(".long."));
const kindOf = (path) => /\.(db|page|pack|crash)\.test\.ts$/.exec(path)?.[1] ?? "pure";
const isInFleet = process.env.ATELIER_TEST_FLEET !== undefined;
const wanted = all
  .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
  // Without an app there is no fleet.
  .filter((path) => !isInFleet || kindOf(path) === "db");
const filesOf = (kind) => wanted.filter((path) => kindOf(path) === kind);

// What ends up in the summary, in this order. The parts of all stages run in one pool, so a stage's time is that from its first
// part's start to its last part's end.
const stages = [];
const parts = [];
function stage(name, files, jobs, again) {
  if (jobs.length === 0) return;
  const made = { name, files, seconds: 0, cpuSeconds: 0, parts: [], again };
  stages.push(made);
  let [from, left] = [undefined, jobs.length];
  for (const { seconds, paths = [], run } of jobs) {
    const whole = async () => {
      from ??= performance.now();
      const { said, ...ended } = await counted(run);
      made.seconds = (performance.now() - from) / 1000;
      made.cpuSeconds += ended.cpuSeconds;
      made.parts.push({ files: paths, ...ended });
      left -= 1;
      // Printed when a part ends, so that concurrent parts do not interleave.
      if (said.trim() !== "") process.stdout.write(`\n── ${name}\n${said}`);
      if (left === 0)
        process.stdout.write(`\n── ${name}\n   ${isOk(made) ? "ok" : "FAILED"} in ${made.seconds.toFixed(1)} s\n`);
    };
    parts.push({ seconds, run: whole });
  }
}
const isOk = ({ parts }) => parts.every(({ ok }) => ok);

let tallies = 0;
async function counted(run) {
  const tallyFile = join(scratch, `tally-${tallies++}.json`);
  const ended = await run({ ATELIER_TEST_TALLY: tallyFile });
  return { ...ended, tally: existsSync(tallyFile) ? JSON.parse(readFileSync(tallyFile, "utf8")) : undefined };
}

// A file that failed beside many others may have failed because of them: a machine that stands still for seconds. A few such
// files are run once more, each alone. The summary names those that pass then: they are unsteady and must be mended.
const againMax = 3;
async function runAgain() {
  const failing = stages.flatMap(({ again, parts }) => parts.filter(({ ok }) => !ok).map((part) => ({ again, part })));
  const filesOf = ({ tally }) => tally?.failedFiles ?? [];
  const isFew = failing.flatMap(({ part }) => filesOf(part)).length <= againMax;
  if (!isFew || failing.some(({ again, part }) => again === undefined || filesOf(part).length === 0)) return [];
  const unsteady = [];
  for (const { again, part } of failing) {
    let ok = true;
    for (const path of filesOf(part)) {
      process.stdout.write(`\n── again, alone: ${path}\n`);
      const ended = await counted(again(path));
      ok &&= ended.ok && ended.tally?.passed > 0;
      process.stdout.write(ended.ok ? "   ok\n" : ended.said);
    }
    if (!ok) continue;
    unsteady.push(...part.tally.failures);
    Object.assign(part, { ok, tally: passedAgain(part.tally) });
  }
  return unsteady;
}

// Each database test is a process that loads the whole server. Node caches what it compiled, by content, which halves the
// loading time.
const compiled = join(root, "node_modules/.cache/atelier-compiled");

const node = (args, env = {}) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        NODE_COMPILE_CACHE: compiled,
        ATELIER_TEST_SEED: "20261115",
        ...given,
        ...env,
      },
    });
    const said = [];
    let cpuSeconds = 0;
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => said.push(piece));
    child.once("exit", () => {
      cpuSeconds = endedCpuSeconds();
    });
    child.once("close", (code) => resolve({ ok: code === 0, said: Buffer.concat(said).toString(), cpuSeconds }));
  });

// The processor time of the child that has just ended, with all its children: Linux adds it to its parent's. 0 elsewhere.
let countedTicks = 0;
function endedCpuSeconds() {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1).split(" ");
    const ticks = Number(fields[13]) + Number(fields[14]);
    const seconds = (ticks - countedTicks) / 100;
    countedTicks = ticks;
    return seconds;
  } catch {
    return 0;
  }
}

// A stage of test files. A part is what one process of Node's test runner gets: the files, or what loads them.
function tests(name, files, parts, { isolation = "process", env = {}, under = [] } = {}) {
  const run = (loaded) => {
    const args = [
      ...under,
      "--conditions=atelier-source",
      "--disable-warning=ExperimentalWarning",
      "--import=./scripts/test-seed.mjs",
      "--test",
      `--test-isolation=${isolation}`,
      ...(isolation === "process" ? ["--test-concurrency=2"] : []),
      // For each test and each hook. A slow machine that does other work needs minutes for some, so this is only for what hangs.
      "--test-timeout=600000",
      "--test-reporter=./scripts/test-reporter.mjs",
      "--test-reporter-destination=stdout",
      ...loaded,
    ];
    return (tally) => node(args, { ...tally, ...env });
  };
  const jobs = parts.map(({ loaded, seconds, paths }) => ({ seconds, paths, run: run(loaded) }));
  // What fails without waiting for anything fails again.
  const again = isolation === "process" ? (path) => run(loader([path]).loaded) : undefined;
  stage(`${name} (${files.length} files)`, files, jobs, again);
}

// Several files share a process, each as a separate suite with its own hooks: they are loaded by one file.
let written = 0;
function loader(paths) {
  const turn = String(written++).padStart(3, "0");
  const file = join(scratch, `${turn}.${kindOf(paths[0])}.test.mjs`);
  const suites = paths.map((path) => {
    const [name, url] = [path, pathToFileURL(join(root, path)).href].map((text) => JSON.stringify(text));
    return `describe(${name}, { timeout: 3_600_000 }, async () => { await import(${url}); });`;
  });
  writeFileSync(file, `import { describe } from "node:test";\n${suites.join("\n")}\n`);
  return { loaded: [file], paths, seconds: paths.reduce((sum, path) => sum + secondsOf(path), 0) };
}
const oneByOne = (files) => files.map((path) => loader([path]));
const together = (loaders) => ({
  loaded: loaders.flatMap(({ loaded }) => loaded),
  paths: loaders.flatMap(({ paths }) => paths),
  seconds: loaders.reduce((sum, { seconds }) => sum + seconds, 0) / 2,
});

// Loading the server takes a second in every process. A file that inspects or changes the process itself runs alone.
const ownProcess = /process\.(env\[[^\]]+\] ?=|on\(|chdir|memoryUsage)|getActiveResourcesInfo/;
function batched(files, filesPerProcess) {
  if (files.length <= filesPerProcess) return oneByOne(files);
  const alone = files.filter((path) => ownProcess.test(readFileSync(path, "utf8")));
  const shared = files.filter((path) => !alone.includes(path));
  // The next longest goes to the shortest batch, so that all take about the same time.
  const batches = Array.from({ length: Math.ceil(shared.length / filesPerProcess) }, () => ({ paths: [], seconds: 0 }));
  for (const path of shared.toSorted((one, other) => secondsOf(other) - secondsOf(one))) {
    const [least] = batches.toSorted((one, other) => one.seconds - other.seconds);
    least.paths.push(path);
    least.seconds += secondsOf(path);
  }
  return [...oneByOne(alone), ...batches.map(({ paths }) => loader(paths))];
}

function pure() {
  const files = filesOf("pure");
  // Few files are quick, all of them are the second longest part.
  if (files.length > 0)
    tests("pure tests in one process", files, [{ loaded: files, paths: files, seconds: files.length / 2 }], {
      isolation: "none",
    });
}
function older() {
  const stores = filesOf("db").filter((path) => path.endsWith("-store.db.test.ts"));
  if (!existsSync(postgres15)) {
    process.stdout.write("\n── stores on PostgreSQL 15: not installed, skipped\n");
    return;
  }
  // One PostgreSQL for all of them.
  const under = ["--conditions=atelier-source", "scripts/test-on-postgres15.ts"];
  if (stores.length > 0) tests("stores again on PostgreSQL 15", stores, [together(batched(stores, 5))], { under });
}
// A few files of `npm run test:long -- fleet`, in which every app is three gateways that take turns.
const inFleet = ["v2-contract-cloud.db", "members-and-keys.db", "fleet-uploads.db"];
function fleet() {
  if (words.length > 0 || isInFleet) return;
  const files = filesOf("db").filter((path) => inFleet.some((word) => path.includes(word)));
  tests("through three gateways that take turns", files, oneByOne(files), { env: { ATELIER_TEST_FLEET: "3" } });
}
function pages() {
  if (chromium)
    tests("pages in Chromium", filesOf("page"), oneByOne(filesOf("page")), {
      env: { ATELIER_TEST_CHROMIUM: chromium },
    });
  else process.stdout.write("\n── pages: Chromium is not installed, skipped\n");
}

if (words.length === 0) stage("types and style", [], [{ seconds: 60, run: (env) => node(["scripts/check.mjs"], env) }]);
pure();
tests("packed packages and command line", filesOf("pack"), oneByOne(filesOf("pack")));
fleet();
tests("one crash smoke", filesOf("crash"), oneByOne(filesOf("crash")));
pages();
tests("database and HTTP tests", filesOf("db"), batched(filesOf("db"), 18));
older();

const holder = wanted.some((path) => kindOf(path) !== "pure")
  ? spawn(process.execPath, ["--conditions=atelier-source", "scripts/hold-test-postgres.ts"], {
      stdio: ["pipe", "pipe", "inherit"],
      env: given,
    })
  : undefined;
const released = holder && new Promise((resolve) => holder.once("close", resolve));
let heldCpu = "";
holder?.stdout.setEncoding("utf8").on("data", (text) => {
  heldCpu += text;
});
const heldFrom = performance.now();
// Three times the gateways are three times the connections to PostgreSQL.
await runPool(parts, isInFleet ? { most: 2 } : {});
const unsteady = await runAgain();
holder?.stdin.end();
await released;
// It belongs to no part: its connections are processes of its own.
if (Number(heldCpu) > 0) {
  const seconds = (performance.now() - heldFrom) / 1000;
  stages.push({
    name: "PostgreSQL of all tests",
    files: [],
    seconds,
    cpuSeconds: Number(heldCpu),
    parts: [],
  });
}

const { text, ok } = summarize(
  stages.map((each) => ({
    ...each,
    ok: isOk(each),
    tally: sumOf(each.parts.flatMap(({ tally }) => (tally === undefined ? [] : [tally]))),
  })),
  {
    unsteady,
    leftBehind: readdirSync(temporary),
    filesShown: Number(process.env.ATELIER_TEST_FILES_SHOWN ?? 10),
  },
);
rmSync(scratch, { recursive: true, force: true });
process.stdout.write(text);
process.exit(ok ? 0 : 1);
