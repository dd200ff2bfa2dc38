// The bundled PostgreSQL. Several of our processes can share one: the first starts it, later ones attach, and the last one out
// stops it. We use no lock of our own that a kill -9 could leave behind. If two processes start it, PostgreSQL's lock on the
// data folder decides. If two create that folder, the first to rename a finished one into place wins. PostgreSQL counts the
// remaining users by their open connections. If the server outlived all of us, we attach to it; if it died, the first process
// to notice starts it again.
import { mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { systemClock } from "../clock.ts";
import { type Log, silentLog } from "../log.ts";
import type { ConnectionSettings } from "./connection.ts";
import { socketAccess, tcpAccess } from "./embedded/access.ts";
import { type Binaries, binariesIn, prepareBinaries } from "./embedded/binaries.ts";
import { type Held, holdServer, type ServerSite } from "./embedded/hold-server.ts";
import { ensureDatabase } from "./embedded/holders-store.ts";
import { stopServer } from "./embedded/server-process.ts";
import { serverUser } from "./embedded/server-user.ts";
import { queryableOn } from "./wire-query.ts";

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log?: Log;
  readonly database?: string;
  // Extends or overrides the settings the server is started with. A process that attaches takes the server as it is.
  readonly settings?: Readonly<Record<string, string>>;
  // A unix socket in a folder closed to other users; on platforms without them (Windows), TCP on loopback with a password.
  readonly transport?: "socket" | "tcp";
  // Use this PostgreSQL instead of the one from npm.
  readonly binaries?: Binaries;
}

export interface EmbeddedPostgres {
  // Stays the same across restarts of the server.
  readonly connection: ConnectionSettings;
  readonly attached: boolean;
  // Detaches from the server, and stops it if no other process uses it.
  stop(): Promise<void>;
}

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? silentLog;
  const site = await openSite(options, log);
  const first = await holdServer(site);
  await ensureDatabase(queryableOn(first.holder.client, false), first.connection.database);
  const supervision = supervise(site, first, log);
  log.info({ dataDir: site.dataDir, attached: first.attached }, "the embedded database is ready");
  let stopped: Promise<void> | undefined;
  return {
    connection: first.connection,
    attached: first.attached,
    stop() {
      stopped ??= supervision.end().then((held) => leave(site, held, log));
      return stopped;
    },
  };
}

async function openSite(options: EmbeddedPostgresOptions, log: Log): Promise<ServerSite> {
  const wanted = resolve(options.dataDir);
  await mkdir(dirname(wanted), { recursive: true, mode: 0o700 });
  // Resolve links so that one folder has one name: the socket's folder is named after it.
  const dataDir = join(await realpath(dirname(wanted)), basename(wanted));
  const user = serverUser();
  const database = options.database ?? "atelier";
  const transport = options.transport ?? (process.platform === "win32" ? "tcp" : "socket");
  const access = { dataDir, database, user };
  return {
    dataDir,
    logFile: `${dataDir}.log`,
    user,
    access: transport === "tcp" ? await tcpAccess(access) : socketAccess(access),
    binaries: options.binaries ?? (await prepareBinaries(user, dataDir)),
    settings: options.settings ?? {},
    log,
  };
}

interface Supervision {
  // Stops watching and returns what is held. Undefined if the server is down at the moment.
  end(): Promise<Held | undefined>;
}

const pauseMsMin = 50;
const pauseMsMax = 5_000;

function supervise(site: ServerSite, first: Held, log: Log): Supervision {
  const ending = new AbortController();
  let held: Held | undefined = first;

  async function watch(): Promise<void> {
    let pauseMs = pauseMsMin;
    while (!ending.signal.aborted) {
      if (held) {
        held.holder.rest();
        await Promise.race([held.holder.lost, aborted(ending.signal)]);
        if (ending.signal.aborted) return;
        held = undefined;
        log.warn({ dataDir: site.dataDir }, "the embedded database stopped; restarting it");
      }
      try {
        held = await holdServer(site, first.connection);
        pauseMs = pauseMsMin;
        log.info({ dataDir: site.dataDir, attached: held.attached }, "the embedded database is running again");
      } catch (error) {
        log.error({ err: error }, "the embedded database could not be restarted");
        await systemClock.sleep(pauseMs, ending.signal);
        pauseMs = Math.min(pauseMs * 2, pauseMsMax);
      }
    }
  }

  const watching = watch();
  return {
    async end() {
      ending.abort();
      await watching;
      return held;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

async function leave(site: ServerSite, held: Held | undefined, log: Log): Promise<void> {
  if (!held) return;
  const verdict = await held.holder.leave().catch(() => "server gone" as const);
  if (verdict !== "last") return held.holder.close();
  await stopServer(site.dataDir, site.binaries);
  await site.access.cleanUp(held.connection);
  log.info({ dataDir: site.dataDir }, "the embedded database was stopped");
}

// For the change to another major version: what a data folder needs, what this program brings, and the replacement itself.
export async function bundledMajor(dataDir: string): Promise<string> {
  return (await prepareBinaries(serverUser(), dataDir)).major;
}

export { majorOf, removeUnfinished, replaceDataDirectory } from "./embedded/data-directory.ts";
export { binariesIn };
