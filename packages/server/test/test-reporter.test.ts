// What `npm test` says about a failure: enough to find it without files that are gone afterwards.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Tally } from "../../../scripts/test-summary.ts";

const reporter = join(import.meta.dirname, "../../../scripts/test-reporter.mjs");
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "atelier-reporter-"));
});
after(() => rm(folder, { recursive: true, force: true }));

// Through a file that loads the reporter, as scripts/test.mjs does.
async function reported(
  code: string,
  words: readonly string[] = [],
): Promise<{ said: string } & Pick<Tally, "passed" | "failures" | "files" | "failedFiles">> {
  const [own, loader, tally] = ["guarantee.crash.test.mjs", "048.crash.test.mjs", "tally.json"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await rm(tally, { force: true });
  await writeFile(own, `import assert from "node:assert/strict";\nimport { test } from "node:test";\n${code}`);
  const url = JSON.stringify(pathToFileURL(own).href);
  await writeFile(
    loader,
    `import { describe } from "node:test";\ndescribe("guarantee.crash.test.mjs", async () => { await import(${url}); });\n`,
  );
  const { stdout } = spawnSync(process.execPath, ["--test", ...words, `--test-reporter=${reporter}`, loader], {
    cwd: folder,
    encoding: "utf8",
    timeout: 600_000,
    env: { PATH: process.env["PATH"] ?? "", ATELIER_TEST_TALLY: tally },
  });
  return { said: stdout, ...JSON.parse(await readFile(tally, "utf8")) };
}

test("a failed test is reported with its name, its own file and line, and what was asserted where", async () => {
  const { said, failures, failedFiles } = await reported('test("two is one", () => {\n  assert.equal(2, 1);\n});\n');
  assert.deepEqual(failedFiles, ["guarantee.crash.test.mjs"]);
  const why = "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 2 !== 1";
  assert.deepEqual(failures, [{ name: "two is one", where: "guarantee.crash.test.mjs:3", why }]);
  assert.match(
    said,
    /✕ two is one\n {2}guarantee\.crash\.test\.mjs:3\n[\s\S]*2 !== 1[\s\S]*guarantee\.crash\.test\.mjs:4:/,
  );
});

test("a file whose process was killed is reported by its own path, with the running test and its last output", async () => {
  const { said, failures, failedFiles } = await reported(
    'test("well", () => {});\ntest("is cut off", async () => {\n  process.stderr.write("it was here\\n");\n  await new Promise((resolve) => setTimeout(resolve, 300));\n  process.kill(process.pid, "SIGKILL");\n});\n',
  );
  const [failure] = failures;
  assert.deepEqual(failedFiles, ["guarantee.crash.test.mjs"]);
  assert.deepEqual([failure?.name, failure?.where], ["guarantee.crash.test.mjs", "guarantee.crash.test.mjs"]);
  assert.match(failure?.why ?? "", /^Its process was killed \(SIGKILL\) before its tests had ended\./);
  assert.match(said, /✕ guarantee\.crash\.test\.mjs\n/);
  assert.match(
    said,
    /was killed \(SIGKILL\)[\s\S]*Running tests:\s+is cut off {2}\(guarantee\.crash\.test\.mjs:4\)[\s\S]*it was here/,
  );
  assert.doesNotMatch(said, /048/);
});

test("an error that nobody catches fails the run, with where it was thrown and the running test", async () => {
  const seed = `--import=${pathToFileURL(join(import.meta.dirname, "../../../scripts/test-seed.mjs")).href}`;
  for (const fault of ['setImmediate(() => { throw new Error("a stray") })', 'Promise.reject(new Error("a stray"))']) {
    const code = `test("well", () => {});\ntest("is not caught", async () => {\n  void ${fault};\n  await new Promise((resolve) => setTimeout(resolve, 600_000));\n});\n`;
    const { said, passed, failures } = await reported(code, [seed]);
    assert.deepEqual([passed, failures.length, failures[0]?.where], [1, 1, "guarantee.crash.test.mjs"]);
    assert.match(
      said,
      /exit code 1[\s\S]*Running tests:\s+is not caught[\s\S]*Nobody caught this: Error: a stray\s+at .*guarantee\.crash\.test\.mjs:5/,
    );
  }
});

test("hooks and tests stay in the suite that declares them, also behind an await", async () => {
  const seed = `--import=${pathToFileURL(join(import.meta.dirname, "../../../scripts/test-seed.mjs")).href}`;
  const code = `import { after, before, describe } from "node:test";
const order = [];
describe("a", async () => { await null; before(() => order.push("a")); test("in a", () => assert.deepEqual(order, ["a"])); after(() => order.push("a ends")); });
describe("b", async () => { await null; before(() => order.push("b")); test("in b", () => assert.deepEqual(order, ["a", "a ends", "b"])); });
test("then", async (context) => { context.after(() => order.push("own")); await context.test("sub", () => {}); assert.deepEqual(order, ["a", "a ends", "b"]); });
test("last", () => assert.equal(order.at(-1), "own"));
`;
  const { passed, failures } = await reported(code, [seed]);
  assert.deepEqual([passed, failures], [5, []]);
});

test("what tests write is printed only where one of them failed", async () => {
  const writes = 'test("writes", () => {\n  process.stdout.write("noise\\n");\n});\n';
  assert.equal((await reported(writes)).said, "");
  const { said } = await reported(`${writes}test("fails", () => {\n  assert.fail("oh");\n});\n`);
  assert.match(said, /✕ fails\n[\s\S]*Last output of guarantee\.crash\.test\.mjs:\n {4}noise\n/);
});

test("a file that cannot be loaded is reported by its own path, with the reason", async () => {
  const { said, failures } = await reported('throw new Error("not to be loaded");\n');
  assert.equal(failures[0]?.where, "guarantee.crash.test.mjs");
  assert.match(said, /not to be loaded/);
});

test("a file counts as run when one of its tests reported, and not when it has none", async () => {
  const run = await reported('test("well", () => {});\ntest("left out", { skip: true }, () => {});\n');
  assert.deepEqual([run.passed, run.files], [1, ["guarantee.crash.test.mjs"]]);
  assert.deepEqual((await reported("assert.ok(test);\n")).files, []);
});

test("the counts so far are kept when the run itself is stopped midway", async () => {
  const [own, tally] = [join(folder, "ended.test.mjs"), join(folder, "ended.json")];
  await writeFile(
    own,
    'import { test } from "node:test";\ntest("well", () => {});\ntest("ends all", async () => {\n  await new Promise((resolve) => setTimeout(resolve, 100));\n  process.exit(1);\n});\n',
  );
  const args = ["--test", "--test-isolation=none", `--test-reporter=${reporter}`, own];
  const env = { PATH: process.env["PATH"] ?? "", ATELIER_TEST_TALLY: tally };
  assert.equal(spawnSync(process.execPath, args, { cwd: folder, timeout: 600_000, env }).status, 1);
  const { passed, files } = JSON.parse(await readFile(tally, "utf8")) as Tally;
  assert.deepEqual([passed, files], [1, ["ended.test.mjs"]]);
});
