// The Python that runs the application: its version, and the packages installed there. The interpreter lists them from
// their metadata; no package is imported, so none of their code runs.
import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { LockedPython } from "../lock/environment-lock.ts";

const script = `
import importlib.metadata, json, platform
found = {}
for each in importlib.metadata.distributions():
    name, version = each.metadata["Name"], each.version
    if name and version: found.setdefault(name, version)
print(json.dumps({"version": platform.python_version(), "packages": found}))
`;

const timeoutMs = 120_000;

export class PythonProblem extends Error {}

export interface Interpreter {
  readonly path: string;
  // Only what an interpreter needs to start is passed on.
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function readPython({ path: python, env: given }: Interpreter): Promise<LockedPython> {
  const { PATH, HOME, SYSTEMROOT, LD_LIBRARY_PATH } = given;
  const env = { PATH, HOME, SYSTEMROOT, LD_LIBRARY_PATH };
  const ran = await promisify(execFile)(python, ["-I", "-c", script], {
    timeout: timeoutMs,
    maxBuffer: 2 ** 24,
    env,
  }).catch((error: unknown) => {
    throw new PythonProblem(`${python} could not list its packages: ${lastLine(error)}`);
  });
  const said = readSaid(ran.stdout);
  if (said === null) throw new PythonProblem(`${python} did not list its packages as expected.`);
  return said;
}

// As package indexes compare names: Foo_Bar and foo-bar are one package.
const normalName = (name: string) => name.toLowerCase().replaceAll(/[-_.]+/g, "-");

function readSaid(text: string): LockedPython | null {
  const said: unknown = JSON.parse(text);
  if (typeof said !== "object" || said === null) return null;
  const [version, packages]: unknown[] = [Reflect.get(said, "version"), Reflect.get(said, "packages")];
  if (typeof version !== "string" || typeof packages !== "object" || packages === null) return null;
  const listed = Object.entries(packages)
    .filter((entry): entry is [string, string] => typeof entry[1] === "string")
    .map(([name, exact]): [string, string] => [normalName(name).slice(0, 200), exact.slice(0, 100)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return { version, packages: Object.fromEntries(listed) };
}

function lastLine(error: unknown): string {
  const { code, stderr } = typeof error === "object" && error !== null ? (error as Record<string, unknown>) : {};
  if (code === "ENOENT") return "there is no such program.";
  const last = String(stderr ?? "")
    .trim()
    .split("\n")
    .at(-1);
  return last || String(error);
}

const besideApplication = [
  [".venv", "bin", "python"],
  ["venv", "bin", "python"],
  [".venv", "Scripts", "python.exe"],
  ["venv", "Scripts", "python.exe"],
  ["..", "python_embeded", "python.exe"],
];

// The interpreter next to the application, where its installers put it; otherwise the machine's own.
export async function findPython(folder: string): Promise<string> {
  for (const words of besideApplication) {
    const path = join(folder, ...words);
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return "python3";
}
