// Loaded before every test of `npm test`: properties draw from one seed, so that a landing is decided by the change and not
// by the draw. New draws are searched by `npm run test:properties`, and by running a test file on its own.
import fc from "fast-check";

const seed = process.env.ATELIER_TEST_SEED;
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
