// What `atelier doctor` checks without a database: versions, the data folder, its disk, the ports.
import { existsSync } from "node:fs";
import { access, constants, open, rmdir, statfs, unlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Config } from "../../config.ts";
import { foreignOwner, ownerWords } from "../../foundation/home/home-owner.ts";
import { findRunningServer } from "../../foundation/home/server-note.ts";
import { sizeText } from "../../foundation/home/size-text.ts";
import { serverAt, tryPort } from "../../foundation/home/who-listens.ts";
import { newId } from "../../foundation/ids.ts";
import { makeFolder } from "../../foundation/make-folder.ts";
import { serverVersion } from "../server-version.ts";
import { egressFinding } from "./doctor-egress.ts";
import { type Finding, problem, warning, well } from "./doctor-finding.ts";

export async function lookAtMachine(config: Config): Promise<Finding[]> {
  return [lookAtVersions(), egressFinding(config), ...(await lookAtHome(config)), ...(await lookAtServer(config))];
}

// If the folder belongs to another user we can say nothing else about it, and the check must leave nothing in it.
export function lookAtOwner({ home }: Pick<Config, "home">): Finding[] | null {
  const owner = foreignOwner(home);
  if (owner === null) return null;
  const { message, mend } = ownerWords(home, owner);
  return [lookAtVersions(), problem("home", message, mend)];
}

function lookAtVersions(): Finding {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  const message = `atelier ${serverVersion}, Node ${node}`;
  if (major > 22 || (major === 22 && minor >= 19)) return well("versions", message);
  return problem("versions", message, "Node 22.19 or newer is needed");
}

export async function lookAtHome(config: Pick<Config, "home">): Promise<Finding[]> {
  const home = resolve(config.home);
  const isNew = !existsSync(home);
  try {
    await makeFolder(home);
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (isOf(error, "ENOSPC")) return [fullDisk(home, 0)];
    return [problem("home", `${home} is not writable`, "choose another with --home, or change its owner")];
  }
  const disk = await lookAtDisk(home);
  // We created it only to try; its user will create it again.
  if (isNew) await rmdir(home).catch(() => {});
  return [well("home", `${home} is writable`), disk];
}

// Free blocks are a promise; only bytes that were written and flushed prove it.
async function lookAtDisk(home: string): Promise<Finding> {
  const space = await statfs(home);
  const free = space.bavail * space.bsize;
  try {
    await writeSomething(join(home, `.doctor-${newId()}`));
  } catch (error) {
    if (isOf(error, "ENOSPC", "EDQUOT")) return fullDisk(home, free);
    return problem("disk", `cannot write to ${home} (${codeOf(error)})`, "check the disk, its mount and its quota");
  }
  return spaceFinding(home, space);
}

export function spaceFinding(
  home: string,
  { bavail, bsize, blocks }: { readonly bavail: number; readonly bsize: number; readonly blocks: number },
): Finding {
  const free = bavail * bsize;
  const message = `${sizeText(free)} free at ${home}`;
  if (free >= 1024 ** 3 && bavail >= blocks * 0.05) return well("disk", message);
  return warning("disk", message, "free some space; uploads are refused below 5 % or 1 GiB");
}

const fullDisk = (home: string, free: number): Finding =>
  problem(
    "disk",
    `The disk of ${home} is full (${sizeText(free)} free)`,
    "free some space: delete old backups in <home>/backups, then use atelier assets rm; or move the folder and set --home",
  );

async function writeSomething(path: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(Buffer.alloc(1024 ** 2, 1));
    await file.sync();
  } finally {
    await file.close();
    await unlink(path);
  }
}

// A server running on this folder holds its ports, whatever the settings of this command say.
async function lookAtServer(config: Config): Promise<Finding[]> {
  const running = await findRunningServer(config.home);
  if (running === null) return lookAtPorts(config);
  const { hostname, port } = new URL(running.url);
  const state = await serverAt(hostname.replace(/^\[|\]$/g, ""), Number(port));
  const message = `this data folder's server is running at ${running.url} (process ${running.pid})`;
  if (state === "ready") return [well("server", `${message} and is ready`)];
  return [warning("server", `${message} and is not ready`, `see ${running.url}/readyz`)];
}

export async function lookAtPorts(config: Pick<Config, "host" | "port" | "contentPort">): Promise<Finding[]> {
  const { host, port } = config;
  const first = await lookAtPort(host, port, "ATELIER_PORT");
  // The content port is not checked here: unless it was configured, the content origin takes another if this one is taken.
  if (config.contentPort === null || config.contentPort === port) return [first];
  return [first, await lookAtPort(host, config.contentPort, "ATELIER_CONTENT_PORT")];
}

async function lookAtPort(host: string, port: number, setting: string): Promise<Finding> {
  const code = await tryPort(host, port);
  const name = "port";
  const address = `${host}:${port}`;
  if (code === null) return well(name, `${address} is free`);
  if (code !== "EADDRINUSE") {
    const mend =
      code === "EACCES"
        ? `ports below 1024 need privileges: choose another with ${setting}`
        : `choose another with ATELIER_HOST or ${setting}`;
    return problem(name, `${address} cannot be used (${code})`, mend);
  }
  // The server of this data folder was already looked for, so this is another one, and a start would be refused.
  const isServer = (await serverAt(host, port)) !== "other";
  const who = isServer ? "an Atelier server of another data folder" : "another program";
  const named = isServer ? "; if you meant that server, pass its folder with --home" : "";
  return problem(
    name,
    `${address} is in use by ${who}`,
    `choose another with ${setting}, or stop that program${named}`,
  );
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
const isOf = (error: unknown, ...codes: string[]): boolean => codes.includes(codeOf(error));
