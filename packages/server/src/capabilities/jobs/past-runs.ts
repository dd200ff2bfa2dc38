// Expected durations from past runs on this server: model calls from the usage of all workspaces, graphs from the jobs of their
// pool. Only median, p90 and count are shown, never whose runs they were. Used only for estimates: the database is asked at
// most once a minute, and no call or job waits for it.

import type { Clock } from "../../foundation/clock.ts";
import type { Queryable } from "../../foundation/database/index.ts";
import type { Log } from "../../foundation/log.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";
import type { ExpectedSeconds, PastRuns } from "../../foundation/past-runs.ts";
import { expectedFrom } from "../../foundation/run-times.ts";
import { findTimesOfSubject } from "../calls/shared-sql.ts";
import { likeJobsOf } from "./submitting/like-jobs.ts";
import { findTimesOfLikeJobs } from "./submitting/past-jobs-store.ts";

export interface PastRunsDeps {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly log: Log;
}

const keepMs = 60_000;
const subjectsMax = 5_000;
const daysMax = 7;
const countMax = 200;

export function createPastRuns({ database, clock, log }: PastRunsDeps): PastRuns {
  const known = new TtlCache<string, ExpectedSeconds | null>({ clock, keepMs, entriesMax: subjectsMax });

  async function look(subject: string): Promise<ExpectedSeconds | null> {
    const newest = { since: new Date(clock.now().getTime() - daysMax * 86_400_000), countMax };
    const like = likeJobsOf(subject);
    try {
      const times = like
        ? findTimesOfLikeJobs(database, { ...like, ...newest })
        : findTimesOfSubject(database, { subject, ...newest });
      return expectedFrom(await times);
    } catch (error) {
      // An estimate without a duration is better than none, and we ask again in a minute.
      log.warn({ err: error }, "past runs could not be read");
      return null;
    }
  }

  return {
    expectedSeconds(subject) {
      const found = known.getOrLoad(subject, look);
      return found instanceof Promise ? found.then(orAbsent) : orAbsent(found);
    },
  };
}

const orAbsent = (found: ExpectedSeconds | null): ExpectedSeconds | undefined => found ?? undefined;
