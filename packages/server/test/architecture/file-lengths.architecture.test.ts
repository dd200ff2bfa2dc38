// No file has more than 400 lines, in any package, script or benchmark, tests included: a longer one has two subjects. The
// tables that tests share (test/support) are data, and may be longer.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { allSources, isTestFile, lineCount, planted, type Sources } from "./sources.ts";

const linesMax = 400;

const sources: Sources = new Map(
  [...allSources].filter(([path]) => !/^packages\/[^/]+\/test\//.test(path) || isTestFile(path)),
);

test("no file has more than 400 lines", () => {
  assert.deepEqual(longFiles(sources), []);
});

describe("a planted fault is found", () => {
  for (const path of [
    "packages/server/src/planted.ts",
    "packages/server/test/planted.db.test.ts",
    "packages/console/src/pages/planted.tsx",
    "bench/planted.ts",
  ])
    test(path, () => {
      assert.deepEqual(longFiles(planted(sources, [path, "step();\n".repeat(401)])), [`${path} has 401 lines`]);
      assert.deepEqual(longFiles(planted(sources, [path, "step();\n".repeat(400)])), []);
    });
});

function longFiles(all: Sources): string[] {
  return [...all].flatMap(([path, text]) => {
    const lines = lineCount(text);
    return lines > linesMax ? [`${path} has ${lines} lines`] : [];
  });
}
