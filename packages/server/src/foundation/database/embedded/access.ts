// How the server is reached: by a unix socket and never by TCP, except where the platform has no usable unix sockets.
// There it listens on loopback only and asks for a random password that lies beside the data folder.
import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, resolve } from "node:path";
import type { ConnectionSettings } from "../connection.ts";
import { superuser } from "./data-directory.ts";
import type { PostmasterFile } from "./postmaster-file.ts";
import { canReach, type ServerUser } from "./server-user.ts";
import {
  ensureSocketDirectory,
  removeSocketDirectory,
  socketDirectory,
  temporarySocketDirectory,
} from "./socket-directory.ts";

export interface Access {
  readonly password: string | undefined;
  // Where a server that runs already listens.
  connectionTo(file: PostmasterFile): ConnectionSettings;
  // Makes ready for a start. A server that is started again must listen where it listened before.
  listen(before: ConnectionSettings | undefined): Promise<Listening>;
  // What a server said that ended at its start: the next one may have to listen elsewhere.
  takeWords(words: string): void;
  cleanUp(connection: ConnectionSettings): Promise<void>;
}

export interface Listening {
  readonly settings: Readonly<Record<string, string>>;
  // Of the socket; none where it listens on TCP.
  readonly folder: string | undefined;
}

export interface AccessOptions {
  readonly dataDir: string;
  readonly database: string;
  readonly user: ServerUser;
}

// Some file systems (shared folders of virtual machines, for one) hold files but no sockets.
const noSocketHere = /could not (bind|create) Unix|could not create any Unix-domain sockets/;

export function socketAccess(options: AccessOptions): Access {
  const { database, dataDir, user } = options;
  let preferred = socketDirectory(dataDir);
  return {
    password: undefined,
    connectionTo: (file) => ({
      // Not written yet by a server that is starting: it does not answer anyway.
      host: file.socketDir === "" ? preferred : resolve(dataDir, file.socketDir),
      port: file.port,
      user: superuser,
      database,
    }),
    async listen(before) {
      const folder = before?.host ?? preferred;
      if (folder !== dataDir) await ensureSocketDirectory(folder, user);
      const settings = {
        listen_addresses: "",
        unix_socket_directories: await socketDirectorySetting(folder, options),
        unix_socket_permissions: "0700",
        port: String(before?.port ?? 5432),
      };
      return { settings, folder };
    },
    takeWords(words) {
      if (noSocketHere.test(words)) preferred = temporarySocketDirectory(dataDir);
    },
    async cleanUp({ host }) {
      if (host !== dataDir) await removeSocketDirectory(host);
    },
  };
}

// A list of names, which may be quoted. A user that cannot walk to the data folder stands in it.
async function socketDirectorySetting(folder: string, { dataDir, user }: AccessOptions): Promise<string> {
  if (folder === dataDir && !(await canReach(user, dirname(dataDir)))) return ".";
  return `"${folder.replaceAll('"', '""')}"`;
}

const loopback = "127.0.0.1";

export async function tcpAccess(options: AccessOptions): Promise<Access> {
  const password = await keptPassword(`${options.dataDir}.password`);
  const { database } = options;
  return {
    password,
    connectionTo: (file) => ({ host: loopback, port: file.port, user: superuser, database, password }),
    async listen(before) {
      const port = before?.port ?? (await freePort());
      const settings = { listen_addresses: loopback, unix_socket_directories: "", port: String(port) };
      return { settings, folder: undefined };
    },
    takeWords() {},
    async cleanUp() {},
  };
}

async function keptPassword(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const made = randomBytes(24).toString("base64url");
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(draft, made, { mode: 0o600, flag: "wx" });
    // A link fails where the name exists, and a reader of the name finds the whole password.
    await link(draft, path);
    return made;
  } catch {
    return await readFile(path, "utf8");
  } finally {
    await rm(draft, { force: true });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, loopback, () => {
      const address = probe.address();
      const port = typeof address === "object" && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
