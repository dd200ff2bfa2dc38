// The promises of own-code.ts must hold in a process without the tests' flags, like the shipped command. We ask directly
// where a package is found: a checkout that was built once would hide a fault, since the built files are found too.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";

const ownCode = new URL("../src/own-code.ts", import.meta.url).href;
const entry = new URL("./support/tell-sources.ts", import.meta.url).href;

interface Told {
  readonly found: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

function toldBy(start: string): Told {
  const program = `
    import { startProcess, startThread } from ${JSON.stringify(ownCode)};
    const started = ${start};
    started.once("message", (told) => {
      process.stdout.write(JSON.stringify(told));
      started.kill?.();
      started.terminate?.();
    });
    started.ref();`;
  const words = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", program];
  const env = { PATH: process.env["PATH"] ?? "", A_SECRET: "of the parent" };
  return JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8", env, timeout: 60_000 }));
}

const starts = {
  thread: `startThread(new URL(${JSON.stringify(entry)}))`,
  process: `startProcess(new URL(${JSON.stringify(entry)}), { errorOutput: "inherit" })`,
};

for (const [kind, start] of Object.entries(starts)) {
  describe(`a ${kind} of our own code, started without the tests' flags`, () => {
    const told = toldBy(start);

    test("finds the sources of every package", () => {
      assert.equal(told.found.length, 5);
      for (const folder of told.found) assert.match(folder, /\/src\/\w+\.ts$/);
    });

    test("sees nothing of its parent's environment", () => {
      assert.equal(JSON.stringify(told.environment).includes("of the parent"), false);
    });
  });
}
