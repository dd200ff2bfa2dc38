// The audit's two operations: `append` inside the transaction of the action, so that neither exists without the other,
// and `list` for later readers. Entries never change; they are only deleted after the retention.
import type { Database, Queryable } from "../../foundation/database/index.ts";
import { newId } from "../../foundation/ids.ts";
import type { AuditEntry, AuditFilter, AuditPosition, NewAuditEntry } from "./audit-entry.ts";
import { forgetEntries, insertEntry, listEntries } from "./audit-store.ts";
import { redact, storable } from "./redact.ts";

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  // Null on the last page.
  readonly next: AuditPosition | null;
}

export interface Audit {
  append(tx: Queryable, entry: NewAuditEntry): Promise<void>;
  list(query: { filter: AuditFilter; before: AuditPosition | null; limit: number }): Promise<AuditPage>;
  // Deletes entries past the retention, in small steps. Returns how many.
  forgetOld(signal: AbortSignal): Promise<number>;
}

export interface AuditOptions {
  readonly database: Database;
  // Used for lists; defaults to the database.
  readonly lists?: Queryable;
  // Decisions, section 8: two years.
  readonly keepDays?: number;
  readonly batchRows?: number;
}

export function createAudit(options: AuditOptions): Audit {
  const { database, lists = database, keepDays = 730, batchRows = 1000 } = options;
  return {
    append: (tx, entry) => insertEntry(tx, toStored(entry)),
    async list({ filter, before, limit }) {
      // Reads one more than requested, to see whether there is a next page.
      const found = await listEntries(lists, { filter, before, count: limit + 1 });
      const entries = found.slice(0, limit);
      const last = entries.at(-1);
      return { entries, next: found.length > limit && last ? { at: last.at, id: last.id } : null };
    },
    async forgetOld(signal) {
      let total = 0;
      while (!signal.aborted) {
        const forgotten = await database.transaction((tx) => forgetEntries(tx, { keepDays, batchRows }));
        total += forgotten;
        if (forgotten < batchRows) break;
      }
      return total;
    },
  };
}

function toStored(entry: NewAuditEntry): Omit<AuditEntry, "at"> {
  const { actor, subject } = entry;
  return {
    id: newId(),
    actor: {
      kind: actor.kind,
      id: actor.id === null ? null : storable(actor.id),
      name: actor.name === undefined ? null : storable(actor.name),
    },
    action: storable(entry.action),
    subject: { kind: storable(subject.kind), id: storable(subject.id) },
    workspaceId: entry.workspaceId ?? null,
    before: entry.before === undefined ? null : redact(entry.before, entry.shown),
    after: entry.after === undefined ? null : redact(entry.after, entry.shown),
    requestId: entry.requestId ?? null,
  };
}
