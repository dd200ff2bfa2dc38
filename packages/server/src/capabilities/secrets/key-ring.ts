// The key ring of a running process: the file's ring, kept up to date. Signers ask `current`, verifiers
// asks `verifying`; both see a rotation as soon as the file was read again, long before the new key signs.
// A file that has become unusable changes nothing here: the ring in memory goes on and the problem is reported.

import { invariant } from "../../foundation/assert.ts";
import type { Background } from "../../foundation/background.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Fault } from "../../foundation/fault.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { completeRing, endKey, newRing, type Ring, rotateRing, signingKey, verifyingKeys } from "./ring.ts";
import { changeRingFile, createRingFile, readRingFile, stampOfFile } from "./ring-file.ts";
import { allRingPurposes, type RingPurpose } from "./ring-purposes.ts";

export interface RingSecret {
  readonly id: string;
  readonly secret: Buffer;
}

// What those who sign and verify need.
export interface KeyRing {
  current(purpose: string): RingSecret;
  // Everything whose signature still counts, the oldest first.
  verifying(purpose: string): readonly RingSecret[];
}

export interface LiveKeyRing extends KeyRing {
  keys(): Ring;
  fingerprint(): string;
  // True when the file had changed.
  reload(): Promise<boolean>;
  rotate(purposes: RingPurpose | "all", leadSeconds?: number): Promise<void>;
  end(keyId: string): Promise<void>;
  // Reads the file again whenever it changes, until the signal fires.
  follow(background: Background, signal: AbortSignal): Promise<void>;
}

export interface KeyRingOptions {
  readonly path: string;
  readonly createIfMissing: boolean;
  readonly clock: Clock;
  // Far below the lead of a rotation, so that every process knows a new key before it signs.
  readonly pollSeconds?: number;
}

const rotationLeadSeconds = 300;

export async function openKeyRing(options: KeyRingOptions): Promise<LiveKeyRing> {
  const { path, clock } = options;
  let seen = await stampOfFile(path);
  let ring = await readOrCreate(options);

  async function reload(): Promise<boolean> {
    const stamp = await stampOfFile(path);
    if (stamp === seen) return false;
    const read = await readRingFile(path);
    if (read === null) throw new Fault("service_unavailable", `The key ring ${path} is gone.`);
    ring = completeRing(read);
    seen = stamp;
    return true;
  }

  async function change(apply: (ring: Ring) => Ring): Promise<void> {
    ring = await changeRingFile(path, (before) => apply(completeRing(before)), clock.now());
  }

  return {
    current(purpose) {
      const key = signingKey(ring, purpose, clock.now());
      invariant(key, `the key ring has a key for ${purpose}`);
      return { id: key.id, secret: key.secret };
    },
    verifying: (purpose) => verifyingKeys(ring, purpose, clock.now()).map(({ id, secret }) => ({ id, secret })),
    keys: () => ring,
    fingerprint: () => fingerprintOf(ring),
    reload,
    rotate: (purposes, leadSeconds = rotationLeadSeconds) =>
      change((before) =>
        rotateRing(before, {
          purposes: purposes === "all" ? allRingPurposes : [purposes],
          leadSeconds,
          now: clock.now(),
        }),
      ),
    end: (keyId) => change((before) => endKey(before, keyId, clock.now())),
    follow: (background, signal) =>
      background.run(
        {
          name: "secrets: read a changed key ring",
          everyMs: (options.pollSeconds ?? 10) * 1000,
          begins: "after_pause",
          round: reload,
        },
        signal,
      ),
  };
}

async function readOrCreate(options: KeyRingOptions): Promise<Ring> {
  const { path, clock } = options;
  let ring = await readRingFile(path);
  if (ring === null && options.createIfMissing) {
    await createRingFile(path, newRing(clock.now()));
    ring = await readRingFile(path);
  }
  if (ring === null) throw new Fault("service_unavailable", `There is no key ring at ${path}.`);
  const complete = completeRing(ring);
  if (complete === ring) return ring;
  // A ring on a read-only mount is completed in memory, equally on every server.
  return changeRingFile(path, completeRing, clock.now()).catch(() => complete);
}
