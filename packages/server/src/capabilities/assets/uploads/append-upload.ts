// Appends one request's bytes to a resumable upload. One writer at a time over all processes, by a lease in the row. Every few
// seconds or megabytes what came becomes a part in the blob store, and row, part and lease change together: so a cut costs
// little, a process that died blocks others only briefly, and a writer that lost its lease adds nothing. A request with a
// checksum is one part, however long it is: it is kept as a whole or not at all.
import type { Clock } from "../../../foundation/clock.ts";
import type { Database, Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId } from "../../../foundation/ids.ts";
import type { KeptBlob } from "../../blobs/index.ts";
import { addWithinQuota, type StoreAssetDeps } from "../store-asset.ts";
import type { Checksum } from "./upload-checksum.ts";
import { addUploadPart } from "./upload-parts.ts";
import { advanceUpload, claimWriter, endWriter, setUploadLength, type Upload } from "./upload-store.ts";

export interface AppendDeps extends StoreAssetDeps {
  readonly database: Database;
}

export interface Append {
  readonly upload: Upload;
  // The upload's length where this request says it first, else null.
  readonly newLength: number | null;
  // At most so many are taken of an upload whose length is not known.
  readonly bytesMax: number;
  readonly checksum: Checksum | null;
  readonly source: AsyncIterable<Uint8Array>;
  // Stops the writing; what came so far is kept.
  readonly signal: AbortSignal;
}

const leaseSeconds = 30;
const partMs = 5_000;
const partBytes = 32 * 1024 * 1024;

// Returns the upload as it is now, with fewer bytes than were sent when the sender went away. Throws conflict when another
// writer is at work, payload_too_large when more came than was announced: what fits is kept either way, without a checksum.
// Throws hash_mismatch when the checksum does not hold, quota_exceeded when the length or what came is too much.
export async function appendToUpload(deps: AppendDeps, append: Append): Promise<Upload> {
  const { signal } = append;
  const claim = { uploadId: append.upload.id, writer: newId(), leaseSeconds };
  const upload = await claimUpload(deps, append, claim);
  const coming = bytesThatCome(append.source, signal);
  try {
    const { received, isTooMuch } = await keepParts(deps, { ...append, upload }, coming, claim);
    if (isTooMuch) throw tooMuch();
    // Told to stop when everything had come: then it is this writer that completes the upload, since no other would.
    if (signal.aborted && received !== upload.length) throw busy();
    return { ...upload, received };
  } finally {
    // Not awaited: a source that waits for bytes would keep us waiting too.
    coming.return(undefined).catch(() => undefined);
    await endWriter(deps.database, claim);
  }
}

interface Claim {
  readonly uploadId: Upload["id"];
  readonly writer: string;
  readonly leaseSeconds: number;
}

// The lease and the length, where this request says it, come together: no other writer reckons without it.
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
        // Nothing was set aside for an upload of unknown length.
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

// What comes until it is large or old enough, the room is used up, or nothing more comes. With a checksum: everything.
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

  // Who was told to stop has not seen all bytes: that is no mismatch.
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

// Ends with the source, with a sender that goes away (the case this protocol is made for), and when it is told to stop,
// also while nothing comes. One listener for all of it: racing each chunk against one long-lived promise would keep a
// little of every chunk until the end.
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
    // Not awaited: a source that waits for bytes would keep us waiting too.
    iterator.return?.(undefined)?.catch(() => undefined);
  }
}

export function busy(): Fault {
  return new Fault(
    "conflict",
    "The upload is not at this offset, or somebody else is writing to it. Ask for its offset.",
  );
}

export function otherLength(): Fault {
  return new Fault("invalid_request", "Upload-Length is not what was said before, or less than what has come.");
}

export function tooMuch(): Fault {
  return new Fault("payload_too_large", "More bytes came than the upload announced.");
}
