// Connects to the server of the data folder, starting it if it is not running. Any number of processes may do this at the same
// time, and any of them may be killed at any point.
import { type Clock, systemClock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { ConnectionSettings } from "../connection.ts";
import type { Access } from "./access.ts";
import type { Binaries } from "./binaries.ts";
import { dataLocation, ensureDataDirectory } from "./data-directory.ts";
import { type Holder, takeHold } from "./holder.ts";
import { watchForSocket } from "./out-of-reach.ts";
import { type Patience, startPatience, startSecondsMax } from "./patience.ts";
import { isServing, readPostmasterFile, removeStaleLocks } from "./postmaster-file.ts";
import { defaultSettings, type StartedServer, startServer } from "./server-process.ts";
import type { ServerUser } from "./server-user.ts";

export interface ServerSite {
  readonly dataDir: string;
  readonly logFile: string;
  readonly user: ServerUser;
  readonly access: Access;
  readonly binaries: Binaries;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: Log;
}

export interface Held {
  readonly holder: Holder;
  readonly connection: ConnectionSettings;
  // False if we started it ourselves.
  readonly attached: boolean;
}

const startsMax = 3;
// All temporary: another of our processes was first or is about to be; the remains of a killed server still hold its memory; or
// the last process to leave the previous server removed the socket's folder.
const someoneElseIsThere =
  /already exists|lock file .* is empty|still in use|could not create lock file .*: No such file/;
const clock: Clock = systemClock;

// `before` is where the server listened until now. A new one listens there too, so open pools find it again.
export async function holdServer(site: ServerSite, before?: ConnectionSettings): Promise<Held> {
  const patience = startPatience(clock, site.log);
  let lastWords = "";
  const socket = watchForSocket(clock);
  for (let starts = 0; !patience.isOver(); ) {
    const attached = await attach(site, patience);
    if (attached !== "nobody" && attached !== "not yet") return { ...attached, attached: true };
    if (attached === "nobody") {
      if (!someoneElseIsThere.test(lastWords) && starts++ >= startsMax)
        throw new Error(`The embedded database did not start. ${lastWords}`);
      const started = await start(site, before, patience);
      if (typeof started !== "string") return started;
      lastWords = started;
      site.access.takeWords(started);
    } else if (attached === "not yet") await socket.requireInReach(site);
    await clock.sleep(20 + Math.random() * 30);
  }
  throw new Error(await whyNotHeld(site, patience, lastWords));
}

async function whyNotHeld({ dataDir, logFile }: ServerSite, patience: Patience, lastWords: string): Promise<string> {
  const file = await readPostmasterFile(dataDir);
  const seconds = patience.recoveringSeconds();
  if (file && seconds !== null)
    return `The database in ${dataDir} (process ${file.pid}) has been recovering for ${seconds} s and is not ready yet. It continues in the background. Start again later; to follow it, see ${logFile}.`;
  return file
    ? `The database in ${dataDir} is served by process ${file.pid}, which does not respond. ${lastWords}`
    : `The embedded database did not start within ${startSecondsMax} s. ${lastWords}`;
}

type Attached = Omit<Held, "attached"> & { readonly pid: number };

async function attach(site: ServerSite, patience: Patience): Promise<Attached | "nobody" | "not yet"> {
  const file = await readPostmasterFile(site.dataDir);
  if (!file || !(await isServing(file, site.dataDir))) return "nobody";
  const connection = site.access.connectionTo(file);
  const holder = await takeHold(connection);
  if (holder === "recovering") {
    patience.recovers();
    return "not yet";
  }
  return holder ? { holder, connection, pid: file.pid } : "not yet";
}

// Returns the server's last output if it ended: another process was first, or the remains of a killed server still hold its
// memory. Trying again tells which.
async function start(
  site: ServerSite,
  before: ConnectionSettings | undefined,
  patience: Patience,
): Promise<Held | string> {
  const { dataDir, user, binaries, access } = site;
  const sync = site.settings["fsync"] !== "off";
  await ensureDataDirectory({ dataDir, binaries, user, password: access.password, sync });
  const listening = await access.listen(before);
  const settings = { ...defaultSettings, ...site.settings, ...listening.settings };
  await removeStaleLocks(dataDir, listening.folder);
  const location = await dataLocation(user, dataDir);
  const server = await startServer({ binaries, location, user, logFile: site.logFile, settings });
  return waitUntilHeld(site, server, patience);
}

async function waitUntilHeld(site: ServerSite, server: StartedServer, patience: Patience): Promise<Held | string> {
  let ended: string | undefined;
  void server.ended.then((words) => {
    ended = words;
  });
  while (ended === undefined && !patience.isOver()) {
    const attached = await attach(site, patience);
    if (attached !== "nobody" && attached !== "not yet") return { ...attached, attached: attached.pid !== server.pid };
    await clock.sleep(5);
  }
  return ended ?? "It did not become ready.";
}
