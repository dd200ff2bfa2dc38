// An empty database for one restore, which is dropped afterwards: on the same PostgreSQL if we may create databases there, else
// on an embedded one of its own in a temporary folder.
import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type ConnectionSettings,
  errorCode,
  onDatabase,
  startEmbeddedPostgres,
  withConnection,
} from "../../foundation/database/index.ts";
import type { Log } from "../../foundation/log.ts";
import { makeFolder } from "../../foundation/make-folder.ts";
import { createScratch, dropScratch, listScratch, scratchPrefix } from "./scratch-store.ts";

export interface ScratchDeps {
  readonly connection: string | ConnectionSettings;
  // For the embedded PostgreSQL, if one is needed.
  readonly folder: string;
  readonly log: Log;
}

const applicationName = "atelier-verify";

export async function withScratch<T>(
  deps: ScratchDeps,
  run: (connection: string | ConnectionSettings) => Promise<T>,
): Promise<T> {
  const name = await createHere(deps);
  if (name === null) return withOwnServer(deps, run);
  try {
    return await run(onDatabase(deps.connection, name));
  } finally {
    const gone = withConnection({ connection: deps.connection, applicationName }, (db) => dropScratch(db, name));
    await gone.catch((err: unknown) =>
      deps.log.warn({ database: name, err }, "a scratch database could not be dropped"),
    );
  }
}

// Null if we may not.
async function createHere({ connection, log }: ScratchDeps): Promise<string | null> {
  return withConnection({ connection, applicationName }, async (db) => {
    const prefix = await scratchPrefix(db);
    for (const left of await listScratch(db, prefix)) await dropScratch(db, left);
    const name = `${prefix}${randomBytes(4).toString("hex")}`;
    try {
      await createScratch(db, name);
      return name;
    } catch (error) {
      if (errorCode(error) !== notAllowed) throw error;
      log.info({}, "this role may not create databases, so the backup is verified in an embedded PostgreSQL");
      return null;
    }
  });
}

const notAllowed = "42501";
const folderPrefix = ".verify-";
// It lives for minutes, and a crash costs nothing.
const careless = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

async function withOwnServer<T>(
  { folder, log }: ScratchDeps,
  run: (connection: ConnectionSettings) => Promise<T>,
): Promise<T> {
  await makeFolder(folder);
  const site = join(folder, `${folderPrefix}${randomBytes(4).toString("hex")}`);
  await makeFolder(site);
  try {
    const server = await startEmbeddedPostgres({ dataDir: join(site, "postgres"), log, settings: careless });
    try {
      return await run(server.connection);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(site, { recursive: true, force: true });
  }
}

// Folders of servers that were killed with their process. Only for the holder of the lock.
export async function removeScratchFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder).catch(() => []))
    if (entry.startsWith(folderPrefix)) await rm(join(folder, entry), { recursive: true, force: true });
}
