// Loaded before every test. In `npm test` properties use one seed, so that the change decides about a landing and not the draw;
// `npm run test:long -- properties`, or running a test file alone, searches new draws. It also gives each test its own environment, even
// if a file is run by hand.
import hooks from "node:async_hooks";
import { registerHooks } from "node:module";
import { inspect } from "node:util";
import { isMainThread } from "node:worker_threads";
import fc from "fast-check";
import { isPassed } from "./test-environment.mjs";

for (const name of Object.keys(process.env)) if (name !== "HOME" && !isPassed(name)) delete process.env[name];

const seed = process.env.ATELIER_TEST_SEED;
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });

// A module that a module names by its full name is simply there. Node would look for links and package.json files on the way to
// each of two thousand files (packages/cli/bin/atelier.mjs does the same).
const packages = new URL("../packages/", import.meta.url).href;
registerHooks({
  resolve(specifier, context, next) {
    const parent = specifier.startsWith(".") ? context.parentURL : undefined;
    const isOwn = specifier.endsWith(".ts") && parent?.startsWith(packages);
    if (!isOwn && (parent === undefined || !specifier.endsWith(".mjs"))) return next(specifier, context);
    const format = isOwn ? "module-typescript" : "module";
    return { url: new URL(specifier, parent).href, format, shortCircuit: true };
  },
});

// Node waits forever for a test file that leaves a server, a child or a timer behind, as a failed test easily does. So after its
// last test and hook we give it half a minute, and then end it with what it left. Threads and children of a test load this file
// too, and are not affected.
const isTestFile = isMainThread && /\.test\.m?[jt]s$/.test(process.argv[1] ?? "");
if (isTestFile) {
  const { after } = await lightRunner();
  after(() => {
    setTimeout(() => {
      process.stderr.write(`Left running: ${process.getActiveResourcesInfo().join(" ")}\n`);
      process.exit(1);
    }, 30_000).unref();
  });
}

// The runner follows every promise with async hooks. It needs that to know in which suite a test is declared, which ends before
// the first test begins; and to fail the test in which an error was not caught, which a promise pays for with twenty times its
// processor time. So from the first test on, such an error ends the process. The reporter names the tests that were running.
async function lightRunner() {
  // Many files in one process, which must not end for one of them.
  if (process.env.NODE_TEST_CONTEXT === undefined) return import("node:test");
  const { createHook } = hooks;
  let following;
  hooks.createHook = (callbacks) => {
    following = createHook(callbacks);
    return following;
  };
  const runner = await import("node:test");
  hooks.createHook = createHook;
  // `before` would run at once.
  runner.beforeEach(() => {
    if (following === undefined) return;
    following.disable();
    following = undefined;
    for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, endWith);
  });
  return runner;
}

function endWith(error) {
  process.stderr.write(`Nobody caught this: ${inspect(error)}\n`);
  process.exit(1);
}
