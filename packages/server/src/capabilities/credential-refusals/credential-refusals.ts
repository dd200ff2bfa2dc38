// Records that a provider or partner refused this server's credential. Only the operator can fix that, so we tell the
// operator: in the log at most once a minute for each, and in `atelier doctor` for a day. Never makes a call wait or
// fail.
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import type { Log } from "../../foundation/log.ts";
import { upsertRefusal } from "./refusal-store.ts";
import type { StoredRefusal } from "./stored-refusal.ts";

export interface CredentialRefusals {
  note(refusal: Omit<StoredRefusal, "times" | "lastAt">): void;
}

const quietMs = 60_000;

export function createCredentialRefusals(deps: {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}): CredentialRefusals {
  const logged = new Map<string, { atMs: number; since: number }>();
  return {
    note(refusal) {
      const key = `${refusal.holder} ${refusal.setting} ${refusal.status}`;
      const nowMs = deps.clock.monotonicMs();
      const before = logged.get(key);
      if (before && nowMs - before.atMs < quietMs) {
        before.since += 1;
        return;
      }
      const times = 1 + (before?.since ?? 0);
      logged.set(key, { atMs: nowMs, since: 0 });
      const { holder, setting, status, words } = refusal;
      deps.log.warn(
        { holder, setting, status, words, times },
        `${holder} rejected the credential in ${setting}: the operator must fix it`,
      );
      upsertRefusal(deps.database, { ...refusal, times }).catch((err: unknown) =>
        deps.log.info({ err, setting }, "a rejected credential could not be recorded"),
      );
    },
  };
}
