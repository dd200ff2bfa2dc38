// The folder with the database's files: created once, complete or not at all, and refused if another major version of
// PostgreSQL created it.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, chown, lchown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { systemClock } from "../../clock.ts";
import type { Binaries } from "./binaries.ts";
import { databaseEnvironment } from "./database-environment.ts";
import { canReach, type ServerUser } from "./server-user.ts";

export const superuser = "atelier";

export interface InitialiseOptions {
  readonly dataDir: string;
  readonly binaries: Binaries;
  readonly user: ServerUser;
  // For connections over TCP. The socket is protected by its folder's permissions.
  readonly password: string | undefined;
  readonly sync: boolean;
}

// How we point the server at its files. If our home is inside a closed folder of root, the server's user cannot traverse the
// path. But the folder can be its working directory at start, and PostgreSQL (from version 16 on) stays in it.
export interface DataLocation {
  readonly cwd: string;
  readonly argument: string;
}

export async function dataLocation(user: ServerUser, dataDir: string): Promise<DataLocation> {
  const hidden = process.platform === "linux" && !(await canReach(user, dirname(dataDir)));
  return { cwd: dataDir, argument: hidden ? "/proc/self/cwd" : dataDir };
}

export async function ensureDataDirectory(options: InitialiseOptions): Promise<void> {
  await sweepAbandoned(options.dataDir);
  await finishReplacement(options.dataDir);
  const version = await majorOf(options.dataDir);
  if (version === null) return initialise(options);
  if (version !== options.binaries.major) {
    throw new Error(
      `The database in ${options.dataDir} was made by PostgreSQL ${version}, this program brings PostgreSQL ${options.binaries.major}. Run: atelier upgrade --postgres`,
    );
  }
}

// Null if there is no database.
export async function majorOf(dataDir: string): Promise<string | null> {
  return (await readFile(join(dataDir, "PG_VERSION"), "utf8").catch(() => "")).trim() || null;
}

const readyName = (dataDir: string) => `${dataDir}.ready`;

// Puts a complete folder in the place of the present one, which stays as `kept`. If we are killed between the renames, the next
// start finds no folder, but one that is ready, and finishes.
export async function replaceDataDirectory(dataDir: string, next: string, kept: string): Promise<void> {
  await rename(next, readyName(dataDir));
  await rename(dataDir, kept);
  await rename(readyName(dataDir), dataDir);
}

async function finishReplacement(dataDir: string): Promise<void> {
  if ((await majorOf(dataDir)) !== null || (await majorOf(readyName(dataDir))) === null) return;
  await rename(readyName(dataDir), dataDir);
}

// What an interrupted replacement left while the present folder is still the old one.
export async function removeUnfinished(dataDir: string, next: string): Promise<void> {
  if ((await majorOf(dataDir)) === null) return;
  for (const left of [next, readyName(dataDir)]) await rm(left, { recursive: true, force: true });
}

// Two processes may both get here. Each creates its own folder, and the first to rename it wins.
async function initialise(options: InitialiseOptions): Promise<void> {
  const { dataDir, user } = options;
  await mkdir(dirname(dataDir), { recursive: true, mode: 0o700 });
  const making = `${dataDir}.new-${randomBytes(6).toString("hex")}`;
  await mkdir(making, { mode: 0o700 });
  try {
    await give(making, user.spawnInitdb);
    await runInitdb(options, await dataLocation(user, making));
    await giveAll(making, user.spawn);
    await rename(making, dataDir);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    if (!(await stat(join(dataDir, "PG_VERSION")).catch(() => undefined))) throw error;
  }
}

async function runInitdb(options: InitialiseOptions, location: DataLocation): Promise<void> {
  const password = await passwordFile(options);
  try {
    const flags = ["-D", location.argument, "-U", superuser, "-E", "UTF8", "--locale=C", "--no-instructions"];
    flags.push("--auth-local=trust", `--auth-host=${password ? "scram-sha-256" : "reject"}`);
    if (password) flags.push(`--pwfile=${password.path}`);
    if (!options.sync) flags.push("--no-sync");
    await run(options.binaries.initdb, flags, { cwd: location.cwd, ...options.user.spawnInitdb });
  } finally {
    if (password) await rm(password.folder, { recursive: true, force: true });
  }
}

async function passwordFile(options: InitialiseOptions): Promise<{ path: string; folder: string } | undefined> {
  if (options.password === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "atelier-init-"));
  const path = join(folder, "password");
  await writeFile(path, options.password, { mode: 0o600 });
  await give(path, options.user.spawnInitdb);
  await give(folder, options.user.spawnInitdb);
  return { path, folder };
}

function run(command: string, flags: string[], options: { cwd: string; uid?: number; gid?: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, flags, {
      ...options,
      env: databaseEnvironment,
      stdio: ["ignore", "ignore", "pipe"],
      windowsHide: true,
    });
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    child.once("error", (cause) => reject(new Error(`${basename(command)} could not be started.`, { cause })));
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${basename(command)} failed (${code}): ${said.trim()}`));
    });
  });
}

type Owner = ServerUser["spawn"];

async function give(path: string, owner: Owner): Promise<void> {
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(path, owner.uid, owner.gid);
}

async function giveAll(folder: string, owner: Owner): Promise<void> {
  if (owner.uid === undefined || owner.gid === undefined) return;
  for (const entry of await readdir(folder, { recursive: true }))
    await lchown(join(folder, entry), owner.uid, owner.gid);
  await give(folder, owner);
  await chmod(folder, 0o700);
}

// Removes what a process left behind when it was killed while creating the folder. We check at every start: a process that
// comes right after the kill cannot tell an abandoned folder from one in progress, and once a data folder exists no other is
// created.
async function sweepAbandoned(dataDir: string): Promise<void> {
  const parent = dirname(dataDir);
  for (const entry of await readdir(parent).catch(() => [])) {
    if (!entry.startsWith(`${basename(dataDir)}.new-`)) continue;
    const found = await stat(join(parent, entry)).catch(() => undefined);
    const minutesOld = found ? (systemClock.now().getTime() - found.mtimeMs) / 60_000 : 0;
    // Leftovers that cannot be removed must not prevent the start.
    if (minutesOld > 10) await rm(join(parent, entry), { recursive: true, force: true }).catch(() => undefined);
  }
}
