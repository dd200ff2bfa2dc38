// A time limit ends a test that hangs. One that a slow machine can reach fails a change that is right: a build once had four
// minutes and a page of commands ten, which was enough until the machine did other work as well.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { allSources, planted, type Sources } from "./sources.ts";

const leastMs = 600_000;

test("no test gives up in less than ten minutes, and neither do the programs it runs", () => {
  assert.deepEqual(shortLimits(allSources), []);
});

describe("a planted fault is found", () => {
  test("a limit of five minutes is found, one of fifteen is not, nor one in a file that npm test leaves out", () => {
    const text = 'test("x", { timeout: 300_000 }, f);\nspawnSync("y", { timeout: 900_000 });\n';
    const names = ["packages/sdk/src/planted.db.test.ts", "packages/sdk/src/planted.long.db.test.ts"];
    const sources = planted(allSources, ...names.map((name) => [name, text] as const));
    assert.deepEqual(shortLimits(sources), ["packages/sdk/src/planted.db.test.ts: timeout: 300_000"]);
  });
});

function shortLimits(sources: Sources): string[] {
  return [...sources]
    .filter(([path]) => path.endsWith(".test.ts") && !path.includes(".long.") && !path.includes("/architecture/"))
    .flatMap(([path, text]) =>
      [...text.matchAll(/\btimeout: ([\d_]+)/g)]
        .filter(([, ms = ""]) => Number(ms.replaceAll("_", "")) < leastMs)
        .map(([found]) => `${path}: ${found}`),
    );
}
