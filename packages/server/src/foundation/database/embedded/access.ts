// How to reach the embedded server: over a unix socket and never over TCP, unless the platform has no usable unix sockets. Then
// it listens on loopback only and requires a random password, stored beside the data folder.
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
  // Where a running server listens.
  connectionTo(file: PostmasterFile): ConnectionSettings;
  // Prepares for a start. A restarted server must listen where it listened before.
  listen(before: ConnectionSettings | undefined): Promise<Listening>;
  // The output of a server that failed to start: the next one may have to listen elsewhere.
  takeWords(words: string): void;
  cleanUp(connection: ConnectionSettings): Promise<void>;
}

export interface Listening {
  readonly settings: Readonly<Record<string, string>>;
  // The socket's folder. Undefined when the server listens on TCP.
  readonly folder: string | undefined;
}

export interface AccessOptions {
  readonly dataDir: string;
  readonly database: string;
  readonly user: ServerUser;
}

// Some file systems, such as shared folders of virtual machines, support files but not sockets.
const noSocketHere = /could not (bind|create) Unix|could not create any Unix-domain sockets/;

export function socketAccess(options: AccessOptions): Access {
  const { database, dataDir, user } = options;
  let preferred = socketDirectory(dataDir);
  return {
    password: undefined,
    connectionTo: (file) => ({
      // A starting server has not written it yet, and does not answer yet either.
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

// PostgreSQL reads this as a list of names, which may be quoted. A user that cannot traverse the path to the data folder has it
// as its working directory.
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
    // Linking fails if the name exists, and a reader of the name always finds the whole password.
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
