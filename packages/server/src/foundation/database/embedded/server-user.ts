// Who the embedded server runs as. PostgreSQL refuses to be root; then it gets a numeric user of its own, which needs no
// account: 65528 lies outside the ranges that systems hand out, so no other daemon shares it as they share `nobody`.
// Only initdb wants a user that has a name; it runs as `nobody` and the files are handed over afterwards.
import { stat } from "node:fs/promises";
import { dirname } from "node:path";

export interface ServerUser {
  // Given to spawn; empty when the server runs as ourselves.
  readonly spawn: { readonly uid?: number; readonly gid?: number };
  readonly spawnInitdb: { readonly uid?: number; readonly gid?: number };
  // The owner of its folders.
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

// Whether that user can walk to the folder: every folder on the way must let others through.
export async function canReach(user: ServerUser, folder: string): Promise<boolean> {
  if (!user.other) return true;
  for (let path = folder; ; path = dirname(path)) {
    const { mode, uid } = await stat(path);
    const passes = uid === user.uid ? mode & 0o100 : mode & 0o001;
    if (!passes) return false;
    if (path === dirname(path)) return true;
  }
}
