// Commits uploads of one group that are ready at the same time in one transaction. Otherwise uploads of a workspace would
// queue for the row that counts its usage, one flush of the database's log after the other. Their statements run side by
// side: all take their first locks before any takes its second, so the lock order is that of a single upload. If one
// fails, none is committed, and each is tried alone.
import {
  CommitUnknown,
  type Database,
  type GroupCommit,
  groupCommit,
  type Queryable,
} from "../../../foundation/database/index.ts";
import { keepPinned } from "../blob-store.ts";

export interface ReadyUpload<T> {
  readonly pinId: string;
  readonly hash: string;
  readonly isSuspect: boolean;
  commit(tx: Queryable): Promise<T>;
}

// Null if the pin expired before the commit; then nothing was done.
export type CommitTogether = <T>(group: string | undefined, upload: ReadyUpload<T>) => Promise<{ value: T } | null>;

type Outcome = { readonly value: unknown } | { readonly thrown: unknown } | null;

const uploadsPerCommit = 32;

export function commitTogether(database: Database): CommitTogether {
  const groups = new Map<string, { readonly add: GroupCommit<ReadyUpload<unknown>, Outcome>; users: number }>();

  async function inGroup(name: string, upload: ReadyUpload<unknown>): Promise<Outcome> {
    const group = groups.get(name) ?? {
      add: groupCommit({ maxBatch: uploadsPerCommit, inFlight: 1, run: (uploads) => commitAll(database, uploads) }),
      users: 0,
    };
    groups.set(name, group);
    group.users++;
    try {
      return await group.add(upload);
    } finally {
      group.users--;
      if (group.users === 0) groups.delete(name);
    }
  }

  return async <T>(group: string | undefined, upload: ReadyUpload<T>) => {
    let value: { value: T } | null = null;
    // Captures the value here, where its type is known.
    const own: ReadyUpload<unknown> = {
      ...upload,
      async commit(tx) {
        value = { value: await upload.commit(tx) };
      },
    };
    const [outcome = null] = group === undefined ? await commitAll(database, [own]) : [await inGroup(group, own)];
    if (outcome === null) return null;
    if ("thrown" in outcome) throw outcome.thrown;
    return value;
  };
}

async function commitAll(database: Database, uploads: readonly ReadyUpload<unknown>[]): Promise<readonly Outcome[]> {
  try {
    return await commitOnce(database, uploads);
  } catch (thrown) {
    // All of them may have been committed, so they must not be tried again.
    if (uploads.length === 1 || thrown instanceof CommitUnknown) return uploads.map(() => ({ thrown }));
    return (await Promise.all(uploads.map((upload) => commitAll(database, [upload])))).flat();
  }
}

function commitOnce(database: Database, uploads: readonly ReadyUpload<unknown>[]): Promise<readonly Outcome[]> {
  return database.transaction(async (tx) => {
    const kept = await keepPinned(tx, uploads);
    const outcomes = await Promise.allSettled(
      uploads.map(async (upload) => (kept.has(upload.pinId) ? { value: await upload.commit(tx) } : null)),
    );
    // All statements have ended by now; only then may the transaction end.
    return outcomes.map((outcome) => {
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    });
  });
}
