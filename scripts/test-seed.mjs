// Loaded before every test. In `npm test` properties use one seed, so that the change decides about a landing and not the draw;
// `npm run test:long -- properties`, or running a test file alone, searches new draws. It also gives each test its own environment, even
// if a file is run by hand.
import { isMainThread } from "node:worker_threads";
import fc from "fast-check";
import { isPassed } from "./test-environment.mjs";

for (const name of Object.keys(process.env)) if (name !== "HOME" && !isPassed(name)) delete process.env[name];

const seed = process.env.ATELIER_TEST_SEED;
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });

// Node waits forever for a test file that leaves a server, a child or a timer behind, as a failed test easily does. So after its
// last test and hook we give it half a minute, and then end it with what it left. Threads and children of a test load this file
// too, and are not affected.
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
