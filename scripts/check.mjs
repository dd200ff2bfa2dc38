// Types and style of the whole tree; the console has the types of a browser. All always run, so that one look shows everything.
import { spawnSync } from "node:child_process";

const run = (command, args) => spawnSync(process.execPath, [command, ...args], { stdio: "inherit" }).status === 0;
const types = run("node_modules/typescript/bin/tsc", ["-p", "tsconfig.json"]);
const console = run("node_modules/typescript/bin/tsc", ["-p", "packages/console/tsconfig.json"]);
const style = run("node_modules/@biomejs/biome/bin/biome", ["check", "--error-on-warnings", "."]);
process.exit(types && console && style ? 0 : 1);
