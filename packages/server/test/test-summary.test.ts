// The end of `npm test`: a test that did not run must never look as if it had passed.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { passedAgain, type Stage, summarize, sumOf, type Tally } from "../../../scripts/test-summary.ts";

const tally = (over: Partial<Tally> = {}): Tally => ({
  passed: 2,
  failed: 0,
  skipped: 0,
  tests: [],
  failures: [],
  files: ["a.test.ts"],
  ...over,
});
const stage = (over: Partial<Stage> = {}): Stage => ({
  name: "pure tests",
  ok: true,
  seconds: 1.25,
  files: ["a.test.ts"],
  tally: tally(),
  ...over,
});
const checks: Stage = { name: "types and style", ok: true, seconds: 9, files: [] };

describe("the summary of npm test", () => {
  test("prints each stage's count beside its time, and their sum as the total", () => {
    const database = stage({
      name: "database tests",
      seconds: 616,
      cpuSeconds: 70.4,
      tally: tally({ passed: 3567, skipped: 4 }),
    });
    const { text, ok } = summarize([checks, stage(), database]);
    assert.match(text, /^ {2}ok {8}1\.3 s {17}2 passed {2}pure tests$/m);
    assert.match(text, /^ {2}ok {6}616\.0 s {4}70 s CPU {2}3567 passed {2}database tests: 4 skipped$/m);
    assert.match(text, /\n3569 passed, 0 failed, 4 skipped\n$/);
    assert.equal(ok, true);
  });

  test("names the parts that used most processor time, dearest first", () => {
    const parts = [
      { files: ["a.test.ts"], cpuSeconds: 2 },
      { files: ["b.test.ts", "c.test.ts", "d.test.ts"], cpuSeconds: 70.44 },
      { files: ["e.test.ts"], cpuSeconds: 1 },
    ];
    const { text } = summarize([checks, stage({ parts })], { filesShown: 2 });
    assert.ok(
      text.includes(
        "\nMost processor time:\n    70.4 s CPU  b.test.ts and 2 more\n     2.0 s CPU  a.test.ts\n\nStages:",
      ),
      text,
    );
    assert.equal(summarize([checks, stage()]).text.includes("Most processor time"), false);
  });

  test("names what failed first and passed alone, counts it once, and passes", () => {
    const failures = [{ name: "two is one", where: "a.test.ts:3", why: "2 !== 1" }];
    const first = tally({ passed: 1, failed: 1, failures, failedFiles: ["a.test.ts"] });
    const { text, ok } = summarize([checks, stage({ tally: passedAgain(first) })], { unsteady: failures });
    assert.match(text, /\nFailed first and passed alone\..*\n {2}✕ two is one\n {6}a\.test\.ts:3\n/);
    assert.match(text, /\n2 passed, 0 failed, 0 skipped, 1 unsteady\n$/);
    assert.equal(ok, true);
  });

  test("adds up what the parts of a stage counted", () => {
    const parts = [tally({ files: ["a.test.ts"] }), tally({ passed: 3, failed: 1, skipped: 2, files: ["b.test.ts"] })];
    const { passed, failed, skipped, files } = sumOf(parts) ?? tally();
    assert.deepEqual([passed, failed, skipped, files], [5, 1, 2, ["a.test.ts", "b.test.ts"]]);
    assert.equal(sumOf([]), undefined);
  });

  test("a file that never reported is a failure, by its path", () => {
    const { text, ok } = summarize([stage({ files: ["a.test.ts", "b.test.ts"] })]);
    assert.equal(ok, false);
    assert.match(text, /FAILED .*pure tests/);
    assert.match(text, /✕ pure tests: no test of this file reported\n {6}b\.test\.ts\n/);
    assert.match(text, /\n2 passed, 1 failed, 0 skipped\n$/);
  });

  test("a stage that ended before it counted is a failure, regardless of its exit code", () => {
    const { text, ok } = summarize([checks, stage({ tally: undefined }), stage({ name: "database tests" })]);
    assert.equal(ok, false);
    assert.match(text, /✕ pure tests\n {6}ended before it had counted any of its 1 files\n/);
    assert.match(text, /\n2 passed, 1 failed, 0 skipped\n$/);
  });

  test("a stage that failed without a failed test is named among the failures", () => {
    const { text, ok } = summarize([stage({ ok: false })]);
    assert.equal(ok, false);
    assert.match(text, /✕ pure tests\n {6}ended with an error although no test failed/);
  });

  test("leftovers in the tests' temporary folder are named by kind and number", () => {
    const leftBehind = ["atelier-app-Xy12zQ", "atelier-app-0aBcDe", "core"];
    const { text, ok } = summarize([stage()], { leftBehind });
    assert.equal(ok, true);
    assert.match(text, /\nLeft in the temporary folder: atelier-app \(2\), core\n\n2 passed, 0 failed/);
  });

  test("a failed test and a failed check fail the run, and no test at all does too", () => {
    const failures = [{ name: "two is one", where: "a.test.ts:3", why: "2 !== 1" }];
    const { text, ok } = summarize([stage({ ok: false, tally: tally({ failed: 1, failures }) })]);
    assert.equal(ok, false);
    // First and last, because often only a part of the output is seen.
    assert.match(text, /^\nFailed:\n {2}✕ two is one\n {6}a\.test\.ts:3\n {6}2 !== 1\n\nSlowest tests:/);
    assert.match(text, /Failed:\n {2}✕ two is one\n {6}a\.test\.ts:3\n {6}2 !== 1\n\n2 passed, 1 failed, 0 skipped\n$/);
    assert.equal(summarize([{ ...checks, ok: false }, stage()]).ok, false);
    assert.equal(summarize([checks]).ok, false);
  });
});
