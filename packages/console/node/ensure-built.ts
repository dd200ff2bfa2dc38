// Builds something from the sources of a checkout if it is missing or out of date: once, however many processes ask at the same
// time, packing included. An installed package has no sources and is used as it is. If the checkout cannot be written, as under
// a service, we build in a folder that the caller offers.
import { spawn } from "node:child_process";
import { createHash, type Hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { access, constants, mkdir, open, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Location {
  // Where the result goes, with a file `stamp`.
  readonly folder: string;
  // Holds the lock and unfinished work. Outside of dist, so that a package never contains part of a running build.
  readonly building: string;
}

export interface Built {
  // The name in error messages.
  readonly name: string;
  // Called with the stamp, the folder and where to build; absent in an installed package.
  readonly script: string;
  // A package that the script needs.
  readonly tool: string;
  // The sources; changing any of them triggers a rebuild.
  readonly sources: readonly string[];
  // What else decides the result; another one triggers a rebuild too.
  readonly variant?: string;
  // The package's own location first, then those the caller offers.
  readonly locations: readonly [Location, ...Location[]];
}

export const packageFolder = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../" : "../../", import.meta.url),
);
// A builder touches its lock to show it is alive; a killed one leaves its lock behind.
const lockTouchMs = 5_000;
const lockStaleMs = 60_000;

export async function ensureBuilt(built: Built): Promise<{ readonly folder: string }> {
  const [own] = built.locations;
  if (!existsSync(built.script)) return { folder: own.folder };
  const stamp = await stampOf(built);
  for (const location of built.locations) if (await isBuilt(location, stamp)) return { folder: location.folder };
  let refused: unknown;
  for (const location of built.locations) {
    try {
      await mkdir(location.building, { recursive: true, mode: location === own ? 0o777 : 0o700 });
      // A killed build may have left a folder that we cannot write to.
      await access(location.building, constants.W_OK | constants.X_OK);
    } catch (error) {
      refused ??= error;
      continue;
    }
    await buildOnce(built, location, stamp);
    return { folder: location.folder };
  }
  throw refused;
}

// Null if it is built. Otherwise where the next start would build it, or why it cannot. Creates nothing.
export async function toBuild(built: Built): Promise<{ readonly folder: string } | { readonly reason: string } | null> {
  const { locations } = built;
  const [own] = locations;
  if (!existsSync(built.script)) return existsSync(own.folder) ? null : { reason: `${own.folder} is missing` };
  const stamp = await stampOf(built);
  for (const location of locations) if (await isBuilt(location, stamp)) return null;
  if (!canBeResolved(built.tool))
    return { reason: "the tools that build it are not installed (npm ci --omit=dev leaves them out)" };
  for (const location of locations) if (await isWritable(location.building)) return { folder: location.folder };
  return { reason: `neither ${locations.map(({ folder }) => folder).join(" nor ")} can be written` };
}

function canBeResolved(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

// Whether the folder is writable or could be created.
async function isWritable(folder: string): Promise<boolean> {
  for (let path = folder; ; path = dirname(path)) {
    if (existsSync(path))
      return access(path, constants.W_OK | constants.X_OK).then(
        () => true,
        () => false,
      );
    if (path === dirname(path)) return false;
  }
}

async function buildOnce(built: Built, location: Location, stamp: string): Promise<void> {
  const lockFile = join(location.building, "lock");
  while (!(await isBuilt(location, stamp))) {
    await mkdir(location.building, { recursive: true });
    const lock = await open(lockFile, "wx").catch(() => null);
    if (lock === null) {
      await waitForOther(lockFile);
      continue;
    }
    const alive = setInterval(() => void utimes(lockFile, new Date(), new Date()).catch(() => {}), lockTouchMs);
    try {
      if (!(await isBuilt(location, stamp))) await build(built, location, stamp);
    } finally {
      clearInterval(alive);
      await lock.close();
      await rm(location.building, { recursive: true, force: true });
    }
  }
}

async function isBuilt({ folder }: Location, stamp: string): Promise<boolean> {
  return (await readFile(join(folder, "stamp"), "utf8").catch(() => "")) === stamp;
}

async function waitForOther(lockFile: string): Promise<void> {
  const found = await stat(lockFile).catch(() => null);
  if (found !== null && Date.now() - found.mtimeMs > lockStaleMs) await rm(lockFile, { force: true });
  await new Promise((resolve) => setTimeout(resolve, 200));
}

function build({ name, script }: Built, { folder, building }: Location, stamp: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, stamp, folder, building], {
      cwd: packageFolder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece: Buffer) => said.push(piece));
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${name} could not be built.\n${Buffer.concat(said).toString().slice(-4_000)}`));
    });
  });
}

async function stampOf({ sources, variant = "" }: Built): Promise<string> {
  const hash = createHash("sha256").update(`${variant}\0`);
  for (const path of sources) {
    const full = join(packageFolder, path);
    const found = await stat(full).catch(() => null);
    if (found?.isDirectory()) await addFolder(hash, full);
    else addFile(hash, full);
  }
  return hash.digest("hex");
}

// Every start of a server reads all sources, so a folder's files are read without promises: those took three times the
// processor time for eight hundred small files. Between two folders others have their turn.
async function addFolder(hash: Hash, path: string): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true });
  const folders: string[] = [];
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    if (/\.test\.tsx?$|^__pycache__$/.test(entry.name)) continue;
    if (entry.isDirectory()) folders.push(join(path, entry.name));
    else addFile(hash, join(path, entry.name));
  }
  for (const folder of folders) await addFolder(hash, folder);
}

function addFile(hash: Hash, path: string): void {
  let bytes: Buffer = Buffer.alloc(0);
  try {
    bytes = readFileSync(path);
  } catch {}
  hash.update(`${path.slice(packageFolder.length)}\0${bytes.length}\0`).update(bytes);
}
