// The folder of the built console. In a checkout it is built when it is missing or older than its sources, once, however
// many processes ask at the same time, packing among them; an installed package has no sources and is taken as it is. Where the
// checkout cannot be written, as under a service, it is built in a folder that the asker offers.
import { spawn } from "node:child_process";
import { createHash, type Hash } from "node:crypto";
import { existsSync } from "node:fs";
import { access, constants, mkdir, open, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface ConsoleBuild {
  // Holds index.html, manifest.json, and the files that they name.
  readonly folder: string;
}

export interface ConsoleOptions {
  // Made where it is needed; what is in it is ours.
  readonly spareFolder?: string;
}

const packageFolder = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "../" : "../../", import.meta.url));
const buildScript = join(packageFolder, "build.mjs");
// A builder shows that it lives; one that was killed leaves its lock behind.
const lockTouchMs = 5_000;
const lockStaleMs = 60_000;

// What is built from what; a change of any of it builds anew.
const sources = ["src", "index.html", "build.mjs", "package.json", "../sdk/src"];

interface Location {
  readonly folder: string;
  // Outside of dist: what is packed holds nothing of a build that still runs.
  readonly building: string;
}

const ownLocation: Location = { folder: join(packageFolder, "dist/app"), building: join(packageFolder, "building") };

const locationsOf = ({ spareFolder }: ConsoleOptions): readonly Location[] =>
  spareFolder === undefined
    ? [ownLocation]
    : [ownLocation, { folder: join(spareFolder, "app"), building: join(spareFolder, "building") }];

export async function ensureConsole(options: ConsoleOptions = {}): Promise<ConsoleBuild> {
  if (!existsSync(buildScript)) return { folder: ownLocation.folder };
  const stamp = await stampOf(sources);
  const locations = locationsOf(options);
  for (const location of locations) if (await isBuilt(location, stamp)) return { folder: location.folder };
  let refused: unknown;
  for (const location of locations) {
    try {
      await mkdir(location.building, { recursive: true, mode: location === ownLocation ? 0o777 : 0o700 });
      // One that a killed build left behind may be there and yet closed to us.
      await access(location.building, constants.W_OK | constants.X_OK);
    } catch (error) {
      refused ??= error;
      continue;
    }
    await buildOnce(location, stamp);
    return { folder: location.folder };
  }
  throw refused;
}

// Null: it is built. Else whether the next start can build it, and where, or why not. Makes nothing.
export async function consoleToBuild(
  options: ConsoleOptions = {},
): Promise<{ readonly folder: string } | { readonly reason: string } | null> {
  if (!existsSync(buildScript))
    return existsSync(ownLocation.folder) ? null : { reason: `${ownLocation.folder} is missing` };
  const stamp = await stampOf(sources);
  const locations = locationsOf(options);
  for (const location of locations) if (await isBuilt(location, stamp)) return null;
  if (!canBeResolved("vite"))
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

// Or could be made.
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

async function buildOnce(location: Location, stamp: string): Promise<void> {
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
      if (!(await isBuilt(location, stamp))) await build(location, stamp);
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

function build({ folder, building }: Location, stamp: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [buildScript, stamp, folder, building], {
      cwd: packageFolder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece: Buffer) => said.push(piece));
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`The console could not be built.\n${Buffer.concat(said).toString().slice(-4_000)}`));
    });
  });
}

async function stampOf(paths: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const path of paths) await addTo(hash, join(packageFolder, path));
  return hash.digest("hex");
}

async function addTo(hash: Hash, path: string): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => null);
  if (entries === null) {
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    hash.update(`${path.slice(packageFolder.length)}\0${bytes.length}\0`).update(bytes);
    return;
  }
  for (const { name } of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    if (!/\.test\.tsx?$/.test(name)) await addTo(hash, join(path, name));
  }
}
