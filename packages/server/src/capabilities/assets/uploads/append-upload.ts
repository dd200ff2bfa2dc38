// Appends one request's bytes to a resumable upload. A lease in the row allows one writer at a time across all processes.
// Every few seconds or megabytes the bytes so far become a part in the blob store, and row, part and lease change
// together. So a lost connection costs little, a dead process blocks others only briefly, and a writer that lost its
// lease adds nothing. A request with a checksum is one part of any length: it is kept whole or not at all.
import type { Clock } from "../../../foundation/clock.ts";
import type { Database, Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId } from "../../../foundation/ids.ts";
import type { KeptBlob } from "../../blobs/index.ts";
import { addWithinQuota, type StoreAssetDeps } from "../store-asset.ts";
import type { Upload } from "./upload.ts";
import type { Checksum } from "./upload-checksum.ts";
import { addUploadPart } from "./upload-parts.ts";
import { advanceUpload, claimWriter, endWriter, setUploadLength } from "./upload-store.ts";

export interface AppendDeps extends StoreAssetDeps {
  readonly database: Database;
}

export interface Append {
  readonly upload: Upload;
  // The upload's length if this request declares it, else null.
  readonly newLength: number | null;
  // The most bytes accepted while the upload's length is unknown.
  readonly bytesMax: number;
  readonly checksum: Checksum | null;
  readonly source: AsyncIterable<Uint8Array>;
  // Stops the writer; bytes received so far are kept.
  readonly signal: AbortSignal;
}

const leaseSeconds = 30;
const partMs = 5_000;
const partBytes = 32 * 1024 * 1024;

// Returns the upload as it is now, with fewer bytes than were sent if the sender went away. Throws conflict if another
// writer is active, and payload_too_large if more came than was announced; without a checksum, bytes that fit are kept
// either way. Throws hash_mismatch if the checksum fails, and quota_exceeded if the length or the bytes exceed the quota.
export async function appendToUpload(deps: AppendDeps, append: Append): Promise<Upload> {
  const { signal } = append;
  const claim = { uploadId: append.upload.id, writer: newId(), leaseSeconds };
  const upload = await claimUpload(deps, append, claim);
  const coming = bytesThatCome(append.source, signal);
  try {
    const { received, isTooMuch } = await keepParts(deps, { ...append, upload }, coming, claim);
    if (isTooMuch) throw tooMuch();
    // If we were stopped after the last byte, this writer completes the upload, because no other will.
    if (signal.aborted && received !== upload.length) throw busy();
    return { ...upload, received };
  } finally {
    // Not awaited: the source may be waiting for bytes and would block us.
    coming.return(undefined).catch(() => undefined);
    await endWriter(deps.database, claim);
  }
}

interface Claim {
  readonly uploadId: Upload["id"];
  readonly writer: string;
  readonly leaseSeconds: number;
}

// Sets the lease and, if this request declares it, the length together, so that no other writer misses the length.
async function claimUpload(deps: AppendDeps, { upload, newLength }: Append, claim: Claim): Promise<Upload> {
  const writer = { ...claim, now: deps.clock.now(), offset: upload.received };
  const withLength = async (db: Queryable): Promise<Upload> => {
    const claimed = await claimWriter(db, writer);
    if (claimed === null) throw busy();
    return { ...upload, length: claimed.length };
  };
  if (newLength === null) return withLength(deps.database);
  return deps.database.transaction(async (tx) => {
    const claimed = await withLength(tx);
    if (claimed.length === newLength) return claimed;
    if (claimed.length !== null) throw otherLength();
    await setUploadLength(tx, { ...upload, length: newLength });
    await addWithinQuota(deps, tx, upload.workspaceId, { reservedBytes: newLength - upload.received });
    return { ...claimed, length: newLength };
  });
}

interface Kept {
  readonly received: number;
  readonly isTooMuch: boolean;
}

async function keepParts(
  deps: AppendDeps,
  { upload, bytesMax, checksum, signal }: Append,
  coming: AsyncGenerator<Uint8Array>,
  claim: Claim,
): Promise<Kept> {
  const { blobs, clock } = deps;
  let received = upload.received;
  for (;;) {
    const first = await coming.next();
    if (first.done) {
      if (received === upload.received && !signal.aborted) checksum?.require();
      return { received, isTooMuch: false };
    }
    const room = (upload.length ?? bytesMax) - received;
    if (room === 0) return { received, isTooMuch: first.value.byteLength > 0 };
    const part = new Part(coming, { room, clock, checksum, signal });
    const start = received;
    received = await blobs.keep(part.bytes(first.value), {
      bytesMax: room,
      commit: async (tx: Queryable, { hash, size }: KeptBlob) => {
        const reached = start + size;
        if (!(await advanceUpload(tx, { ...claim, now: clock.now(), received: reached }))) throw busy();
        if (size > 0) await addUploadPart(deps, tx, upload.id, { start, size, hash });
        // Nothing was reserved for an upload of unknown length.
        if (upload.length === null) await addWithinQuota(deps, tx, upload.workspaceId, { reservedBytes: size });
        return reached;
      },
    });
    if (part.isTooMuch) return { received, isTooMuch: true };
  }
}

interface PartRules {
  readonly room: number;
  readonly clock: Clock;
  readonly checksum: Checksum | null;
  readonly signal: AbortSignal;
}

// Collects bytes until the part is large or old enough, the room is used up, or the source ends. With a checksum it takes
// everything.
class Part {
  readonly #coming: AsyncGenerator<Uint8Array>;
  readonly #rules: PartRules;
  isTooMuch = false;

  constructor(coming: AsyncGenerator<Uint8Array>, rules: PartRules) {
    this.#coming = coming;
    this.#rules = rules;
  }

  async *bytes(first: Uint8Array): AsyncGenerator<Uint8Array> {
    const { room, clock, checksum } = this.#rules;
    const untilMs = clock.monotonicMs() + partMs;
    let taken = 0;
    for (let chunk: Uint8Array | null = first; chunk !== null; chunk = await this.#next()) {
      const fitting = chunk.subarray(0, room - taken);
      this.isTooMuch = fitting.byteLength < chunk.byteLength;
      if (this.isTooMuch && checksum !== null) throw tooMuch();
      taken += fitting.byteLength;
      checksum?.update(fitting);
      if (fitting.byteLength > 0) yield fitting;
      if (this.isTooMuch) return;
      if (checksum === null && (taken >= partBytes || clock.monotonicMs() >= untilMs)) return;
    }
    this.#requireChecksum();
  }

  // If we were stopped we have not seen all bytes, so this is not a mismatch.
  #requireChecksum(): void {
    const { checksum, signal } = this.#rules;
    if (checksum === null) return;
    if (signal.aborted) throw busy();
    checksum.require();
  }

  async #next(): Promise<Uint8Array | null> {
    const next = await this.#coming.next();
    return next.done ? null : next.value;
  }
}

// Ends with the source, when the sender goes away (the case this protocol exists for), or when told to stop, even while
// nothing arrives. There is one listener for the whole run: racing each chunk against a long-lived promise would leak a
// little memory per chunk until the end.
async function* bytesThatCome(source: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  let stop: (nothing: null) => void = () => undefined;
  const onAbort = () => stop(null);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    while (!signal.aborted) {
      const next = await new Promise<IteratorResult<Uint8Array> | null>((resolve) => {
        stop = resolve;
        iterator.next().then(resolve, () => resolve(null));
      });
      if (next === null || next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    // Not awaited: the source may be waiting for bytes and would block us.
    iterator.return?.(undefined)?.catch(() => undefined);
  }
}

export function busy(): Fault {
  return new Fault(
    "conflict",
    "The upload is at another offset, or another client is writing to it. Read its offset with HEAD.",
  );
}

export function otherLength(): Fault {
  return new Fault(
    "invalid_request",
    "Upload-Length differs from the earlier value, or is less than the bytes already received.",
  );
}

export function tooMuch(): Fault {
  return new Fault("payload_too_large", "More bytes arrived than Upload-Length announced.");
}
