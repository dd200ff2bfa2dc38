// Chooses the begin statement for a batch: the slim one if it can work, the exact one for everything else. Both give the
// same verdicts; a retry that is replayed or joined is answered from the slim statement's lookup.
import { isUniqueViolation, type Queryable } from "../../../foundation/database/index.ts";
import type { CallOpening, OwnerId } from "../call/call-opening.ts";
import { beginFreshCalls, type FreshAnswer, type FreshCalls, type KnownKey } from "./begin-fresh-store.ts";
import { beginCalls } from "./begin-store.ts";
import type { BeginVerdict } from "./begin-verdict.ts";

// One verdict per opening, in the same order.
export function beginBatch(db: Queryable, openings: readonly CallOpening[], ownerId: OwnerId): Promise<BeginVerdict[]> {
  return beginAll(db, openings, ownerId, (error) => {
    // Another process took one of the keys while we waited for the wallet. Nothing was written.
    if (isUniqueViolation(error, "call_keys_pkey")) return null;
    throw error;
  });
}

// As part of another capability's transaction. If another process takes a key meanwhile, the transaction fails with a
// violation of call_keys_pkey; run it again with `isExact`.
export function beginWithin(
  tx: Queryable,
  openings: readonly CallOpening[],
  ownerId: OwnerId,
  isExact: boolean,
): Promise<BeginVerdict[]> {
  if (isExact) return beginCalls(tx, openings, ownerId);
  return beginAll(tx, openings, ownerId, (error) => {
    throw error;
  });
}

async function beginAll(
  db: Queryable,
  openings: readonly CallOpening[],
  ownerId: OwnerId,
  refused: (error: unknown) => null,
): Promise<BeginVerdict[]> {
  const calls = selectFreshCalls(openings, ownerId);
  if (calls === null) return beginCalls(db, openings, ownerId);
  const answer = await beginFreshCalls(db, calls).catch(refused);
  if (answer === null) return beginCalls(db, openings, ownerId);
  return readVerdicts(answer, openings, {
    exactly: () => beginCalls(db, openings, ownerId),
    others: (some) => beginAll(db, some, ownerId, refused),
  });
}

// Null if the slim statement cannot tell the openings apart.
export function selectFreshCalls(openings: readonly CallOpening[], ownerId: OwnerId): FreshCalls | null {
  const keys = keysOfOneWorkspace(openings);
  const first = openings[0];
  if (keys === null || first === undefined) return null;
  return { workspaceId: first.workspaceId, keys, openings: openings.filter((opening) => opening.isValid), ownerId };
}

export interface OtherWays<Verdict, Opening> {
  // Begins all of them with the exact statement.
  exactly(): Promise<Verdict[]>;
  others(some: readonly Opening[]): Promise<Verdict[]>;
}

// Turns the slim statement's answer into a verdict for each opening, and handles the rest if it wrote nothing.
export async function readVerdicts<Other = BeginVerdict, Opening extends CallOpening = CallOpening>(
  answer: FreshAnswer,
  openings: readonly Opening[],
  ways: OtherWays<BeginVerdict | Other, Opening>,
): Promise<(BeginVerdict | Other)[]> {
  if (answer.known.some((known) => known.isOver)) return ways.exactly();
  if (answer.known.length > 0) return answerKnown(openings, answer.known, ways.others);
  const valid = openings.filter((opening) => opening.isValid);
  if (answer.inFlight === null) {
    if (valid.length > 0) return ways.exactly();
    return openings.map(() => ({ kind: "invalid" }));
  }
  let inFlight = answer.inFlight - valid.filter((opening) => opening.takesSlot).length;
  return openings.map((opening) => {
    if (!opening.isValid) return { kind: "invalid" };
    if (opening.takesSlot) inFlight += 1;
    return { kind: "begun", inFlight };
  });
}

// The others begin right away and not in the next batch: if every batch contained a retry, they would wait for ever.
async function answerKnown<Other, Opening extends CallOpening>(
  openings: readonly Opening[],
  known: readonly KnownKey[],
  begin: (others: readonly Opening[]) => Promise<(BeginVerdict | Other)[]>,
): Promise<(BeginVerdict | Other)[]> {
  const byKey = new Map(known.map((one) => [one.key, one]));
  const knownTo = ({ idempotencyKey }: CallOpening) =>
    idempotencyKey === null ? undefined : byKey.get(idempotencyKey);
  const others = openings.filter((opening) => knownTo(opening) === undefined);
  const verdicts = others.length === 0 ? [] : await begin(others);
  const rest = verdicts.values();
  return openings.map((opening) => {
    const found = knownTo(opening);
    return found ? verdictOf(opening, found) : (rest.next().value ?? { kind: "again" });
  });
}

function verdictOf(opening: CallOpening, known: KnownKey): BeginVerdict {
  // A call that moved here does not say what its request was: it counts as the same.
  const isComparable = known.fingerprint.byteLength > 0;
  if (isComparable && !known.fingerprint.equals(opening.fingerprint)) return { kind: "mismatch" };
  if (known.answeredAt === null) return { kind: "join", callId: known.callId };
  return { kind: "replay", callId: known.callId, answeredAt: known.answeredAt };
}

// Null if the openings belong to several workspaces, whose wallets must be locked in order, or if two share a key, because
// then one of them has to wait.
function keysOfOneWorkspace(openings: readonly CallOpening[]): readonly string[] | null {
  const keys = new Set<string>();
  let keyed = 0;
  for (const opening of openings) {
    if (opening.workspaceId !== openings[0]?.workspaceId) return null;
    if (opening.idempotencyKey === null) continue;
    keys.add(opening.idempotencyKey);
    keyed += 1;
  }
  return keys.size === keyed ? [...keys] : null;
}
