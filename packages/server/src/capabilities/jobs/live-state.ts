// Progress and previews on their way to the database: the newest of each job, at most twice a second, all jobs of the
// process in one statement. Nobody waits for it, and what cannot be written is forgotten: the next one tells it all.
import type { Clock } from "../../foundation/clock.ts";
import type { Log } from "../../foundation/log.ts";
import type { JobId, JobPreview, JobProgress } from "./job.ts";
import type { JobHints } from "./job-hints.ts";
import type { LiveNews } from "./live-store.ts";
import type { JobLease } from "./worker-port.ts";

export interface LiveStateDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly hints: Pick<JobHints, "changed">;
  write(news: readonly LiveNews[]): Promise<JobId[]>;
}

export interface LiveState {
  progress(lease: JobLease, progress: JobProgress): void;
  preview(lease: JobLease, preview: JobPreview): void;
  // The attempt is about to end: what it showed last is written first, and nothing of it any more. A job that is over in
  // no time is seen like any other.
  settle(lease: JobLease): Promise<void>;
  // The attempt has ended: nothing of it is written any more.
  forget(jobId: JobId): void;
  close(): void;
}

interface Pending {
  lease: JobLease;
  progress: JobProgress | null;
  preview: JobPreview | null;
}

const everyMs = 500;
const previewBytesMax = 128 * 1024;
const batchMax = 200;

export function createLiveState(deps: LiveStateDeps): LiveState {
  const pending = new Map<JobId, Pending>();
  // When each job may be written again; entries that are over are thrown away.
  const nextMs = new Map<JobId, number>();
  // Previews on their way.
  const writing = new Map<JobId, Promise<void>>();
  const closing = new AbortController();
  let isRunning = false;

  function pendingOf(lease: JobLease): Pending {
    const known = pending.get(lease.jobId);
    if (known?.lease.attempt === lease.attempt) return known;
    const fresh: Pending = { lease, progress: null, preview: null };
    pending.set(lease.jobId, fresh);
    return fresh;
  }

  function takeDue(nowMs: number): LiveNews[] {
    const due: LiveNews[] = [];
    for (const [jobId, news] of pending) {
      if (due.length >= batchMax) break;
      if ((nextMs.get(jobId) ?? 0) > nowMs) continue;
      pending.delete(jobId);
      nextMs.set(jobId, nowMs + everyMs);
      due.push(news);
    }
    return due;
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    await new Promise((resolve) => setImmediate(resolve));
    while (pending.size > 0 && !closing.signal.aborted) {
      const due = takeDue(deps.clock.monotonicMs());
      if (due.length > 0) await write(due);
      else await deps.clock.sleep(waitMs(), closing.signal);
    }
    for (const [jobId, at] of nextMs) if (at <= deps.clock.monotonicMs()) nextMs.delete(jobId);
    isRunning = false;
  }

  function waitMs(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const jobId of pending.keys()) next = Math.min(next, nextMs.get(jobId) ?? 0);
    return Math.max(1, next - deps.clock.monotonicMs());
  }

  async function write(due: readonly LiveNews[]): Promise<void> {
    const written = tryToWrite(due);
    const shown = due.filter(({ preview }) => preview !== null).map(({ lease }) => lease.jobId);
    for (const jobId of shown) writing.set(jobId, written);
    await written;
    for (const jobId of shown) if (writing.get(jobId) === written) writing.delete(jobId);
  }

  async function tryToWrite(due: readonly LiveNews[]): Promise<void> {
    try {
      deps.hints.changed(await deps.write(due));
    } catch (err) {
      deps.log.debug({ err }, "progress could not be written");
    }
  }

  function forget(jobId: JobId): void {
    pending.delete(jobId);
    nextMs.delete(jobId);
  }

  return {
    progress(lease, progress) {
      pendingOf(lease).progress = { ...progress, value: Math.min(1, Math.max(0, progress.value || 0)) };
      void run();
    },
    preview(lease, preview) {
      if (preview.bytes.byteLength > previewBytesMax) return;
      pendingOf(lease).preview = preview;
      void run();
    },
    async settle(lease) {
      const last = pending.get(lease.jobId);
      forget(lease.jobId);
      const isShown = last?.lease.attempt === lease.attempt && last.preview !== null && !closing.signal.aborted;
      // A preview that is under way must not find the lease gone, nor come after the newer one.
      await writing.get(lease.jobId);
      if (isShown) await tryToWrite([last]);
    },
    forget,
    close() {
      closing.abort();
      pending.clear();
    },
  };
}
