// Loaded before every test. Properties draw from one seed in `npm test`, so that a landing is decided by the change and not
// by the draw; new draws are searched by `npm run test:properties`, and by running a test file on its own. And the
// environment is a test's own, also where a file is run by hand.
import { isMainThread } from "node:worker_threads";
import fc from "fast-check";
import { isPassed } from "./test-environment.mjs";

for (const name of Object.keys(process.env)) if (name !== "HOME" && !isPassed(name)) delete process.env[name];

const seed = process.env.ATELIER_TEST_SEED;
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });

// Node waits for ever for a test file that leaves a server, a child or a timer behind, as a failed test easily does: when
// its last test and hook have ended it is given half a minute, and is then ended with what it left. Threads and children
// of a test load this file too, and have nothing to do with it.
const isTestFile = isMainThread && /\.test\.m?[jt]s$/.test(process.argv[1] ?? "");
if (isTestFile) {
  const { after } = await import("node:test");
  after(() => {
    setTimeout(() => {
      process.stderr.write(`Left running: ${process.getActiveResourcesInfo().join(" ")}\n`);
      process.exit(1);
    }, 30_000).unref();
  });
}
