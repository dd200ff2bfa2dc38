// The promises of own-code.ts must hold in a process without the tests' flags, like the shipped command. We ask directly
// where a package is found: a checkout that was built once would hide a fault, since the built files are found too.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";

const ownCode = new URL("../src/own-code.ts", import.meta.url).href;
const entry = new URL("./support/report-sources.ts", import.meta.url).href;

interface SourceReport {
  readonly found: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

function reportFrom(start: string, given: Readonly<Record<string, string>> = {}): SourceReport {
  const program = `
    import { startProcess, startThread } from ${JSON.stringify(ownCode)};
    const started = ${start};
    started.once("message", (message) => {
      process.stdout.write(JSON.stringify(message));
      started.kill?.();
      started.terminate?.();
    });
    started.ref();`;
  return JSON.parse(runWith(program, given));
}

const ownCodeAlone = `import ${JSON.stringify(ownCode)};`;

function runWith(program: string, given: Readonly<Record<string, string>>): string {
  const words = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", program];
  const env = { PATH: process.env["PATH"] ?? "", A_SECRET: "of the parent", ...given };
  return execFileSync(process.execPath, words, { encoding: "utf8", env, timeout: 600_000 });
}

const starts = {
  thread: `startThread(new URL(${JSON.stringify(entry)}))`,
  process: `startProcess(new URL(${JSON.stringify(entry)}), { errorOutput: "inherit" })`,
};

for (const [kind, start] of Object.entries(starts)) {
  describe(`a ${kind} of our own code, started without the tests' flags`, () => {
    const report = reportFrom(start);

    test("finds the sources of every package", () => {
      assert.equal(report.found.length, 5);
      for (const folder of report.found) assert.match(folder, /\/src\/\w+\.ts$/);
    });

    test("sees nothing of its parent's environment", () => {
      assert.deepEqual(report.environment, {});
    });

    test("reads and keeps compiled code where its parent does, and still sees nothing else", (context) => {
      const folder = mkdtempSync(join(tmpdir(), "atelier-compiled-"));
      context.after(() => rmSync(folder, { recursive: true, force: true }));
      const { environment } = reportFrom(start, { NODE_COMPILE_CACHE: folder });
      assert.deepEqual(environment, { NODE_COMPILE_CACHE: folder });
      const kept = readdirSync(folder, { recursive: true }).length;
      runWith(ownCodeAlone, { NODE_COMPILE_CACHE: join(folder, "alone") });
      const keptAlone = readdirSync(join(folder, "alone"), { recursive: true }).length;
      assert.ok(kept > keptAlone, `${kept} files with it, ${keptAlone} without`);
    });
  });
}
