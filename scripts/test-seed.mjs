// Loaded before every test. Properties draw from one seed in `npm test`, so that a landing is decided by the change and not
// by the draw; new draws are searched by `npm run test:properties`, and by running a test file on its own. And the
// environment is a test's own, also where a file is run by hand.
import fc from "fast-check";
import { isPassed } from "./test-environment.mjs";

for (const name of Object.keys(process.env)) if (name !== "HOME" && !isPassed(name)) delete process.env[name];

const seed = process.env.ATELIER_TEST_SEED;
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
