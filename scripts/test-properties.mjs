// `npm run test:long -- properties 20 [words]`: runs the property tests that often, each time from a new seed. `npm test` uses one
// seed; this is how to find the rare counterexample. Stops at the first failure and says how to reproduce it.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(join(dirname(fileURLToPath(import.meta.url)), ".."));
const [rounds = "20", ...words] = process.argv.slice(2);
const files = globSync("packages/*/{src,test}/**/*.test.ts", { exclude: (path) => path.includes("node_modules") })
  .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
  .filter((path) => readFileSync(path, "utf8").includes('from "fast-check"'))
  .sort();

for (let round = 1; round <= Number(rounds); round++) {
  const seed = String(randomInt(2 ** 31));
  const { status } = spawnSync(process.execPath, ["scripts/test.mjs", ...files], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ATELIER_TEST_SEED: seed, ATELIER_TEST_INPUTS: "1000" },
  });
  process.stdout.write(
    `\nround ${round} of ${rounds}, ${files.length} files, seed ${seed}: ${status === 0 ? "ok" : "FAILED"}\n`,
  );
  if (status !== 0) {
    process.stdout.write(`repeat with: ATELIER_TEST_SEED=${seed} npm test -- <words of the file>\n`);
    process.exit(1);
  }
}
