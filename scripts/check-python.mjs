// `npm run check:python`: mypy --strict over the Python client and its tests. mypy and httpx come from pip, once, into an environment
// in node_modules/.cache. Not part of `npm test`, because it needs the package index.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const venv = join(root, "node_modules/.cache/python-check");
const python = join(venv, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");

function run(program, words, cwd = root) {
  const { status, error } = spawnSync(program, words, { cwd, stdio: "inherit" });
  if (error) process.stderr.write(`${program}: ${error.message}\n`);
  return status === 0;
}

const isReady =
  existsSync(join(venv, "ready")) ||
  (run("python3", ["-m", "venv", venv]) &&
    run(python, ["-m", "pip", "install", "--quiet", "mypy", "httpx>=0.27,<1"]) &&
    run(python, ["-c", `open(${JSON.stringify(join(venv, "ready"))}, "w").close()`]));
if (!isReady) {
  process.stderr.write(
    "This needs python3 with venv (Debian: python3-venv) and a package index that has mypy and httpx.\n",
  );
  process.exit(1);
}
process.exitCode = run(python, ["-m", "mypy"], join(root, "packages/python")) ? 0 : 1;
