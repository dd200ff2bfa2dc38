// Uploads of one group that are ready at the same time are committed in one transaction. Within a workspace they would
// otherwise queue up, one flush of the database's log after the other, for the row that counts what the workspace uses.
// Their statements run side by side: all take their first locks before any takes its second, so the order of locks is
// that of a single upload. If one of them fails none is committed, and each is tried alone.
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

// Null: the pin ran out before the commit, and nothing was done.
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
    // The value is taken here, where its type is known.
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
    // Perhaps all of them are committed: they must not be tried again.
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
    // All statements have ended by now; only then may the transaction.
    return outcomes.map((outcome) => {
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    });
  });
}
