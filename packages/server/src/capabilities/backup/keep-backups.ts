// Scheduled backups: made by one process at a time, restored into a scratch database before they count as good, and removed
// when enough newer ones exist. The history in the database decides when the next one is due, and a lock who makes it, so any
// number of processes may ask. Guarantees: a backup that was cut off is never listed and is removed by the next run; the last
// verified one is never removed.
import { join } from "node:path";
import type { Clock } from "../../foundation/clock.ts";
import {
  type ConnectionSettings,
  type Database,
  type Invariant,
  withConnection,
} from "../../foundation/database/index.ts";
import { newId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import { makeFolder } from "../../foundation/make-folder.ts";
import { type BackUpReport, type BlobSource, backUp } from "./back-up.ts";
import { type BackupDepot, scheduledName, type Verification } from "./backup-depot.ts";
import {
  type BackupEnd,
  endAbandoned,
  endBackup,
  findNewest,
  insertBackup,
  listBackups,
  noteKept,
  tryLock,
} from "./backup-history-store.ts";
import { backupProblem } from "./backup-problem.ts";
import type { BackupId, BackupRecord } from "./backup-record.ts";
import { BackupRefused } from "./backup-refused.ts";
import { type BlobTarget, restore } from "./restore.ts";
import { removeScratchFolders, withScratch } from "./scratch-database.ts";

export interface KeepBackupsDeps {
  readonly database: Database;
  // To PostgreSQL itself.
  readonly connection: string | ConnectionSettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly depot: BackupDepot;
  // Null: only when asked.
  readonly everySeconds: number | null;
  readonly keep: number;
  readonly blobs: BlobSource & Pick<BlobTarget, "checkBlob">;
  readonly migrations: string;
  readonly invariants: readonly Invariant[];
  // For an embedded PostgreSQL, if the backup cannot be verified in this one.
  readonly workFolder: string;
}

export interface BackupKeeping {
  // One look: makes a backup if one is due and no other process makes it.
  round(signal?: AbortSignal): Promise<BackupRecord | null>;
  // Makes one now. `begun` is called with its line in the history.
  makeNow(options?: { readonly signal?: AbortSignal; begun?(record: BackupRecord): void }): Promise<BackupRecord>;
}

const retryMsMax = 600_000;
const historyLinesMax = 500;

// When the next one is due. After a failure we try again sooner.
export function dueAt(newest: BackupRecord | null, everySeconds: number): Date {
  if (newest === null) return new Date(0);
  const everyMs = everySeconds * 1000;
  if (newest.state !== "failed") return new Date(newest.startedAt.getTime() + everyMs);
  return new Date((newest.endedAt ?? newest.startedAt).getTime() + Math.min(everyMs, retryMsMax));
}

export function createBackupKeeping(deps: KeepBackupsDeps): BackupKeeping {
  const { database, clock, depot, everySeconds } = deps;
  const isDue = (newest: BackupRecord | null) =>
    everySeconds !== null && dueAt(newest, everySeconds).getTime() <= clock.now().getTime();
  // Undefined if another process holds the lock.
  const locked = <T>(run: () => Promise<T>): Promise<T | undefined> =>
    withConnection({ connection: deps.connection, applicationName: "atelier-backups" }, async (connection) => {
      if (!(await tryLock(connection))) return undefined;
      await endAbandoned(database, clock.now());
      return run();
    });
  return {
    async round(signal) {
      const newest = await findNewest(database, depot.location);
      if (newest?.state !== "running" && !isDue(newest)) return null;
      const made = await locked(async () => {
        const before = await findNewest(database, depot.location);
        // One whose maker was killed is made again at once.
        return newest?.state === "running" || isDue(before) ? make(deps, before, { signal }) : null;
      });
      if (made?.state === "failed") throw new Error(`The backup failed. ${made.problem}`);
      return made ?? null;
    },
    async makeNow(options) {
      const made = await locked(async () => make(deps, await findNewest(database, depot.location), options));
      if (made === undefined) throw new BackupRefused("Another process is making a backup right now. Try again later.");
      return made;
    },
  };
}

async function make(
  deps: KeepBackupsDeps,
  before: BackupRecord | null,
  { signal, begun }: { readonly signal?: AbortSignal | undefined; begun?(record: BackupRecord): void } = {},
): Promise<BackupRecord> {
  const { database, clock, log, depot, everySeconds } = deps;
  const startedAt = clock.now();
  const id = newId<"backup">(startedAt.getTime());
  const name = scheduledName(startedAt);
  await insertBackup(database, { id, name, location: depot.location, startedAt, everySeconds });
  if (begun) begun(await recordOf(deps, id));
  const end = await makeInDepot(deps, name, before?.state !== "failed", signal);
  await endBackup(database, id, end);
  await noteWhatIsKept(deps);
  const made = await recordOf(deps, id);
  if (end.verifiedAt !== null)
    log.info({ name, location: depot.location, bytes: made.bytes }, "backup made and verified");
  else log.error({ name, location: depot.location, problem: end.problem }, "a backup is not good");
  return made;
}

async function recordOf({ database }: KeepBackupsDeps, id: BackupId): Promise<BackupRecord> {
  const found = (await listBackups(database, 20)).find((each) => each.id === id);
  if (found === undefined) throw new Error("The line of this backup is gone.");
  return found;
}

async function makeInDepot(
  deps: KeepBackupsDeps,
  name: string,
  isTrusted: boolean,
  signal?: AbortSignal,
): Promise<BackupEnd> {
  const { clock, depot } = deps;
  try {
    await makeFolder(deps.workFolder);
    await removeScratchFolders(deps.workFolder);
    await depot.tidy();
    const blobs = await depot.reuse(deps.blobs, isTrusted);
    const { connection, log } = deps;
    const report = await backUp({ connection, directory: depot.folderFor(name), blobs, log });
    signal?.throwIfAborted();
    const verified = await verify(deps, name);
    await depot.keep(name, verified.verification);
    const problems = [...verified.problems, ...(await removeOld(deps))];
    return {
      state: "done",
      endedAt: clock.now(),
      verifiedAt: verified.verification === null ? null : clock.now(),
      problem: problems.length === 0 ? null : problems.join(" "),
      facts: factsOf(report),
    };
  } catch (error) {
    await depot.remove(name).catch(() => undefined);
    const problem = signal?.aborted ? stoppedWords : backupProblem(error, depot.location).slice(0, 500);
    return { state: "failed", endedAt: clock.now(), verifiedAt: null, problem, facts: null };
  }
}

const factsOf = ({ schemaVersion, rows, fileBytes, blobs, blobBytes }: BackUpReport) => ({
  schemaVersion,
  rows,
  bytes: fileBytes + blobBytes,
  blobs,
});

const stoppedWords = "The process that made it was stopped before it was done.";

interface Verified {
  // Null if an invariant does not hold.
  readonly verification: Verification | null;
  readonly problems: readonly string[];
}

// A restore like any other, except that the blobs' bytes are only read and compared with their hashes.
async function verify(deps: KeepBackupsDeps, name: string): Promise<Verified> {
  const { depot, migrations, invariants, clock, log, blobs } = deps;
  const report = await withScratch({ connection: deps.connection, folder: deps.workFolder, log }, (connection) =>
    restore({
      connection,
      directory: depot.folderFor(name),
      migrations,
      invariants,
      blobs: { checkBlob: blobs.checkBlob, storeBlob: async () => undefined },
      ...(depot.hasBlob === null ? {} : { hasBlob: depot.hasBlob }),
    }),
  );
  const broken = report.invariants.filter((each) => each.broken > 0);
  if (broken.length === 0) {
    const verification = { verified_at: clock.now().toISOString(), invariants: report.invariants.length };
    return { verification, problems: [] };
  }
  const names = broken.map((each) => `${each.name} (${each.broken} rows)`).join(", ");
  return { verification: null, problems: [`It can be restored, but an invariant does not hold in it: ${names}.`] };
}

// A backup that cannot be removed does not spoil the new one.
async function removeOld({ depot, keep }: KeepBackupsDeps): Promise<string[]> {
  try {
    const all = await depot.list();
    for (const { name } of beyond(all, keep)) await depot.remove(name);
    if (all.length > keep) await depot.tidy();
    return [];
  } catch (error) {
    return [`Older backups could not be removed: ${backupProblem(error, depot.location)}`];
  }
}

// Of backups sorted newest first. The newest verified one stays, however old it is.
export function beyond<B extends { readonly isVerified: boolean }>(all: readonly B[], keep: number): readonly B[] {
  const lastGood = all.find(({ isVerified }) => isVerified);
  return all.slice(keep).filter((each) => each !== lastGood);
}

async function noteWhatIsKept({ database, depot, clock, log }: KeepBackupsDeps): Promise<void> {
  try {
    const names = (await depot.list()).map(({ name }) => name);
    await noteKept(database, { location: depot.location, names, now: clock.now(), linesMax: historyLinesMax });
  } catch (err) {
    log.warn({ err, location: depot.location }, "the backups that are kept could not be listed");
  }
}

export const workFolderOf = (home: string): string => join(home, "backups", ".work");
