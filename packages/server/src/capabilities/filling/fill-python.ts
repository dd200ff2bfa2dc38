// Installs the Python packages of a lock with the machine's own pip: exactly the locked versions, nothing resolved. Packages
// that the lock does not have are removed, but only in an interpreter that belongs to the application's folder.
import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { type Interpreter, type LockedPython, readPython } from "../environments/index.ts";
import { FillProblem } from "./fill-problem.ts";

export interface FillPythonRequest {
  readonly folder: string;
  readonly python: Interpreter;
  readonly locked: LockedPython;
  // A folder of wheels for a machine without a network. Null: pip asks its own index.
  readonly wheels: string | null;
}

export interface FilledPython {
  readonly installed: readonly string[];
  readonly removed: readonly string[];
}

const pipMs = 3_600_000;
// What installs packages is not installed by them.
const tools = new Set(["pip", "setuptools", "wheel"]);

export async function fillPython({ folder, python, locked, wheels }: FillPythonRequest): Promise<FilledPython> {
  const here = await readPython(python);
  const differs = (name: string) => here.packages[name] !== locked.packages[name];
  const wanted = Object.keys(locked.packages).filter(differs);
  const extra = Object.keys(here.packages).filter((name) => locked.packages[name] === undefined && !tools.has(name));
  if (wanted.length === 0 && extra.length === 0) return { installed: [], removed: [] };
  if (!resolve(python.path).startsWith(resolve(folder) + sep))
    throw new FillProblem(
      `${python.path} does not belong to the application, so its packages are left alone. Make one with: python3 -m venv ${join(folder, ".venv")}`,
    );
  if (here.version.split(".", 2).join(".") !== locked.version.split(".", 2).join("."))
    throw new FillProblem(`${python.path} is Python ${here.version}; the lock wants ${locked.version}.`);
  if (wanted.length > 0) {
    const constraints = join(folder, ".atelier-constraints.txt");
    await writeFile(
      constraints,
      wanted.map((name) => `${requireName(name)}==${requireVersion(locked.packages[name])}\n`).join(""),
    );
    const source = wheels === null ? [] : ["--no-index", "--find-links", resolve(wheels)];
    const how = ["install", "--no-deps", "--no-input", "--disable-pip-version-check", ...source, "-r", constraints];
    await pip(python, how).finally(() => rm(constraints, { force: true }));
  }
  if (extra.length > 0) await pip(python, ["uninstall", "--yes", ...extra.map(requireName)]);
  return { installed: wanted, removed: extra };
}

// Names come from a lock of another machine and become words of a command and lines of a file.
function requireName(name: string): string {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name))
    throw new FillProblem(`${JSON.stringify(name)} is not the name of a package.`);
  return name;
}

function requireVersion(version = ""): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9.+!_-]*$/.test(version))
    throw new FillProblem(`${JSON.stringify(version)} is not the version of a package.`);
  return version;
}

async function pip({ path, env }: Interpreter, words: readonly string[]): Promise<void> {
  await promisify(execFile)(path, ["-m", "pip", ...words], { timeout: pipMs, maxBuffer: 2 ** 26, env }).catch(
    (thrown: unknown) => {
      const said = typeof thrown === "object" && thrown !== null ? String(Reflect.get(thrown, "stderr") ?? "") : "";
      const lines = said
        .trim()
        .split("\n")
        .filter((line) => line.startsWith("ERROR"))
        .slice(-3);
      throw new FillProblem(
        `pip could not ${words[0]} the packages: ${lines.join(" ") || said.slice(-300) || String(thrown)}`,
      );
    },
  );
}
