// A batch of beginnings or endings whose COMMIT may get no answer: the connection broke, and we do not know whether the
// statement went through. Then we read the rows by their ids, and the rows decide.
import { CommitUnknown, type Database, isUniqueViolation } from "../../../foundation/database/index.ts";
import type { CallEnding, CallOpening, OwnerId } from "../call/call-opening.ts";
import { findCalls } from "../call/call-store.ts";
import type { StoredCall } from "../call/stored-call.ts";
import { beginBatch } from "./begin-batch.ts";
import { beginCalls } from "./begin-store.ts";
import type { BeginVerdict } from "./begin-verdict.ts";
import { finishCalls } from "./finish-store.ts";

type Begin = (database: Database, openings: readonly CallOpening[], ownerId: OwnerId) => Promise<BeginVerdict[]>;

export const beginOnce: Begin = (...asked) => once(beginBatch, ...asked);

// Uses the exact statement, for callers that know the slim one will not work.
export const beginExactlyOnce: Begin = (...asked) => once(beginCalls, ...asked);

// The lost statement may still go through after we looked. Then its row blocks the next attempt.
async function once(begin: Begin, ...[database, openings, ownerId]: Parameters<Begin>): Promise<BeginVerdict[]> {
  try {
    return await begin(database, openings, ownerId);
  } catch (error) {
    if (error instanceof CommitUnknown) return lostBegins(database, openings, ownerId);
    // In a batch we do not know yet which one came late. The batch is halved until it is alone.
    if (!isUniqueViolation(error, "calls_pkey") || openings.length > 1) throw error;
    const stored = await storedOf(database, openings);
    // Another process took it over before we learned it had begun: it is not ours to send, and we must not begin it twice.
    if (!stored.every((call) => isOwnedBy(call, ownerId))) throw new CommitUnknown(error);
    return verdictsBy(stored, openings, ownerId);
  }
}

// A lost COMMIT answer is settled by reading the ids: calls stored under our owner id have begun, the rest have not.
export const lostBegins: Begin = async (database, openings, ownerId) =>
  verdictsBy(await storedOf(database, openings), openings, ownerId);

function storedOf(database: Database, openings: readonly CallOpening[]): Promise<StoredCall[]> {
  return findCalls(
    database,
    openings.map((opening) => opening.id),
  );
}

const isOwnedBy = (call: StoredCall, ownerId: OwnerId) => call.ownerId === ownerId && call.fence === 1;

function verdictsBy(stored: readonly StoredCall[], openings: readonly CallOpening[], ownerId: OwnerId): BeginVerdict[] {
  const begun = new Set(stored.filter((call) => isOwnedBy(call, ownerId)).map((call) => call.id));
  return openings.map((opening) => (begun.has(opening.id) ? { kind: "begun", inFlight: 0 } : { kind: "again" }));
}

// Each ending is decided separately: if another process ended one call, that says nothing about the rest of the batch.
export async function finishOnce(
  database: Database,
  endings: readonly CallEnding[],
): Promise<(boolean | CommitUnknown)[]> {
  try {
    const done = await finishCalls(database, endings);
    return endings.map((_, index) => done.has(index));
  } catch (error) {
    if (!(error instanceof CommitUnknown)) throw error;
    return lostEndings(database, endings, error);
  }
}

// A call still open under our fence is undecided: the lost statement may still go through.
export async function lostEndings(
  database: Database,
  endings: readonly CallEnding[],
  error: CommitUnknown,
): Promise<(boolean | CommitUnknown)[]> {
  const stored = await findCalls(
    database,
    endings.map((ending) => ending.call.id),
  );
  const byId = new Map(stored.map((call) => [call.id, call]));
  return endings.map(({ call }) => {
    const found = byId.get(call.id);
    if (found?.fence !== call.fence) return false;
    return found.state === "open" ? error : true;
  });
}
