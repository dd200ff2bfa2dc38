// `npm test`: everything that decides whether a change may land, under 10 minutes on two cores. A stage that fails does not hide
// the next ones. Give words to run only the test files whose path holds one of them:
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
import { summarize } from "./test-summary.ts";
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

const stages = [];
// A stage's output is printed when it ends, so that concurrent stages do not interleave.
async function stage(name, run, files = []) {
  const started = performance.now();
  const tallyFile = join(scratch, `tally-${name.replaceAll(/\W+/g, "-")}.json`);
  const { ok, said } = await run({ ATELIER_TEST_TALLY: tallyFile });
  const seconds = (performance.now() - started) / 1000;
  const tally = existsSync(tallyFile) ? JSON.parse(readFileSync(tallyFile, "utf8")) : undefined;
  stages.push({ name, ok, seconds, files, tally });
  process.stdout.write(`\n── ${name}\n${said}   ${ok ? "ok" : "FAILED"} in ${seconds.toFixed(1)} s\n`);
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
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => said.push(piece));
    child.once("close", (code) => resolve({ ok: code === 0, said: Buffer.concat(said).toString() }));
  });

// A stage of test files; `loaded` is what Node gets to load them, by default the files themselves.
async function tests(name, files, { loaded = files, isolation = "process", concurrency = 1, env = {}, under = [] }) {
  if (files.length === 0) return;
  const args = [
    ...under,
    "--conditions=atelier-source",
    "--disable-warning=ExperimentalWarning",
    "--import=./scripts/test-seed.mjs",
    "--test",
    `--test-isolation=${isolation}`,
    ...(isolation === "process" ? [`--test-concurrency=${concurrency}`] : []),
    "--test-timeout=300000",
    "--test-reporter=./scripts/test-reporter.mjs",
    "--test-reporter-destination=stdout",
    ...loaded,
  ];
  await stage(`${name} (${files.length} files)`, (tally) => node(args, { ...tally, ...env }), files);
}

// Node starts test files in the order of their names. We want long ones to start first, so that no process works alone at the
// end: each file, or several that share a process, is loaded by a file whose name gives its turn.
let written = 0;
function loader(paths) {
  const turn = String(written++).padStart(3, "0");
  const file = join(scratch, `${turn}.${kindOf(paths[0])}.test.mjs`);
  const suites = paths.map((path) => {
    const [name, url] = [path, pathToFileURL(join(root, path)).href].map((text) => JSON.stringify(text));
    return `describe(${name}, { timeout: 1_200_000 }, async () => { await import(${url}); });`;
  });
  writeFileSync(file, `import { describe } from "node:test";\n${suites.join("\n")}\n`);
  return file;
}
const longestFirst = (files) => files.toSorted((one, other) => secondsOf(other) - secondsOf(one));
const oneByOne = (files) => longestFirst(files).map((path) => loader([path]));

// Loading the server takes a second in every process, so several files share one, each as a separate suite with its own hooks. A
// file that inspects or changes the process itself runs alone.
const ownProcess = /process\.(env\[[^\]]+\] ?=|on\(|chdir|memoryUsage)|getActiveResourcesInfo/;
function batched(files, filesPerProcess) {
  if (files.length <= filesPerProcess) return oneByOne(files);
  const alone = files.filter((path) => ownProcess.test(readFileSync(path, "utf8")));
  const shared = files.filter((path) => !alone.includes(path));
  // The next longest goes to the shortest batch, so that all take about the same time.
  const batches = Array.from({ length: Math.ceil(shared.length / filesPerProcess) }, () => ({ paths: [], seconds: 0 }));
  for (const path of longestFirst(shared)) {
    const [least] = batches.toSorted((one, other) => one.seconds - other.seconds);
    least.paths.push(path);
    least.seconds += secondsOf(path);
  }
  return [...alone.map((path) => ({ paths: [path], seconds: secondsOf(path) })), ...batches]
    .toSorted((one, other) => other.seconds - one.seconds)
    .map(({ paths }) => loader(paths));
}

const pure = () => tests("pure tests in one process", filesOf("pure"), { isolation: "none" });
const database = () =>
  tests("database and HTTP tests", filesOf("db"), {
    loaded: batched(filesOf("db"), 8),
    // Three times the gateways are three times the connections to PostgreSQL.
    concurrency: isInFleet ? 2 : 3,
  });
async function older() {
  if (!existsSync(postgres15)) {
    process.stdout.write("\n── stores on PostgreSQL 15: not installed here, left out\n");
    return;
  }
  const stores = filesOf("db").filter((path) => path.endsWith("-store.db.test.ts"));
  await tests("stores again on PostgreSQL 15", stores, {
    loaded: batched(stores, 5),
    concurrency: 2,
    under: ["--conditions=atelier-source", "scripts/test-on-postgres15.ts"],
  });
}
// A few files of `npm run test:long -- fleet`, in which every app is three gateways that take turns.
const inFleet = ["v2-contract-cloud.db", "members-and-keys.db", "fleet-uploads.db"];
async function fleet() {
  if (words.length > 0 || isInFleet) return;
  const files = filesOf("db").filter((path) => inFleet.some((word) => path.includes(word)));
  await tests("through three gateways that take turns", files, {
    loaded: oneByOne(files),
    env: { ATELIER_TEST_FLEET: "3" },
  });
}
const crash = () => tests("one crash smoke", filesOf("crash"), { loaded: oneByOne(filesOf("crash")), concurrency: 3 });
const packed = () =>
  tests("packed packages and command line", filesOf("pack"), { loaded: oneByOne(filesOf("pack")), concurrency: 2 });
async function pages() {
  if (!chromium) {
    process.stdout.write("\n── pages: no Chromium here, left out\n");
    return;
  }
  await tests("pages in Chromium", filesOf("page"), {
    loaded: oneByOne(filesOf("page")),
    env: { ATELIER_TEST_CHROMIUM: chromium },
  });
}

// Two cores, two lanes of about the same length: in one up to three processes share what the other leaves, which waits a lot
// (for leases, npm, a browser). The pure tests, one process, come first: at the end several share what is left.
const working = async () => {
  await pure();
  await database();
};
const waiting = async () => {
  if (words.length === 0) await stage("types and style", (env) => node(["scripts/check.mjs"], env));
  await packed();
  await fleet();
  await crash();
  await pages();
  await older();
};
const holder = wanted.some((path) => kindOf(path) !== "pure")
  ? spawn(process.execPath, ["--conditions=atelier-source", "scripts/hold-test-postgres.ts"], {
      stdio: ["pipe", "ignore", "inherit"],
      env: given,
    })
  : undefined;
const released = holder && new Promise((resolve) => holder.once("close", resolve));
await Promise.all([working(), waiting()]);
holder?.stdin.end();
await released;

const { text, ok } = summarize(stages, {
  leftBehind: readdirSync(temporary),
  filesShown: Number(process.env.ATELIER_TEST_FILES_SHOWN ?? 10),
});
rmSync(scratch, { recursive: true, force: true });
process.stdout.write(text);
process.exit(ok ? 0 : 1);
