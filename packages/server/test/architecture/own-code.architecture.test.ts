// Threads and processes that run our own code are started in one place, which knows what to pass so that they find our
// sources. If that is forgotten, it only shows where the server runs as it is shipped.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { codeWithoutComments, isTestFile, packageSources, planted, type Sources } from "./sources.ts";

const starters: readonly string[] = [
  "packages/engine/src/own-code.ts",
  // The command itself, before any of our code is loaded.
  "packages/cli/bin/atelier.mjs",
  // Starts a script of the checkout, never a file of a package.
  "packages/cli/src/bench-command.ts",
  // Starts the same command again, which finds the sources as it did the first time.
  "packages/server/src/processes/further-processes.ts",
  // Starts the build of the checkout, as the command line starts the bench.
  "packages/console/node/ensure-built.ts",
];

// Browser workers, whose files the console's build names.
const inBrowsers = "packages/console/src/";

describe("threads and processes that run our code start in one place", () => {
  test("in every package", () => {
    assert.ok(packageSources.has("packages/engine/src/own-code.ts"));
    assert.deepEqual(startedElsewhere(packageSources), []);
  });

  for (const text of ["new Worker(entry, {});", "fork(file, []);", "spawn(process.execPath, [file]);"]) {
    test(`${text} elsewhere is found`, () => {
      assert.deepEqual(startedElsewhere(planted(packageSources, ["packages/sandbox/src/planted.ts", text])), [
        "packages/sandbox/src/planted.ts starts a thread or process of our own code by itself",
      ]);
    });
  }
});

// These start a process and are also responsible for its readiness, its memory and its end.
const supervisors: readonly string[] = [
  "packages/engine/src/own-code.ts",
  "packages/engine/src/supervised-child.ts",
  // A separate server that reports its address; it runs no foreign input.
  "packages/sandbox/src/spawn-child.ts",
];

describe("child processes are supervised in one place", () => {
  test("in every package", () => {
    assert.deepEqual(unsupervised(packageSources), []);
  });

  test("startProcess elsewhere is found", () => {
    const text = 'const child = startProcess(entry, { errorOutput: "pipe" });';
    assert.deepEqual(unsupervised(planted(packageSources, ["packages/server/src/foundation/planted.ts", text])), [
      "packages/server/src/foundation/planted.ts starts a process that nobody supervises",
    ]);
  });
});

function unsupervised(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) =>
    !isTestFile(path) && !supervisors.includes(path) && /\bstartProcess\(/.test(codeWithoutComments(text))
      ? [`${path} starts a process that nobody supervises`]
      : [],
  );
}

function startedElsewhere(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    if (isTestFile(path) || starters.includes(path) || path.startsWith(inBrowsers)) return [];
    const isStart = /\bnew Worker\(|\bfork\(|\bprocess\.execPath\b|\bnew SharedWorker\(|\bcluster\b/.test(
      codeWithoutComments(text),
    );
    return isStart ? [`${path} starts a thread or process of our own code by itself`] : [];
  });
}
