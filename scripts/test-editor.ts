// `npm run test:long -- editor`: the ecosystem's editor, unmodified, in Chromium on a server as it is shipped. Its wheel is fetched
// once into node_modules/.cache with pip; ATELIER_TEST_EDITOR_WHEEL names another. Without either, it says so and stops.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { editorPackage, newestTested } from "../packages/server/src/capabilities/editor/index.ts";

const cache = join(import.meta.dirname, "../node_modules/.cache/atelier-editor");
mkdirSync(cache, { recursive: true });

function cached(): string | null {
  const name = readdirSync(cache).find((file) => file.includes(`-${newestTested}-`) && file.endsWith(".whl"));
  return name === undefined ? null : join(cache, name);
}

function fetched(): string | null {
  const asked = ["--no-deps", "--only-binary=:all:", "--dest", cache, `${editorPackage}==${newestTested}`];
  spawnSync("python3", ["-m", "pip", "download", "--quiet", ...asked], { stdio: "inherit" });
  return cached();
}

const wheel = process.env["ATELIER_TEST_EDITOR_WHEEL"] ?? cached() ?? fetched();
if (wheel === null) {
  process.stdout.write(`Skipped: ${editorPackage} ${newestTested} could not be downloaded with pip.\n`);
  process.exit(0);
}
const ran = spawnSync(
  process.execPath,
  [join(import.meta.dirname, "test.mjs"), "test/editor/", ...process.argv.slice(2)],
  {
    stdio: "inherit",
    env: { ...process.env, ATELIER_TEST_LONG: "1", ATELIER_TEST_EDITOR_WHEEL: wheel },
  },
);
process.exit(ran.status ?? 1);
