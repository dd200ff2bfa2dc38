// The key ring as a value: which key signs, which keys verify, and what a rotation does to them. Nothing here reads a
// file or a clock. A new key signs only after a lead (five minutes), so that every process knows it before the first
// signature made with it arrives; the old key verifies until everything it signed has expired.
import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { Fault } from "../../foundation/fault.ts";
import { allRingPurposes, isRingPurpose, type RingPurpose, ringPurposes } from "./ring-purposes.ts";

export const secretBytes = 32;

export interface RingKey {
  readonly id: string;
  // A purpose unknown to this version is kept, because a newer version may have written it.
  readonly purpose: string;
  readonly secret: Buffer;
  readonly signFrom: Date;
  readonly signUntil: Date | null;
  readonly verifyUntil: Date | null;
}

export type Ring = readonly RingKey[];

export function newRing(now: Date): Ring {
  return allRingPurposes.map((purpose) => newKey(purpose, now));
}

// The key that signs now: of those in their signing time, the one that began last. If a slow clock sees none, the one
// that begins first signs, since refusing to sign would stop the whole server.
export function signingKey(ring: Ring, purpose: string, now: Date): RingKey | null {
  const keys = ring.filter((key) => key.purpose === purpose && isVerifying(key, now)).sort(byStart);
  const signing = keys.filter((key) => key.signFrom <= now && (key.signUntil === null || now < key.signUntil));
  return signing.at(-1) ?? keys[0] ?? null;
}

// Includes keys that have not begun to sign: a process whose clock is ahead may already use one.
export function verifyingKeys(ring: Ring, purpose: string, now: Date): RingKey[] {
  return ring.filter((key) => key.purpose === purpose && isVerifying(key, now)).sort(byStart);
}

function isVerifying(key: RingKey, now: Date): boolean {
  return key.verifyUntil === null || now < key.verifyUntil;
}

export interface Rotation {
  readonly purposes: readonly RingPurpose[];
  readonly leadSeconds: number;
  readonly now: Date;
}

// Refused as a whole while a key of one of the purposes is still waiting to sign: a second new key would displace the
// first before every process had used it.
export function rotateRing(ring: Ring, rotation: Rotation): Ring {
  const { now, purposes } = rotation;
  const waiting = ring.filter((key) => purposes.some((purpose) => purpose === key.purpose) && key.signFrom > now);
  if (waiting.length > 0) {
    const last = new Date(Math.max(...waiting.map((key) => key.signFrom.getTime())));
    throw new Fault(
      "conflict",
      `A rotation is in progress: new keys for ${waiting.map((key) => key.purpose).join(", ")} sign from ${last.toISOString()}. Rotate again after that. To revoke a leaked key at once: atelier secrets end <key id>`,
    );
  }
  const signFrom = new Date(now.getTime() + rotation.leadSeconds * 1000);
  const kept = withoutLongEnded(ring, now).map((key) => {
    if (!isRingPurpose(key.purpose) || !purposes.includes(key.purpose) || key.signUntil !== null) return key;
    const { validitySeconds } = ringPurposes[key.purpose];
    const verifyUntil = validitySeconds === null ? null : new Date(signFrom.getTime() + validitySeconds * 1000);
    return { ...key, signUntil: signFrom, verifyUntil };
  });
  return [...kept, ...purposes.map((purpose) => newKey(purpose, signFrom))];
}

// The emergency brake, and the end of a seal key whose data was resealed: from now on the key neither signs nor verifies.
// If it was the signing key, a new key takes over immediately. The entry stays, so that a server that still trusts the
// key is found to differ.
export function endKey(ring: Ring, keyId: string, now: Date): Ring {
  const ended = ring.find((key) => key.id === keyId);
  if (!ended) throw new Fault("not_found", `The key ring has no key ${keyId}.`);
  const rest = ring.map((key) =>
    key === ended
      ? { ...key, signUntil: earlier(key.signUntil, now), verifyUntil: earlier(key.verifyUntil, now) }
      : key,
  );
  if (!isRingPurpose(ended.purpose)) return rest;
  const successor = rest.some((key) => key.purpose === ended.purpose && key.signFrom <= now && key.signUntil === null);
  return successor ? rest : [...rest, newKey(ended.purpose, now)];
}

// Gives keys to purposes that a newer version added. They are derived from the oldest seal key and not random, so that
// servers with equal copies of a ring complete it equally and still agree during a rolling upgrade.
export function completeRing(ring: Ring): Ring {
  const missing = allRingPurposes.filter((purpose) => !ring.some((key) => key.purpose === purpose));
  if (missing.length === 0) return ring;
  const root = ring.filter((key) => key.purpose === "seal").sort(byStart)[0];
  if (!root) throw new Fault("service_unavailable", "The key ring has no key with the purpose seal.");
  const derived = missing.map((purpose) => {
    const secret = Buffer.from(hkdfSync("sha256", root.secret, "", `atelier key ring\n${purpose}`, secretBytes));
    return { ...openEnded(purpose, root.signFrom), id: idOf(secret), secret };
  });
  return [...ring, ...derived];
}

function newKey(purpose: RingPurpose, signFrom: Date): RingKey {
  const secret = randomBytes(secretBytes);
  return { ...openEnded(purpose, signFrom), id: idOf(secret), secret };
}

function openEnded(purpose: RingPurpose, signFrom: Date) {
  return { purpose, signFrom, signUntil: null, verifyUntil: null };
}

// An id reveals nothing about its secret, but equal secrets have equal ids on every machine.
function idOf(secret: Buffer): string {
  return createHash("sha256").update("atelier key id\n").update(secret).digest("hex").slice(0, 12);
}

const longEndedMs = 24 * 3600 * 1000;

function withoutLongEnded(ring: Ring, now: Date): RingKey[] {
  return ring.filter((key) => key.verifyUntil === null || now.getTime() < key.verifyUntil.getTime() + longEndedMs);
}

function byStart(a: RingKey, b: RingKey): number {
  return a.signFrom.getTime() - b.signFrom.getTime() || (a.id < b.id ? -1 : 1);
}

function earlier(date: Date | null, now: Date): Date {
  return date !== null && date < now ? date : now;
}
