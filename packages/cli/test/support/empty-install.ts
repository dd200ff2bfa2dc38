// Packs the published packages and installs them into an empty folder, without a network. Tarballs are unpacked where npm
// would put them. Third-party packages are linked from the checkout, but only those that the packed package.json names,
// so a dependency that a package uses without declaring is missing here.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { programMsMax } from "../../../server/test/support/limits.ts";
import { checkout, ownEnvironment } from "./command-line.ts";

export interface Packed {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  // Paths inside the package.
  readonly files: readonly string[];
  readonly manifest: Readonly<Record<string, unknown>>;
}

// Every package that has something to build. The others only reserve a name, and are private.
export const published = readdirSync(join(checkout, "packages")).filter((name) =>
  existsSync(join(checkout, "packages", name, "tsconfig.build.json")),
);

export function build(): void {
  execFileSync(process.execPath, [join(checkout, "scripts/build.mjs")], { stdio: "pipe", timeout: programMsMax });
}

// Packs as `npm run pack` does; the build has just run.
export function pack(name: string, target: string): Packed {
  const words = [join(checkout, "scripts/pack.mjs"), name, "--as-built", "--json", "--to", target];
  const said = execFileSync(process.execPath, words, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: programMsMax,
    env: { ...ownEnvironment, npm_config_cache: join(target, "npm-cache") },
  });
  const [report]: { file: string; files: string[] }[] = JSON.parse(said);
  if (!report) throw new Error(said);
  return {
    name,
    file: report.file,
    bytes: statSync(report.file).size,
    files: report.files,
    manifest: JSON.parse(readFileSync(join(checkout, "packages", name, "package.json"), "utf8")),
  };
}

export function install(packages: readonly Packed[], folder: string): void {
  const modules = join(folder, "node_modules");
  for (const { name, file, manifest } of packages) {
    const folder = join(modules, "@atelier", name);
    mkdirSync(folder, { recursive: true });
    execFileSync("tar", ["-xzf", file, "-C", folder, "--strip-components=1"], { timeout: programMsMax });
    for (const each of namesOf(manifest, "dependencies", "optionalDependencies")) link(each, modules);
    for (const [command, path] of Object.entries(manifest["bin"] ?? {})) {
      mkdirSync(join(modules, ".bin"), { recursive: true });
      symlinkSync(join("../@atelier", name, String(path)), join(modules, ".bin", command));
    }
  }
}

function namesOf(manifest: Packed["manifest"], ...kinds: string[]): string[] {
  return kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {})).filter((name) => !name.startsWith("@atelier/"));
}

function link(name: string, modules: string): void {
  const own = join(modules, name);
  const theirs = join(checkout, "node_modules", name);
  // Optional packages for other platforms are not installed.
  if (existsSync(own) || !existsSync(theirs)) return;
  mkdirSync(dirname(own), { recursive: true });
  symlinkSync(theirs, own);
}
