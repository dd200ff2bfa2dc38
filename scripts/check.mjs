// Checks types and style of the whole tree; the console has the types of a browser,
// and its tests those of Node as well. All checks always run, so that one look
// shows everything. The type check is incremental, so a second run takes seconds.
import { spawnSync } from "node:child_process";
import { compile } from "./compile.mjs";

const typesOf = (project, name) =>
  compile([
    "-p",
    project,
    "--incremental",
    "--tsBuildInfoFile",
    `node_modules/.cache/atelier-types/${name}.tsbuildinfo`,
  ]);
const types = typesOf("tsconfig.json", "all");
const console = typesOf("packages/console/tsconfig.json", "console");
const consoleTests = typesOf("packages/console/tsconfig.test.json", "console-tests");
const biome = ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."];
const style = spawnSync(process.execPath, biome, { stdio: "inherit" }).status === 0;
process.exit(types && console && consoleTests && style ? 0 : 1);
