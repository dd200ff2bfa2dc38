// How bytes are stored. The order of the steps is the guarantee, and a model checker agreed with it: bytes flushed and
// PIN (one commit), then named and flushed, then COMMIT of the reference together with the end of the pin, then the
// answer. Naming the file before the pin would let a collector remove it in between.

import { invariant } from "../../../foundation/assert.ts";
import { CommitUnknown, type Queryable } from "../../../foundation/database/index.ts";
import { Fault, isAway } from "../../../foundation/fault.ts";
import { newId } from "../../../foundation/ids.ts";
import type { Staging } from "../blob-storage.ts";
import { type Pin, removePin, type WantedPin } from "../blob-store.ts";
import type { BlobsParts } from "../blobs-parts.ts";
import { storageFault } from "../storage-fault.ts";
import { collectOne } from "./collect-blobs.ts";
import { receiveBytes } from "./receive-bytes.ts";

export interface KeptBlob {
  // 64 lower-case hexadecimal digits of BLAKE3.
  readonly hash: string;
  readonly size: number;
}

export interface KeepOptions<T> {
  readonly bytesMax: number;
  readonly expectedHash?: string;
  readonly signal?: AbortSignal;
  // Uploads of one group that are ready at the same time share a transaction. All uploads of a group lock the same rows
  // last.
  readonly group?: string;
  // Runs in the transaction that makes the blob visible. It may run again, so it must only act on the database. It must
  // `hold` the blob, or the collector removes it.
  commit(tx: Queryable, blob: KeptBlob): Promise<T>;
}

// A collector is done with a blob in milliseconds. A dead one is replaced only after minutes, too long to hold a request.
const waitForCollectorMs = 15_000;
const lookAgainMs = 20;

export async function keepBlob<T>(
  parts: BlobsParts,
  source: AsyncIterable<Uint8Array>,
  options: KeepOptions<T>,
): Promise<T> {
  await requireSpace(parts);
  const staging = await parts.storage.stage();
  try {
    const blob = await receiveBytes(source, staging, await parts.blake3(), {
      bytesMax: options.bytesMax,
      signal: options.signal,
      pools: parts.pools,
      requireSpace: () => requireSpace(parts),
    });
    const { expectedHash } = options;
    if (expectedHash !== undefined && expectedHash !== blob.hash) throw hashMismatch(expectedHash, blob.hash);
    options.signal?.throwIfAborted();
    return await commitStaged(parts, staging, blob, options);
  } finally {
    await staging
      .discard()
      .catch((err: unknown) => parts.log.warn({ err }, "an upload's temporary bytes could not be removed"));
  }
}

// If a pin expired before the commit, a collector may have come in between, so everything from the pin on is repeated.
async function commitStaged<T>(
  parts: BlobsParts,
  staging: Staging,
  blob: KeptBlob,
  options: KeepOptions<T>,
): Promise<T> {
  const sealing = staging.seal(blob.hash);
  for (;;) {
    const id = newId();
    const pin = await pinAndSeal(parts, sealing, { ...blob, id }, options.signal);
    try {
      await staging.publish(blob.hash, { size: blob.size, replace: pin.isSuspect, isLikelyThere: !pin.isNew });
      const committed = await parts.commit(options.group, {
        pinId: id,
        hash: blob.hash,
        isSuspect: pin.isSuspect,
        commit: (tx) => options.commit(tx, blob),
      });
      if (committed) return committed.value;
    } catch (thrown) {
      // It may be committed; then the pin is gone and the blob held. Otherwise both expire on their own.
      if (!(thrown instanceof CommitUnknown)) await abandon(parts, { id, pin, blob, thrown });
      throw thrown;
    }
  }
}

// The pin and the flush do not depend on each other, but both must be done before the bytes get their name.
async function pinAndSeal(
  parts: BlobsParts,
  sealing: Promise<void>,
  wanted: WantedPin,
  signal: AbortSignal | undefined,
): Promise<Pin> {
  const [sealed, pinned] = await Promise.allSettled([sealing, pinWhenFree(parts, wanted, signal)]);
  if (sealed.status === "rejected") {
    if (pinned.status === "fulfilled")
      await abandon(parts, { id: wanted.id, pin: pinned.value, blob: wanted, thrown: sealed.reason });
    throw sealed.reason;
  }
  if (pinned.status === "rejected") throw pinned.reason;
  return pinned.value;
}

async function pinWhenFree(parts: BlobsParts, wanted: WantedPin, signal: AbortSignal | undefined): Promise<Pin> {
  const { clock } = parts;
  const giveUpAtMs = clock.monotonicMs() + waitForCollectorMs;
  for (;;) {
    signal?.throwIfAborted();
    const pin = await parts.pin(wanted);
    if (pin) {
      invariant(pin.size === wanted.size, `two sizes for ${wanted.hash}`);
      return pin;
    }
    if (clock.monotonicMs() >= giveUpAtMs) {
      throw new Fault("service_unavailable", "The same bytes are being removed right now. Try again shortly.", {
        retryAfterSeconds: 30,
      });
    }
    await clock.sleep(lookAgainMs, signal);
  }
}

interface Abandoned {
  readonly id: string;
  readonly pin: Pin;
  readonly blob: KeptBlob;
  readonly thrown: unknown;
}

// The caller refused after all (a quota, a conflict), or we failed. Bytes that only this upload brought are removed right
// away and not after the grace, because refused uploads must not fill the disk. The exception is when the store itself is
// down: it could not remove anything either, and a row left half removed would refuse the same bytes, with which the
// caller will soon be back.
async function abandon(parts: BlobsParts, { id, pin, blob, thrown }: Abandoned): Promise<void> {
  try {
    await removePin(parts.database, id);
    if (pin.isNew && !isAway(thrown)) await collectOne(parts, blob.hash);
  } catch (err) {
    parts.log.warn({ err, hash: blob.hash }, "a failed upload is left to the garbage collector");
  }
}

export async function requireSpace(parts: BlobsParts, bytes = 0): Promise<void> {
  const problem = await parts.storage.spaceProblem(bytes).catch((thrown: unknown) => {
    throw storageFault(thrown);
  });
  if (problem !== null)
    throw new Fault("storage_full", "There is no space left to store these bytes.", { cause: problem });
}

// One message wherever this is found, with hashes in the wire's spelling.
export function hashMismatch(expected: string, actual: string): Fault {
  return new Fault("hash_mismatch", "The bytes do not match the declared hash; nothing was stored.", {
    details: { expected_hash: `blake3:${expected}`, actual_hash: `blake3:${actual}` },
  });
}
