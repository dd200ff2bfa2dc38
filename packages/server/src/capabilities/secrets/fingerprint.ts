// Do all servers have the same key ring? Each announces a hash per key in the database and compares. We must be able to
// verify what another server signs. So a ring differs, and its server is not ready, if it lacks a key that others sign
// with, has another secret under the same id, or still trusts an ended key (decisions, section 7). A rotation in progress
// is tolerated: a key that has not begun to sign may still be unknown here, since the file is read again well before it
// does.
import { createHash } from "node:crypto";
import type { Ring, RingKey } from "./ring.ts";

// What the database may know about a key: the hash of 32 random bytes reveals nothing.
export interface KeyMark {
  readonly id: string;
  readonly purpose: string;
  readonly mark: string;
  readonly signFrom: Date;
  readonly verifyUntil: Date | null;
}

export type Agreement =
  // `announce` lists what the database does not know yet, or knows differently.
  | { readonly agreed: true; readonly announce: readonly KeyMark[] }
  | { readonly agreed: false; readonly reason: string };

export function marksOf(ring: Ring): KeyMark[] {
  return ring.map((key) => ({
    id: key.id,
    purpose: key.purpose,
    mark: markOf(key),
    signFrom: key.signFrom,
    verifyUntil: key.verifyUntil,
  }));
}

// One line for people: equal rings show equal fingerprints, in any order of entries.
export function fingerprintOf(ring: Ring): string {
  const hash = createHash("sha256").update("atelier key ring\n");
  for (const mark of ring.map(markOf).sort()) hash.update(`${mark}\n`);
  return hash.digest("hex");
}

// `further` are keys that are trusted here but do not sign; they are not announced.
export function compareRings(ring: Ring, known: readonly KeyMark[], now: Date, further: Ring = []): Agreement {
  const own = marksOf(ring);
  const ownById = new Map([...marksOf(further), ...own].map((key) => [key.id, key]));
  for (const theirs of known) {
    const ours = ownById.get(theirs.id);
    const reason = ours ? differs(ours, theirs, now) : lacks(theirs, now);
    if (reason !== null) return { agreed: false, reason };
  }
  const knownById = new Map(known.map((key) => [key.id, key]));
  return { agreed: true, announce: own.filter((key) => isNews(key, knownById.get(key.id), now)) };
}

function differs(ours: KeyMark, theirs: KeyMark, now: Date): string | null {
  if (ours.mark !== theirs.mark) {
    return `The key ring differs from the other servers': key ${ours.id} (${ours.purpose}) has a different secret here.`;
  }
  if (!isLive(theirs, now) && isLive(ours, now)) {
    return `The key ring differs from the other servers': key ${ours.id} (${ours.purpose}) was revoked, but is still trusted here.`;
  }
  return null;
}

function lacks(theirs: KeyMark, now: Date): string | null {
  if (theirs.signFrom > now || !isLive(theirs, now)) return null;
  return `The key ring differs from the other servers': key ${theirs.id} (${theirs.purpose}) is missing here. Give every server the same file; if it is lost for good, run \`atelier secrets adopt\`.`;
}

function isNews(ours: KeyMark, theirs: KeyMark | undefined, now: Date): boolean {
  if (!theirs) return isLive(ours, now);
  return ours.verifyUntil !== null && (theirs.verifyUntil === null || ours.verifyUntil < theirs.verifyUntil);
}

function isLive(key: KeyMark, now: Date): boolean {
  return key.verifyUntil === null || now < key.verifyUntil;
}

function markOf(key: RingKey): string {
  const hash = createHash("sha256").update(`atelier key\n${JSON.stringify([key.id, key.purpose])}\n`);
  return hash.update(key.secret).digest("hex");
}
