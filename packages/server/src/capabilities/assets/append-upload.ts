// Appends one request's bytes to a resumable upload. One writer at a time over all processes, by a lease in the row. Every few
// seconds or megabytes what came becomes a part in the blob store, and row, part and lease change together: so a cut costs
// little, a process that died blocks others only briefly, and a writer that lost its lease adds nothing.
import type { Clock } from "../../foundation/clock.ts";
import type { Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { newId } from "../../foundation/ids.ts";
import type { Blobs, KeptBlob } from "../blobs/index.ts";
import { addUploadPart } from "./upload-parts.ts";
import { advanceUpload, claimWriter, endWriter, type Upload } from "./upload-store.ts";

export interface AppendDeps {
  readonly database: Queryable;
  readonly blobs: Blobs;
  readonly clock: Clock;
}

export interface Append {
  readonly upload: Upload;
  readonly source: AsyncIterable<Uint8Array>;
  // Stops the writing; what came so far is kept.
  readonly signal: AbortSignal;
}

const leaseSeconds = 30;
const partMs = 5_000;
const partBytes = 32 * 1024 * 1024;

// Returns how many bytes are there now, which is less than was sent when the sender went away. Throws conflict when
// another writer is at work, payload_too_large when more came than was announced; what fits is kept either way.
export async function appendToUpload(deps: AppendDeps, append: Append): Promise<number> {
  const { upload, signal } = append;
  const claim = { uploadId: upload.id, writer: newId(), leaseSeconds };
  const isOurs = await claimWriter(deps.database, { ...claim, now: deps.clock.now(), offset: upload.received });
  if (!isOurs) throw busy();
  const coming = bytesThatCome(append.source, signal);
  try {
    const { received, isTooMuch } = await keepParts(deps, upload, coming, claim);
    if (isTooMuch) throw tooMuch();
    // Told to stop when everything had come: then it is this writer that completes the upload, since no other would.
    if (signal.aborted && received < upload.length) throw busy();
    return received;
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

interface Kept {
  readonly received: number;
  readonly isTooMuch: boolean;
}

async function keepParts(
  deps: AppendDeps,
  upload: Upload,
  coming: AsyncGenerator<Uint8Array>,
  claim: Claim,
): Promise<Kept> {
  const { blobs, clock } = deps;
  let received = upload.received;
  for (;;) {
    const first = await coming.next();
    if (first.done) return { received, isTooMuch: false };
    const room = upload.length - received;
    if (room === 0) return { received, isTooMuch: first.value.byteLength > 0 };
    const part = new Part(coming, room, clock);
    const start = received;
    received = await blobs.keep(part.bytes(first.value), {
      bytesMax: room,
      commit: async (tx: Queryable, { hash, size }: KeptBlob) => {
        const reached = start + size;
        if (!(await advanceUpload(tx, { ...claim, now: clock.now(), received: reached }))) throw busy();
        if (size > 0) await addUploadPart(deps, tx, upload.id, { start, size, hash });
        return reached;
      },
    });
    if (part.isTooMuch) return { received, isTooMuch: true };
  }
}

// What comes until it is large or old enough, the room is used up, or nothing more comes.
class Part {
  readonly #coming: AsyncGenerator<Uint8Array>;
  readonly #room: number;
  readonly #clock: Clock;
  isTooMuch = false;

  constructor(coming: AsyncGenerator<Uint8Array>, room: number, clock: Clock) {
    this.#coming = coming;
    this.#room = room;
    this.#clock = clock;
  }

  async *bytes(first: Uint8Array): AsyncGenerator<Uint8Array> {
    const untilMs = this.#clock.monotonicMs() + partMs;
    let taken = 0;
    for (let chunk: Uint8Array | null = first; chunk !== null; chunk = await this.#next()) {
      const fitting = chunk.subarray(0, this.#room - taken);
      this.isTooMuch = fitting.byteLength < chunk.byteLength;
      taken += fitting.byteLength;
      if (fitting.byteLength > 0) yield fitting;
      if (this.isTooMuch || taken >= partBytes || this.#clock.monotonicMs() >= untilMs) return;
    }
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

export function tooMuch(): Fault {
  return new Fault("payload_too_large", "More bytes came than the upload announced.");
}
