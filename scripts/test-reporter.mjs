// Collects what node:test says: failures are printed at once, with their file and stack; the rest is counted.
// The totals and the slowest tests go to the file named by ATELIER_TEST_TALLY, one JSON object per line.

import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { inspect } from "node:util";

export async function* report(source) {
  const tally = { passed: 0, failed: 0, skipped: 0, tests: [] };
  for await (const { type, data } of source) {
    if (type === "test:stdout" || type === "test:stderr") yield data.message;
    if (type !== "test:pass" && type !== "test:fail") continue;
    // A file or a describe block is not a test; its own failure (a hook, a syntax error) still counts.
    const isGroup = data.details?.type === "suite" || (data.details?.type === "test" && data.name === data.file);
    const cause = data.details?.error?.cause ?? data.details?.error;
    const isChildrensFault = data.details?.error?.failureType === "subtestsFailed";
    if (type === "test:pass") {
      if (isGroup) continue;
      if (data.skip !== undefined) tally.skipped += 1;
      else tally.passed += 1;
    } else {
      if (isChildrensFault) continue;
      tally.failed += 1;
      const where = data.file ? `${relative(process.cwd(), data.file)}:${data.line ?? 0}` : "";
      yield `\n✕ ${data.name}\n  ${where}\n${indent(wordsOf(cause))}\n`;
    }
    const ms = data.details?.duration_ms ?? 0;
    if (!isGroup && ms > 300)
      tally.tests.push({
        name: data.name,
        file: data.file ? relative(process.cwd(), data.file) : "",
        ms: Math.round(ms),
      });
  }
  if (process.env.ATELIER_TEST_TALLY) appendFileSync(process.env.ATELIER_TEST_TALLY, `${JSON.stringify(tally)}\n`);
}

// What is thrown may be anything, also what has no words.
const saidOf = (error) => (typeof error?.stack === "string" ? error.stack : inspect(error ?? "failed", { depth: 2 }));

// A property test's error names the counterexample; what really went wrong is its cause.
const wordsOf = (error) => `${saidOf(error)}${error?.cause ? `\nCaused by: ${wordsOf(error.cause)}` : ""}`;

const indent = (text) => text.replace(/^/gm, "    ");

// node:test takes the default export of a reporter module.
export { report as default };
