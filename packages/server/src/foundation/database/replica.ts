// Reads that a standby can answer instead of the primary without ever showing less: everything committed before the read
// arrived, through any process, is in the answer. For each read we ask the primary how far it has written; reads that arrive
// together ask once. The standby then answers on the same connection on which it confirmed that it has replayed that far. A
// standby that lags, is down, was promoted or follows another history is skipped for a second or more, and the primary answers:
// slower, never wrong (decisions/0024).
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Database } from "./database.ts";
import { groupCommit } from "./group-commit.ts";
import type { Queryable } from "./queryable.ts";
import { findReplayed, findWritten, type WrittenUpTo } from "./replica-store.ts";

export interface ReplicaReads extends Queryable {
  // Null if the standby is in use. Otherwise the reason why not, for people.
  problem(): string | null;
  // How many reads each server has answered.
  readonly counts: { replica: number; primary: number };
  close(): Promise<void>;
}

export interface ReplicaDeps {
  readonly primary: Queryable;
  readonly replica: Database;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn" | "info">;
}

// Replay normally takes milliseconds.
const waitMsMax = 100;
const lookAgainMs = 4;
const behindRestMs = 1_000;
const awayRestMs = 5_000;
const askedAtOnce = 10_000;

export function replicaReads({ primary, replica, clock, log }: ReplicaDeps): ReplicaReads {
  const counts = { replica: 0, primary: 0 };
  let problem: string | null = null;
  let restUntilMs = Number.NEGATIVE_INFINITY;
  // Reads that arrive in the same turn ask once, after all of them have arrived.
  const written = groupCommit<null, WrittenUpTo | null>({
    maxBatch: askedAtOnce,
    inFlight: 2,
    async run(asked) {
      const found = await findWritten(primary);
      return asked.map(() => found);
    },
  });

  function rest(why: string, restMs: number): null {
    if (problem === null) log.warn({ reason: why }, "lists are read from the primary: the replica is not used");
    problem = why;
    restUntilMs = clock.monotonicMs() + restMs;
    return null;
  }

  async function waitFor(tx: Queryable, wanted: WrittenUpTo): Promise<string | null> {
    const untilMs = clock.monotonicMs() + waitMsMax;
    for (;;) {
      const found = await findReplayed(tx, wanted.lsn);
      if (!found?.isStandby) return "It is not a standby (or no longer one).";
      if (found.system !== wanted.system) return "It is a standby of another database.";
      if (found.timeline !== wanted.timeline) return "Its history has diverged from the primary's.";
      if (found.hasAll) return null;
      if (clock.monotonicMs() >= untilMs) return "It lags behind.";
      await clock.sleep(lookAgainMs);
    }
  }

  async function fromReplica<Row extends object>(statement: Parameters<Queryable["query"]>[0]): Promise<Row[] | null> {
    try {
      const wanted = await written(null);
      if (wanted === null) return null;
      // On one connection: a restarted server may have forgotten what it had replayed.
      return await replica.transaction(async (tx) => {
        const why = await waitFor(tx, wanted);
        if (why !== null) return rest(why, behindRestMs);
        const rows = await tx.query<Row>(statement);
        if (problem !== null) log.info({}, "lists are read from the replica again");
        problem = null;
        return rows;
      });
    } catch {
      return rest("It does not respond.", awayRestMs);
    }
  }

  return {
    counts,
    problem: () => problem,
    async query<Row extends object>(statement: Parameters<Queryable["query"]>[0]) {
      const rows = clock.monotonicMs() < restUntilMs ? null : await fromReplica<Row>(statement);
      counts[rows === null ? "primary" : "replica"] += 1;
      return rows ?? primary.query<Row>(statement);
    },
    execute: (statement) => primary.execute(statement),
    async close() {
      await written.close();
      await replica.close();
    },
  };
}
