// Writes progress and previews to the database: the newest of each job, at most twice a second, all jobs of the process in
// one statement. Callers do not wait for it. If a write fails it is dropped, because the next one carries everything.
import type { Clock } from "../../../foundation/clock.ts";
import type { Log } from "../../../foundation/log.ts";
import type { JobHints } from "../changes/job-hints.ts";
import type { JobId, JobPreview, JobProgress } from "../job.ts";
import type { JobLease, NodesNow } from "../worker-port.ts";
import type { LiveNews } from "./live-store.ts";

export interface LiveStateDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly hints: Pick<JobHints, "changed">;
  write(news: readonly LiveNews[]): Promise<JobId[]>;
}

interface Pending {
  lease: JobLease;
  progress: JobProgress | null;
  preview: JobPreview | null;
  nodes: NodesNow | null;
}

const everyMs = 500;
const previewBytesMax = 128 * 1024;
const batchMax = 200;

export class LiveState {
  readonly #deps: LiveStateDeps;
  readonly #pending = new Map<JobId, Pending>();
  // When each job may be written again. Past entries are removed.
  readonly #nextMs = new Map<JobId, number>();
  // Previews being written.
  readonly #writing = new Map<JobId, Promise<void>>();
  readonly #closing = new AbortController();
  #isRunning = false;

  constructor(deps: LiveStateDeps) {
    this.#deps = deps;
  }

  progress(lease: JobLease, progress: JobProgress, nodes?: NodesNow): void {
    const pending = this.#of(lease);
    pending.progress = { ...progress, value: Math.min(1, Math.max(0, progress.value || 0)) };
    if (nodes) pending.nodes = nodes;
    void this.#run();
  }

  preview(lease: JobLease, preview: JobPreview): void {
    if (preview.bytes.byteLength > previewBytesMax) return;
    this.#of(lease).preview = preview;
    void this.#run();
  }

  // Call when the attempt is about to end: its last preview is written first, and nothing after it. That way even a job that
  // ends immediately is visible to watchers.
  async settle(lease: JobLease): Promise<void> {
    const last = this.#pending.get(lease.jobId);
    this.forget(lease.jobId);
    const isShown = last?.lease.attempt === lease.attempt && last.preview !== null && !this.#closing.signal.aborted;
    // A preview being written must not find the lease gone, nor overwrite the newer one.
    await this.#writing.get(lease.jobId);
    if (isShown) await this.#tryToWrite([newsOf(last)]);
  }

  // The attempt has ended: nothing more of it is written.
  forget(jobId: JobId): void {
    this.#pending.delete(jobId);
    this.#nextMs.delete(jobId);
  }

  close(): void {
    this.#closing.abort();
    this.#pending.clear();
  }

  #of(lease: JobLease): Pending {
    const known = this.#pending.get(lease.jobId);
    if (known?.lease.attempt === lease.attempt) return known;
    const fresh: Pending = { lease, progress: null, preview: null, nodes: null };
    this.#pending.set(lease.jobId, fresh);
    return fresh;
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const { clock } = this.#deps;
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#pending.size > 0 && !this.#closing.signal.aborted) {
      const due = this.#takeDue(clock.monotonicMs());
      if (due.length > 0) await this.#write(due);
      else await clock.sleep(this.#waitMs(), this.#closing.signal);
    }
    for (const [jobId, at] of this.#nextMs) if (at <= clock.monotonicMs()) this.#nextMs.delete(jobId);
    this.#isRunning = false;
  }

  #takeDue(nowMs: number): LiveNews[] {
    const due: LiveNews[] = [];
    for (const [jobId, news] of this.#pending) {
      if (due.length >= batchMax) break;
      if ((this.#nextMs.get(jobId) ?? 0) > nowMs) continue;
      this.#pending.delete(jobId);
      this.#nextMs.set(jobId, nowMs + everyMs);
      due.push(newsOf(news));
    }
    return due;
  }

  #waitMs(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const jobId of this.#pending.keys()) next = Math.min(next, this.#nextMs.get(jobId) ?? 0);
    return Math.max(1, next - this.#deps.clock.monotonicMs());
  }

  async #write(due: readonly LiveNews[]): Promise<void> {
    const written = this.#tryToWrite(due);
    const shown = due.filter(({ preview }) => preview !== null).map(({ lease }) => lease.jobId);
    for (const jobId of shown) this.#writing.set(jobId, written);
    await written;
    for (const jobId of shown) if (this.#writing.get(jobId) === written) this.#writing.delete(jobId);
  }

  async #tryToWrite(due: readonly LiveNews[]): Promise<void> {
    try {
      this.#deps.hints.changed(await this.#deps.write(due));
    } catch (err) {
      this.#deps.log.debug({ err }, "progress could not be written");
    }
  }
}

// The picture of the nodes is built here, just before it is written.
const newsOf = ({ nodes, ...news }: Pending): LiveNews => ({ ...news, nodes: nodes?.() ?? null });
