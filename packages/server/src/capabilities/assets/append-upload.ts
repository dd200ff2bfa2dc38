// Appends one request's bytes to a resumable upload. One writer at a time over all processes, by a lease in the row; every
// few seconds or megabytes what came is flushed, counted and the lease renewed, so that a cut costs little and a process
// that died blocks others only briefly. A writer that was away longer than its lease asks before it writes again.
import type { Clock } from "../../foundation/clock.ts";
import type { Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { newId } from "../../foundation/ids.ts";
import type { StagedFile, StagingFolder } from "./staging-folder.ts";
import { advanceUpload, claimWriter, endWriter, type Upload } from "./upload-store.ts";

export interface AppendDeps {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly staging: StagingFolder;
}

export interface Append {
  readonly upload: Upload;
  readonly source: AsyncIterable<Uint8Array>;
  // Stops the writing; what came so far is kept.
  readonly signal: AbortSignal;
}

const leaseSeconds = 30;
const checkpointMs = 5_000;
const checkpointBytes = 32 * 1024 * 1024;

// Returns how many bytes are there now, which is less than was sent when the sender went away. Throws conflict when
// another writer is at work, payload_too_large when more came than was announced; what fits is kept either way.
export async function appendToUpload(deps: AppendDeps, append: Append): Promise<number> {
  const { upload } = append;
  const writer = newId();
  const claim = { uploadId: upload.id, writer, leaseSeconds };
  const isOurs = await claimWriter(deps.database, { ...claim, now: deps.clock.now(), offset: upload.received });
  if (!isOurs) throw busy();
  try {
    const file = await deps.staging.openAt(upload.id, upload.received);
    try {
      return await writeAll(deps, append, { ...claim, file });
    } finally {
      await file.close();
    }
  } finally {
    await endWriter(deps.database, claim);
  }
}

interface Writing {
  readonly uploadId: Upload["id"];
  readonly writer: string;
  readonly leaseSeconds: number;
  readonly file: StagedFile;
}

async function writeAll(deps: AppendDeps, { upload, source, signal }: Append, writing: Writing): Promise<number> {
  const { clock } = deps;
  let received = upload.received;
  let counted = received;
  let checkedMs = clock.monotonicMs();
  let isTooMuch = false;

  async function checkpoint(): Promise<void> {
    await writing.file.flush();
    const { file: _, ...claim } = writing;
    if (!(await advanceUpload(deps.database, { ...claim, now: clock.now(), received }))) throw busy();
    counted = received;
    checkedMs = clock.monotonicMs();
  }

  try {
    for await (const chunk of bytesThatCome(source, signal)) {
      // The lease may have ended while nothing came: ask before writing.
      if (clock.monotonicMs() - checkedMs >= checkpointMs || received - counted >= checkpointBytes) await checkpoint();
      const fitting = chunk.subarray(0, upload.length - received);
      isTooMuch = fitting.byteLength < chunk.byteLength;
      await writing.file.write(fitting);
      received += fitting.byteLength;
      if (isTooMuch) break;
    }
  } catch (thrown) {
    // A full disk, or a lease that was lost: what was written before is kept if it still can be.
    await checkpoint().catch(() => undefined);
    throw thrown;
  }
  await checkpoint();
  if (isTooMuch) throw tooMuch();
  // Told to stop when everything had come: then it is this writer that completes the upload, since no other would.
  if (signal.aborted && received < upload.length) throw busy();
  return received;
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
