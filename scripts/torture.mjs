// `npm run torture -- <word> [options]`: kills, pauses and faults for one part of the server, then the judge. Without a word
// it is the ledger of model calls. Each script says its options at the top.
//   ledger router requests routes works jobs workers scale proxy partners migration fleet upgrade overload first-start blobs
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const [first = "ledger", ...others] = process.argv.slice(2);
const [word, options] = first.startsWith("-") ? ["ledger", [first, ...others]] : [first, others];

// Two tortures are tests with more repetitions.
const repeated = {
  "first-start": {
    test: "packages/server/test/first-start.crash.test.ts",
    env: { ATELIER_TEST_FIRST_STARTS: "20" },
  },
  blobs: {
    test: "packages/server/src/capabilities/blobs/keep-loop.crash.test.ts",
    env: { ATELIER_TEST_BLOB_KILLS: "500" },
  },
};

const again = repeated[word];
const script = join(import.meta.dirname, `torture-${word}.ts`);
if (again === undefined && !existsSync(script)) {
  process.stderr.write(`There is no torture test named ${word}. The first lines of scripts/torture.mjs list them.\n`);
  process.exit(2);
}
const run = again === undefined ? [script, ...options] : ["--test", again.test, ...options];
const { status } = spawnSync(process.execPath, ["--conditions=atelier-source", ...run], {
  stdio: "inherit",
  env: { ...again?.env, ...process.env },
});
process.exit(status ?? 1);
