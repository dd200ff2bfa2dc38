// Pure tests share one process, and Node runs a hook at the top of a file around every test of that process. A `beforeEach`
// that made a folder once made one for each of thousands of tests, and removing them all at the end outlasted the run.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { allSources, planted, type Sources } from "./sources.ts";

test("a pure test's beforeEach and afterEach belong to one of its describe blocks", () => {
  assert.deepEqual(sharedHooks(allSources), []);
});

describe("a planted fault is found", () => {
  test("a hook at the top of a pure test is found, but not in a file that has its own suite", () => {
    const text = "beforeEach(() => {});\ndescribe('x', () => {\n  afterEach(() => {});\n});\n";
    const names = ["packages/sdk/src/planted.test.ts", "packages/sdk/src/planted.db.test.ts"];
    const sources = planted(allSources, ...names.map((name) => [name, text] as const));
    assert.deepEqual(sharedHooks(sources), ["packages/sdk/src/planted.test.ts: beforeEach"]);
  });
});

function sharedHooks(sources: Sources): string[] {
  return [...sources]
    .filter(([path]) => path.endsWith(".test.ts") && !/\.(db|page|pack|crash)\.test\.ts$/.test(path))
    .flatMap(([path, text]) => [...text.matchAll(/^(?:beforeEach|afterEach)\b/gm)].map(([hook]) => `${path}: ${hook}`));
}
