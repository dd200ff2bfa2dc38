// All watchers of a job in this process share one subscription. Hints say what to read again; every 250 ms one query asks
// which watched jobs differ from what was sent, so a lost hint costs a quarter of a second. Versions never fall, progress
// never falls, and the terminal status is always sent last.
import type { Clock } from "../../../foundation/clock.ts";
import type { Log } from "../../../foundation/log.ts";
import { oneLoop } from "../../../foundation/memory/one-loop.ts";
import type { JobHints } from "../changes/job-hints.ts";
import { type Job, type JobId, type JobPreview, terminalStates } from "../job.ts";
import type { FoundJob, WatchedVersion } from "../job-store.ts";
import type { JobChange } from "../jobs.ts";
import { isOlderPicture } from "./node-picture.ts";

export interface WatchHubDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly hints: Pick<JobHints, "onChanged" | "attend">;
  // Includes their positions in the queue.
  read(jobIds: readonly JobId[]): Promise<Map<JobId, FoundJob>>;
  findChanged(watched: readonly WatchedVersion[]): Promise<JobId[]>;
  findPreview(jobId: JobId): Promise<JobPreview | null>;
  // The same job with its current position in the queue.
  withPosition(job: Job): Promise<Job>;
}

interface Watched {
  readonly receivers: Set<(change: JobChange) => void>;
  readonly leave: () => void;
  known: FoundJob | null;
}

const pollMs = 250;
const pollCostFactor = 5;
const readsMax = 500;

export class WatchHub {
  readonly #deps: WatchHubDeps;
  readonly #watched = new Map<JobId, Watched>();
  readonly #dirty = new Set<JobId>();
  readonly #closing = new AbortController();
  readonly #leave: () => void;

  constructor(deps: WatchHubDeps) {
    this.#deps = deps;
    this.#leave = deps.hints.onChanged((jobIds) => {
      for (const jobId of jobIds) if (this.#watched.has(jobId)) this.#dirty.add(jobId);
      void this.#flush();
    });
  }

  get size(): number {
    return this.#watched.size;
  }

  watch(jobId: JobId, receive: (change: JobChange) => void): () => void {
    // Each call gets its own receiver, because the same function may watch twice.
    const own = (change: JobChange) => receive(change);
    const entry = this.#watched.get(jobId) ?? {
      receivers: new Set(),
      leave: this.#deps.hints.attend(jobId),
      known: null,
    };
    this.#watched.set(jobId, entry);
    entry.receivers.add(own);
    // Read after subscribing, so that nothing in between is missed.
    if (entry.known === null) this.#dirty.add(jobId);
    void this.#flush();
    void this.#poll();
    return () => {
      entry.receivers.delete(own);
      if (entry.receivers.size > 0 || this.#watched.get(jobId) !== entry) return;
      this.#watched.delete(jobId);
      entry.leave();
    };
  }

  close(): void {
    this.#closing.abort();
    this.#leave();
    for (const { leave } of this.#watched.values()) leave();
    this.#watched.clear();
  }

  readonly #flush = oneLoop(
    () => this.#dirty.size > 0 && !this.#closing.signal.aborted,
    async () => {
      const ids = [...this.#dirty].slice(0, readsMax);
      for (const id of ids) this.#dirty.delete(id);
      try {
        const found = await this.#deps.read(ids);
        for (const id of ids) await this.#notify(id, found.get(id));
      } catch (err) {
        // The poll finds them again.
        this.#deps.log.debug({ err }, "watched jobs could not be read");
        await this.#deps.clock.sleep(pollMs, this.#closing.signal);
      }
    },
  );

  readonly #poll = oneLoop(
    () => this.#watched.size > 0 && !this.#closing.signal.aborted,
    async () => {
      const { clock, log } = this.#deps;
      await clock.sleep(pollMs, this.#closing.signal);
      const startedMs = clock.monotonicMs();
      await this.#lookOnce().catch((err: unknown) => log.debug({ err }, "watched jobs could not be checked"));
      // The longer a poll takes, the less often we poll.
      const restMs = pollCostFactor * (clock.monotonicMs() - startedMs) - pollMs;
      if (restMs > 0) await clock.sleep(restMs, this.#closing.signal);
    },
  );

  async #lookOnce(): Promise<void> {
    const open = [...this.#watched].filter(([, { known }]) => known === null || !terminalStates.has(known.job.state));
    for (const [jobId, { known }] of open) if (known === null) this.#dirty.add(jobId);
    const versions = open.flatMap(([jobId, { known }]) =>
      known ? [{ jobId, version: known.job.version, liveVersion: known.liveVersion }] : [],
    );
    if (versions.length > 0) for (const jobId of await this.#deps.findChanged(versions)) this.#dirty.add(jobId);
    void this.#flush();
    for (const [jobId, { known }] of open) {
      if (known?.job.state === "queued" && !this.#dirty.has(jobId)) await this.#notifyPosition(jobId, known);
    }
  }

  async #notify(jobId: JobId, found: FoundJob | undefined): Promise<void> {
    const entry = this.#watched.get(jobId);
    if (!entry || !found) return;
    const before = entry.known;
    if (before && found.job.version < before.job.version) return;
    const isNewPreview = found.previewVersion !== (before?.previewVersion ?? 0);
    const preview = isNewPreview ? await this.#deps.findPreview(jobId) : null;
    const job = { ...found.job, progress: further(before?.job ?? null, found.job) };
    entry.known = { ...found, job };
    for (const change of changesOf(before?.job ?? null, job, preview)) {
      for (const receive of entry.receivers) receive(change);
    }
  }

  async #notifyPosition(jobId: JobId, known: FoundJob): Promise<void> {
    const job = await this.#deps.withPosition(known.job);
    const entry = this.#watched.get(jobId);
    if (entry?.known !== known || job.queuePosition === known.job.queuePosition) return;
    entry.known = { ...known, job };
    for (const receive of entry.receivers) receive({ kind: "status", job, preview: null });
  }
}

// If a crash emptied the live table, watchers must not see progress go backwards.
function further(before: Job | null, now: Job): Job["progress"] {
  const [old, fresh] = [before?.progress ?? null, now.progress];
  if (old === null || fresh === null) return fresh ?? old;
  const nodes = isOlderPicture(fresh.nodes ?? null, old.nodes ?? null) ? old.nodes : fresh.nodes;
  const kept = nodes === fresh.nodes ? fresh : { ...fresh, nodes: nodes ?? null };
  return fresh.value >= old.value
    ? kept
    : { ...kept, value: old.value, nodesDone: Math.max(old.nodesDone, fresh.nodesDone) };
}

// Outputs come before the terminal status, since readers stop there.
export function changesOf(before: Job | null, job: Job, preview: JobPreview | null): JobChange[] {
  const isEnd = terminalStates.has(job.state);
  const isStatus = before === null || before.state !== job.state || before.queuePosition !== job.queuePosition;
  const status: JobChange[] = isStatus ? [{ kind: "status", job, preview: null }] : [];
  // The preview goes first: each change carries the job as it is now, and a watcher stops listening once it sees the job
  // ended.
  const rest: JobChange[] = preview === null ? [] : [{ kind: "preview", job, preview }];
  if (job.progress !== null && !sameProgress(before?.progress ?? null, job.progress)) {
    rest.push({ kind: "progress", job, preview: null });
  }
  const seen = before?.attempt === job.attempt ? (before.outputs.at(-1)?.version ?? 0) : 0;
  if (job.outputs.some(({ version }) => version > seen)) rest.push({ kind: "output", job, preview: null });
  return isEnd ? [...rest, ...status] : [...status, ...rest];
}

function sameProgress(a: Job["progress"], b: Job["progress"]): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
