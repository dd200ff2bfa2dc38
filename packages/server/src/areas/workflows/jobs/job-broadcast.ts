// Broadcasts one job to its readers within a process. It holds the newest snapshot of the job and compares: each newer one,
// from a change or a reader's own read, is sent to every reader once, in version order, with outputs before the final status.
// Every event is encoded once for all readers. A slow reader costs nothing: when it has caught up it gets the newest state of
// everything, and every output it lacks.
import {
  isOlderPicture,
  type Job,
  type JobChange,
  type JobPreview,
  terminalStates,
} from "../../../capabilities/jobs/index.ts";
import type { Clock } from "../../../foundation/clock.ts";
import type { EventStream } from "../../../foundation/http/streams/event-stream.ts";
import type { JobFrames } from "./job-frames.ts";
import { paced } from "./paced.ts";

// The stream treats all kinds as one: a reader that missed an output must not get a later status first.
const everything = "job";
const liveIntervalMs = 500;
const logMax = 64;
// Larger ones must be fetched with GET.
const previewBytesMax = 256 * 1024;

interface Reader {
  readonly stream: EventStream;
  // The reader has every output up to this version.
  version: number;
}

interface Logged {
  readonly version: number;
  readonly frame: Buffer;
}

export class JobBroadcast {
  readonly #frames: JobFrames;
  readonly #readers = new Map<EventStream, Reader>();
  readonly #progress;
  readonly #preview;
  // Status and output events, oldest first: all above `#loggedAbove`.
  #log: Logged[] = [];
  #loggedAbove = 0;
  #job: Job | null = null;
  #newestPreview: JobPreview | null = null;
  // Encoded progress and preview, by kind and id, while they are the newest.
  readonly #encoded = new Map<string, Buffer>();

  constructor(deps: { readonly frames: JobFrames; readonly clock: Clock }) {
    this.#frames = deps.frames;
    this.#progress = paced(deps.clock, liveIntervalMs, () => this.#broadcast(this.#progressFrame(this.#version)));
    this.#preview = paced(deps.clock, liveIntervalMs, () => this.#broadcast(this.#previewFrame(this.#version)));
  }

  get isOver(): boolean {
    return this.#job !== null && terminalStates.has(this.#job.state);
  }

  // The newest version seen.
  get #version(): number {
    return this.#job?.version ?? 0;
  }

  get hasPreview(): boolean {
    return this.#newestPreview !== null;
  }

  receive({ job, preview }: JobChange): void {
    if (preview !== null) this.absorbPreview(preview);
    this.absorb(job);
  }

  absorbPreview(preview: JobPreview): void {
    if (preview.bytes.byteLength > previewBytesMax) return;
    this.#newestPreview = preview;
    this.#encoded.clear();
    if (!this.isOver) this.#preview.offer();
  }

  // Also called for a reader's own read, which may be newer or older than what was broadcast.
  absorb(found: Job): void {
    const before = this.#job;
    if (before !== null && (this.isOver || found.version < before.version)) return;
    const job = merged(before, found);
    this.#job = job;
    if (before === null) {
      this.#forgetLog(job.version);
      return;
    }
    // Another attempt began: outputs of the earlier one no longer count, and are not sent from now on.
    if (job.outputs.length < before.outputs.length) this.#forgetLog(job.version);
    const isFurther = job.progress !== before.progress;
    if (isFurther || job.version > before.version) this.#encoded.clear();
    // Outputs first: from here on every event id says that its reader has them.
    for (const output of job.outputs) {
      if (output.version > before.version) this.#broadcastAndLog(this.#frames.output(job, output), output.version);
    }
    const isNews = job.state !== before.state || job.queuePosition !== before.queuePosition;
    if (isNews && !this.isOver) this.#broadcastAndLog(this.#frames.status(job, job.version), job.version);
    if (isFurther) this.#progress.offer();
    if (this.isOver) this.#end(job);
  }

  // Sends the reader everything it lacks in this turn; from then on it gets the broadcast. `version` is what it has from an
  // earlier stream, or null if it has nothing.
  add(stream: EventStream, version: number | null): () => void {
    const rest = Buffer.concat(this.#rest(version));
    if (this.isOver) {
      stream.finish(rest);
      return () => undefined;
    }
    const reader: Reader = { stream, version: version ?? 0 };
    this.#readers.set(stream, reader);
    this.#send(reader, rest, this.#version);
    return () => void this.#readers.delete(stream);
  }

  // For a reader whose connection was slow and has caught up.
  catchUp(stream: EventStream): Buffer | null {
    const reader = this.#readers.get(stream);
    if (reader === undefined) return null;
    const rest = this.#rest(reader.version);
    reader.version = this.#version;
    return Buffer.concat(rest);
  }

  close(): void {
    this.#progress.stop();
    this.#preview.stop();
  }

  // From the log if it reaches back far enough, which also has the states in between; else from the job itself.
  #rest(version: number | null): Buffer[] {
    const job = this.#job;
    if (job === null) return [];
    const isLogged = version !== null && version >= this.#loggedAbove;
    const logged = isLogged ? this.#log.filter((entry) => entry.version > version).map(({ frame }) => frame) : [];
    const status = (id: number) => this.#frames.status(job, id);
    if (logged.length > 0) return this.isOver ? logged : [...logged, status(job.version), ...this.#live(job.version)];
    const known = version ?? 0;
    const outputs = job.outputs.filter((output) => output.version > known);
    const frames = outputs.map((output) => this.#frames.output(job, output));
    // A watcher that arrives after the end still sees the last preview: for some jobs that is all they made.
    if (this.isOver) return [...this.#live(known), ...frames, status(job.version)];
    // The reader has none of the outputs when these arrive, and their id says so.
    return [status(known), ...this.#live(known), ...frames];
  }

  #live(version: number): Buffer[] {
    return [this.#progressFrame(version), this.#previewFrame(version)].filter((frame) => frame !== null);
  }

  #progressFrame(version: number): Buffer | null {
    const job = this.#job;
    const progress = job?.progress ?? null;
    return job && progress && this.#once(`progress ${version}`, () => this.#frames.progress(job, progress, version));
  }

  #previewFrame(version: number): Buffer | null {
    const preview = this.#newestPreview;
    return preview && this.#once(`preview ${version}`, () => this.#frames.preview(preview, version));
  }

  #once(key: string, encode: () => Buffer): Buffer {
    const frame = this.#encoded.get(key) ?? encode();
    this.#encoded.set(key, frame);
    return frame;
  }

  #forgetLog(version: number): void {
    this.#log = [];
    this.#loggedAbove = version;
  }

  #broadcastAndLog(frame: Buffer, version: number): void {
    this.#log.push({ version, frame });
    while (this.#log.length > logMax) this.#loggedAbove = this.#log.shift()?.version ?? this.#loggedAbove;
    this.#broadcast(frame, version);
  }

  #broadcast(frame: Buffer | null, version = this.#version): void {
    if (frame === null) return;
    for (const reader of this.#readers.values()) this.#send(reader, frame, version);
  }

  #send(reader: Reader, frame: Buffer, version: number): void {
    if (reader.stream.send(everything, frame)) reader.version = version;
  }

  // The last event is never dropped, and what a slow reader lacks is sent before it.
  #end(job: Job): void {
    this.#progress.flush();
    this.#preview.flush();
    const newestSent = this.#log.at(-1)?.version ?? this.#loggedAbove;
    const last = this.#frames.status(job, job.version);
    this.#log.push({ version: job.version, frame: last });
    for (const { stream, version } of this.#readers.values()) {
      stream.finish(version < newestSent ? Buffer.concat(this.#rest(version)) : last);
    }
    this.#readers.clear();
    this.close();
  }
}

// Snapshots come from two sources, the database and the worker. If the queue position was not counted, the old one stays. The
// higher progress is the newer one, so progress never falls.
function merged(before: Job | null, job: Job): Job {
  const isUncounted = job.state === "queued" && job.queuePosition === null && before?.state === "queued";
  const queuePosition = isUncounted ? before.queuePosition : job.queuePosition;
  return { ...job, queuePosition, progress: newerProgress(before, job) };
}

function newerProgress(before: Job | null, job: Job): Job["progress"] {
  const old = before?.progress ?? null;
  if (old === null || job.progress === null) return job.progress ?? old;
  if (job.progress.value < old.value) return old;
  const isOlder = isOlderPicture(job.progress.nodes ?? null, old.nodes ?? null);
  const fresh = isOlder ? { ...job.progress, nodes: old.nodes ?? null } : job.progress;
  return isSameProgress(old, fresh) ? old : fresh;
}

function isSameProgress(one: NonNullable<Job["progress"]>, other: NonNullable<Job["progress"]>): boolean {
  return (
    one.value === other.value &&
    one.nodesDone === other.nodesDone &&
    one.currentNode === other.currentNode &&
    one.step === other.step &&
    one.message === other.message &&
    (one.nodes ?? null) === (other.nodes ?? null)
  );
}
