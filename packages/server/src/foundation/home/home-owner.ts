// Checks who owns the data folder. A command run by another user on a service's folder, even by root, would leave files there
// that the service cannot read. So it is refused before it creates anything.
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { attempt } from "../retry.ts";
import { UsageProblem } from "../settings.ts";

export interface HomeOwner {
  readonly uid: number;
  // From the machine's list of users. Null if there is no user with this number.
  readonly name: string | null;
}

// Root itself, the user that root gives to the embedded PostgreSQL (foundation/database/embedded/server-user.ts), and root as
// seen from inside a container that maps its users.
const ofRoot: ReadonlySet<number> = new Set([0, 65_528, 65_534]);

// Null if it is ours, or does not exist yet.
export function foreignOwner(home: string, me: number | undefined = process.getuid?.()): HomeOwner | null {
  const folder = resolve(home);
  if (me === undefined) return null;
  const database = ownerOf(join(folder, "postgres"));
  const uid = database ?? ownerOf(folder);
  if (uid === null || uid === me) return null;
  const isForeign = me === 0 ? !ofRoot.has(uid) : database !== null || !isWritable(folder);
  return isForeign ? { uid, name: nameOf(uid) } : null;
}

const ownerOf = (path: string): number | null => attempt(() => statSync(path).uid, null);

function isWritable(folder: string): boolean {
  const access = () => accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  return attempt(access, false) !== false;
}

function nameOf(uid: number): string | null {
  const lines = attempt(() => readFileSync("/etc/passwd", "utf8"), "").split("\n");
  return lines.map((line) => line.split(":")).find(([, , number]) => number === String(uid))?.[0] ?? null;
}

export interface OwnerWords {
  readonly message: string;
  readonly mend: string;
}

export function ownerWords(home: string, { uid, name }: HomeOwner): OwnerWords {
  const who = name ?? `user ${uid}`;
  return {
    message: `The data folder ${resolve(home)} belongs to ${who}. Nothing was changed.`,
    mend: `run this as ${who}: sudo -u ${name ?? `'#${uid}'`} env ATELIER_HOME=${resolve(home)} atelier …`,
  };
}

export function requireOwnHome(home: string): void {
  const owner = foreignOwner(home);
  if (owner === null) return;
  const { message, mend } = ownerWords(home, owner);
  throw new UsageProblem([`${message} ${mend.replace(/^r/, "R")}`]);
}
