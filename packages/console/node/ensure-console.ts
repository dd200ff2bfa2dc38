// The folder of the built console. In a checkout it is built when it is missing or older than its sources, once, however
// many processes ask at the same time, packing among them; an installed package has no sources and is taken as it is.
import { spawn } from "node:child_process";
import { createHash, type Hash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface ConsoleBuild {
  // Holds index.html, manifest.json, and the files that they name.
  readonly folder: string;
}

const packageFolder = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "../" : "../../", import.meta.url));
const folder = join(packageFolder, "dist/app");
const stampFile = join(folder, "stamp");
// Outside of dist: what is packed holds nothing of a build that still runs.
const buildingFolder = join(packageFolder, "building");
const lockFile = join(buildingFolder, "lock");
const buildScript = join(packageFolder, "build.mjs");
// A builder shows that it lives; one that was killed leaves its lock behind.
const lockTouchMs = 5_000;
const lockStaleMs = 60_000;

// What is built from what; a change of any of it builds anew.
const sources = ["src", "index.html", "build.mjs", "package.json", "../sdk/src"];

export async function ensureConsole(): Promise<ConsoleBuild> {
  if (!existsSync(buildScript)) return { folder };
  const stamp = await stampOf(sources);
  while (!(await isBuilt(stamp))) {
    await mkdir(buildingFolder, { recursive: true });
    const lock = await open(lockFile, "wx").catch(() => null);
    if (lock === null) {
      await waitForOther();
      continue;
    }
    const alive = setInterval(() => void utimes(lockFile, new Date(), new Date()).catch(() => {}), lockTouchMs);
    try {
      if (!(await isBuilt(stamp))) await build(stamp);
    } finally {
      clearInterval(alive);
      await lock.close();
      await rm(buildingFolder, { recursive: true, force: true });
    }
  }
  return { folder };
}

async function isBuilt(stamp: string): Promise<boolean> {
  return (await readFile(stampFile, "utf8").catch(() => "")) === stamp;
}

async function waitForOther(): Promise<void> {
  const found = await stat(lockFile).catch(() => null);
  if (found !== null && Date.now() - found.mtimeMs > lockStaleMs) await rm(lockFile, { force: true });
  await new Promise((resolve) => setTimeout(resolve, 200));
}

function build(stamp: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [buildScript, stamp], {
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
