// Runs the TypeScript compiler with as little processor time as it needs, and returns whether it succeeded. On its own it checks
// with four checkers, each of which works out the types that all of them share, and it collects garbage at every doubling of a
// heap that ends with the process. For the whole tree that makes 32 s and 2.2 GB of what takes 18 s and 1.4 GB.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const compiler = join(dirname(fileURLToPath(import.meta.url)), "../node_modules/typescript/bin/tsc");

export function compile(args, options = { stdio: "inherit" }) {
  const env = { GOGC: "400", ...process.env };
  return spawnSync(process.execPath, [compiler, "--checkers", "1", ...args], { env, ...options }).status === 0;
}
