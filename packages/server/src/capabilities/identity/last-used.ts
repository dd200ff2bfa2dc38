// Records when a key was last used, in the background: at most once a minute per key, many keys in one statement.
// Requests never wait for it, and a process that dies loses at most the last few seconds.
import type { Background } from "../../foundation/background.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Queryable } from "../../foundation/database/database.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";
import { type KeyUse, writeLastUsed } from "./key-store.ts";
import type { KeyPrincipal } from "./principal.ts";

export interface LastUsed {
  note(principal: KeyPrincipal): void;
  // Rejects if it cannot be written; unwritten uses are kept for the next time.
  flush(): Promise<void>;
  // Flushes every few seconds until the signal fires, and once more then.
  run(background: Background, signal: AbortSignal): Promise<void>;
}

const noteEveryMs = 60_000;
const flushEveryMs = 5_000;
const batchMax = 1_000;
const keysMax = 20_000;

export function createLastUsed(deps: { db: Queryable; clock: Clock }): LastUsed {
  const { db, clock } = deps;
  const noted = new TtlCache<string, true>({ clock, keepMs: noteEveryMs, entriesMax: keysMax });
  const waiting = new Map<string, KeyUse>();

  function note(principal: KeyPrincipal): void {
    // The database also enforces the minute, so forgetting early costs a statement and breaks nothing.
    if (noted.get(principal.keyId)) return;
    noted.set(principal.keyId, true);
    if (waiting.size >= keysMax) return;
    waiting.set(principal.keyId, {
      workspaceId: principal.workspaceId,
      keyId: principal.keyId,
      usedAt: clock.now(),
    });
  }

  async function flush(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting.values()].slice(0, batchMax);
      for (const use of batch) waiting.delete(use.keyId);
      try {
        await writeLastUsed(db, batch);
      } catch (thrown) {
        for (const use of batch) if (!waiting.has(use.keyId)) waiting.set(use.keyId, use);
        throw thrown;
      }
    }
  }

  return {
    note,
    flush,
    async run(background, signal) {
      const work = {
        name: "keys: write their last use",
        everyMs: flushEveryMs,
        begins: "after_pause",
        round: flush,
      } as const;
      await background.run(work, signal);
      await flush();
    },
  };
}
