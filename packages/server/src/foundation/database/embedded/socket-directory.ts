// Where the server's unix socket goes: in the data folder. That folder is closed to other users, and every process that works
// on it sees the socket, even from outside a service with a private temporary folder. A socket path is limited to about 100
// bytes. If the data folder's path is longer, or its file system has no sockets, the socket goes into a short folder under the
// temporary one, named after the data folder. Entering that folder means access to the database, so it is closed to other
// users, and a folder that another user created is refused.
import { createHash } from "node:crypto";
import { chmod, lchown, lstat, mkdir, rmdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ServerUser } from "./server-user.ts";

// macOS has the lowest limit: 104 including the terminating zero.
const socketPathBytesMax = 103;

export const socketFile = (folder: string, port: number): string => join(folder, `.s.PGSQL.${port}`);

const fits = (folder: string): boolean => Buffer.byteLength(socketFile(folder, 5432)) <= socketPathBytesMax;

export function socketDirectory(dataDir: string, temporary: string = tmpdir()): string {
  return fits(dataDir) ? dataDir : temporarySocketDirectory(dataDir, temporary);
}

export function temporarySocketDirectory(dataDir: string, temporary: string = tmpdir()): string {
  const name = `atelier-${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}`;
  const wanted = join(temporary, name);
  return fits(wanted) ? wanted : join("/tmp", name);
}

const triesMax = 20;

// The last process to leave a server removes the folder, possibly between any two steps here. Then we start over.
export async function ensureSocketDirectory(folder: string, user: ServerUser): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await makeSocketDirectory(folder, user);
      return;
    } catch (error) {
      const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
      if (!missing || tries === triesMax || !(await stat(dirname(folder)).catch(() => undefined))) throw error;
    }
  }
}

async function makeSocketDirectory(folder: string, user: ServerUser): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  const found = await lstat(folder);
  // A folder owned by root was created by another of our processes that has yet to hand it over, or was killed first.
  const ours = user.uid === undefined || found.uid === user.uid || (user.other && found.uid === 0);
  if (!found.isDirectory() || !ours) {
    throw new Error(
      `${folder} was created by another user, so the database's socket cannot be placed there. Remove it.`,
    );
  }
  if (user.spawn.uid !== undefined && user.spawn.gid !== undefined) {
    await lchown(folder, user.spawn.uid, user.spawn.gid);
  }
  await chmod(folder, 0o700);
}

export async function removeSocketDirectory(folder: string): Promise<void> {
  await rmdir(folder).catch(() => {});
}
