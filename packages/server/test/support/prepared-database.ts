// The PostgreSQL folder that a first start makes, for servers that start in an empty home: initdb and the migrations take a
// second of processor time. It is made once per state of the migrations folder and copied, stopped and complete. The server
// still makes its first workspace and key itself. first-start.crash.test.ts begins with nothing.
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { migrate, readMigrations, startEmbeddedPostgres } from "../../src/foundation/database/index.ts";
import { migrationsDirectory } from "./test-database.ts";
import { carelessSettings, sharedFolder } from "./test-postgres-server.ts";

const run = promisify(execFile);
const prefix = "first-";
// Each is some 50 MB.
const keptMax = 3;

// Gives a home without a database a prepared one. A home that has one keeps it.
export async function prepareHome(home: string): Promise<void> {
  const target = join(home, "postgres");
  // No other system has a copy that preserves owners.
  if (process.platform === "win32" || existsSync(target)) return;
  const source = await preparedDatabase();
  await mkdir(home, { recursive: true, mode: 0o700 });
  await copyFolder(source, target);
}

let prepared: Promise<string> | undefined;

function preparedDatabase(): Promise<string> {
  prepared ??= findOrMake();
  return prepared;
}

async function findOrMake(): Promise<string> {
  const hash = createHash("sha256");
  for (const { number, sha256 } of await readMigrations(migrationsDirectory)) hash.update(`${number} ${sha256}\n`);
  const shared = await sharedFolder();
  const folder = join(shared, `${prefix}${hash.digest("hex").slice(0, 16)}`);
  if (existsSync(folder)) {
    const now = new Date();
    await utimes(folder, now, now).catch(() => undefined);
    return folder;
  }
  // Several processes may make it at once; the first to rename its own wins.
  const making = join(shared, `making-${randomBytes(6).toString("hex")}`);
  await mkdir(making, { recursive: true, mode: 0o700 });
  // PostgreSQL, which root runs as another user, must be able to reach its data.
  await chmod(making, 0o755);
  const dataDir = join(making, "postgres");
  const server = await startEmbeddedPostgres({ dataDir, settings: carelessSettings });
  await migrate({ connection: server.connection, directory: migrationsDirectory }).finally(() => server.stop());
  await rename(dataDir, folder).catch((thrown: unknown) => {
    if (!existsSync(folder)) throw thrown;
  });
  await rm(making, { recursive: true, force: true });
  await removeOld(shared);
  return folder;
}

async function removeOld(shared: string): Promise<void> {
  const found = (await readdir(shared)).filter((name) => name.startsWith(prefix)).map((name) => join(shared, name));
  const used = await Promise.all(
    found.map(async (path) => ({ path, at: (await stat(path).catch(() => null))?.mtimeMs ?? 0 })),
  );
  const old = used.toSorted((one, other) => other.at - one.at).slice(keptMax);
  for (const { path } of old) await rm(path, { recursive: true, force: true });
}

// Complete or not at all; a server removes what a killed copy left, like an abandoned first start.
async function copyFolder(source: string, target: string): Promise<void> {
  const making = `${target}.new-${randomBytes(6).toString("hex")}`;
  await run("cp", ["-a", source, making]);
  await rename(making, target).catch(async (thrown: unknown) => {
    await rm(making, { recursive: true, force: true });
    if (!existsSync(target)) throw thrown;
  });
}
