// The key ring of a running process: the file's ring, kept up to date, or one given as text. Signers use `current`,
// verifiers use `verifying`; both see a rotation as soon as the file has been read again, long before the new key signs.
// If the file becomes unusable, the ring in memory stays in use and the problem is reported. A further ring verifies and
// never signs, so that rings which no process can write can be changed one restart at a time.

import { invariant } from "../../foundation/assert.ts";
import type { Background } from "../../foundation/background.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Fault } from "../../foundation/fault.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { completeRing, endKey, newRing, type Ring, rotateRing, signingKey, verifyingKeys } from "./ring.ts";
import { changeRingFile, createRingFile, readFileStamp, readRingFile } from "./ring-file.ts";
import { allRingPurposes, type RingPurpose } from "./ring-purposes.ts";
import { parseRing, RingUnreadable } from "./ring-text.ts";

export interface RingSecret {
  readonly id: string;
  readonly secret: Buffer;
}

// What signers and verifiers need.
export interface KeyRing {
  current(purpose: string): RingSecret;
  // All keys whose signatures still count, oldest first.
  verifying(purpose: string): readonly RingSecret[];
}

export interface LiveKeyRing extends KeyRing {
  // The keys that may sign, now or later; without those of the further ring.
  keys(): Ring;
  further(): Ring;
  fingerprint(): string;
  // True if the file had changed.
  reload(): Promise<boolean>;
  rotate(purposes: RingPurpose | "all", leadSeconds?: number): Promise<void>;
  end(keyId: string): Promise<void>;
  // Reads the file again whenever it changes, until the signal fires.
  follow(background: Background, signal: AbortSignal): Promise<void>;
}

export interface KeyRingOptions {
  readonly path: string;
  readonly createIfMissing: boolean;
  // Used instead of a file.
  readonly text?: string | null;
  readonly further?: { readonly path: string } | { readonly text: string } | null;
  readonly clock: Clock;
}

const rotationLeadSeconds = 300;
// Much shorter than the lead, so that every process knows a new key before it signs.
const pollSeconds = 10;

export async function openKeyRing(options: KeyRingOptions): Promise<LiveKeyRing> {
  const { path, clock } = options;
  const text = options.text ?? null;
  let seen = await readFileStamp(path);
  let ring = text === null ? await readOrCreate(options) : completeRing(readText(text));
  const further = await readFurther(options.further ?? null);

  async function reload(): Promise<boolean> {
    if (text !== null) return false;
    const stamp = await readFileStamp(path);
    if (stamp === seen) return false;
    const read = await readRingFile(path);
    if (read === null) throw new Fault("service_unavailable", `The key ring ${path} is gone.`);
    ring = completeRing(read);
    seen = stamp;
    return true;
  }

  async function change(apply: (ring: Ring) => Ring): Promise<void> {
    if (text !== null) throw notWritable("it was given as text");
    ring = await changeRingFile(path, (before) => apply(completeRing(before)), clock.now()).catch((thrown: unknown) => {
      if (isReadOnly(thrown)) throw notWritable(`${path} cannot be written`);
      throw thrown;
    });
  }

  return {
    current(purpose) {
      const key = signingKey(ring, purpose, clock.now());
      invariant(key, `the key ring has a key for ${purpose}`);
      return { id: key.id, secret: key.secret };
    },
    verifying: (purpose) =>
      verifyingKeys([...further, ...ring], purpose, clock.now()).map(({ id, secret }) => ({ id, secret })),
    keys: () => ring,
    further: () => further,
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
          everyMs: pollSeconds * 1000,
          begins: "after_pause",
          round: reload,
        },
        signal,
      ),
  };
}

function readText(text: string): Ring {
  try {
    return parseRing(text);
  } catch (thrown) {
    if (!(thrown instanceof RingUnreadable)) throw thrown;
    throw new Fault("service_unavailable", `The key ring given as text cannot be used: ${thrown.message}.`);
  }
}

// Unlike the first, it is read once: it changes only with a restart.
async function readFurther(source: KeyRingOptions["further"]): Promise<Ring> {
  if (source === null || source === undefined) return [];
  if ("text" in source) return readText(source.text);
  const read = await readRingFile(source.path);
  if (read === null) throw new Fault("service_unavailable", `There is no additional key ring at ${source.path}.`);
  return read;
}

function isReadOnly(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && /^(EROFS|EACCES|EPERM)$/.test(String(thrown.code));
}

function notWritable(why: string): Fault {
  return new Fault(
    "conflict",
    `This key ring cannot be changed here: ${why}. Create the next one with \`atelier secrets new\` and switch to it with restarts (docs/BACKUP.md, "Rings that cannot be written").`,
  );
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
  // A ring on a read-only mount is completed in memory, the same way on every server.
  return changeRingFile(path, completeRing, clock.now()).catch(() => complete);
}
