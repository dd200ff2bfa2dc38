// The user that the embedded server runs as. PostgreSQL refuses to run as root; in that case it gets a numeric uid, which needs
// no account. 65528 is outside the ranges that systems assign, so no other daemon shares it, unlike `nobody`. Only initdb needs
// a user with a name; it runs as `nobody`, and the files change owner afterwards.
import { stat } from "node:fs/promises";
import { dirname } from "node:path";

export interface ServerUser {
  // Options for spawn. Empty if the server runs as our own user.
  readonly spawn: { readonly uid?: number; readonly gid?: number };
  readonly spawnInitdb: { readonly uid?: number; readonly gid?: number };
  // The owner of the server's folders.
  readonly uid: number | undefined;
  readonly other: boolean;
}

const serverId = 65_528;
const nobodyId = 65_534;

export function serverUser(): ServerUser {
  const uid = process.getuid?.();
  if (uid !== 0) return { spawn: {}, spawnInitdb: {}, uid, other: false };
  return {
    spawn: { uid: serverId, gid: serverId },
    spawnInitdb: { uid: nobodyId, gid: nobodyId },
    uid: serverId,
    other: true,
  };
}

// Whether the user can reach the folder: every folder on the path must be traversable by others.
export async function canReach(user: ServerUser, folder: string): Promise<boolean> {
  if (!user.other) return true;
  for (let path = folder; ; path = dirname(path)) {
    const { mode, uid } = await stat(path);
    const passes = uid === user.uid ? mode & 0o100 : mode & 0o001;
    if (!passes) return false;
    if (path === dirname(path)) return true;
  }
}
