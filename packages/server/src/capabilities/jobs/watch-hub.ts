// Everybody who watches a job of this process shares one subscription to it. Hints say what to read again; every 250 ms one
// query asks which of the watched jobs differ from what was told, so a lost hint costs a quarter of a second. Versions
// never fall, progress never falls, and the terminal status is the last thing told.
import type { Clock } from "../../foundation/clock.ts";
import type { Log } from "../../foundation/log.ts";
import { type Job, type JobId, type JobPreview, terminalStates } from "./job.ts";
import type { JobHints } from "./job-hints.ts";
import type { FoundJob, WatchedVersion } from "./job-store.ts";
import type { JobChange } from "./jobs.ts";

export interface WatchHubDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly hints: Pick<JobHints, "onChanged">;
  // With their places in the queue.
  read(jobIds: readonly JobId[]): Promise<Map<JobId, FoundJob>>;
  findChanged(watched: readonly WatchedVersion[]): Promise<JobId[]>;
  findPreview(jobId: JobId): Promise<JobPreview | null>;
  // The same job with its place in the queue as of now.
  place(job: Job): Promise<Job>;
}

export interface WatchHub {
  watch(jobId: JobId, receive: (change: JobChange) => void): () => void;
  readonly size: number;
  close(): void;
}

interface Watched {
  readonly receivers: Set<(change: JobChange) => void>;
  known: FoundJob | null;
}

const pollMs = 250;
const pollCostFactor = 5;
const readsMax = 500;

export function createWatchHub(deps: WatchHubDeps): WatchHub {
  const watched = new Map<JobId, Watched>();
  const dirty = new Set<JobId>();
  const closing = new AbortController();
  let isFlushing = false;
  let isPolling = false;

  const leave = deps.hints.onChanged((jobIds) => {
    for (const jobId of jobIds) if (watched.has(jobId)) dirty.add(jobId);
    void flush();
  });

  async function flush(): Promise<void> {
    if (isFlushing) return;
    isFlushing = true;
    while (dirty.size > 0 && !closing.signal.aborted) {
      const ids = [...dirty].slice(0, readsMax);
      for (const id of ids) dirty.delete(id);
      try {
        const found = await deps.read(ids);
        for (const id of ids) await tell(id, found.get(id));
      } catch (err) {
        // The poll finds them again.
        deps.log.debug({ err }, "watched jobs could not be read");
        await deps.clock.sleep(pollMs, closing.signal);
      }
    }
    isFlushing = false;
  }

  async function tell(jobId: JobId, found: FoundJob | undefined): Promise<void> {
    const entry = watched.get(jobId);
    if (!entry || !found) return;
    const before = entry.known;
    if (before && found.job.version < before.job.version) return;
    const isNewPreview = found.previewVersion !== (before?.previewVersion ?? 0);
    const preview = isNewPreview ? await deps.findPreview(jobId) : null;
    const job = { ...found.job, progress: further(before?.job ?? null, found.job) };
    entry.known = { ...found, job };
    for (const change of changesOf(before?.job ?? null, job, preview)) {
      for (const receive of entry.receivers) receive(change);
    }
  }

  async function poll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    let pauseMs = pollMs;
    while (watched.size > 0 && !closing.signal.aborted) {
      await deps.clock.sleep(pauseMs, closing.signal);
      const startedMs = deps.clock.monotonicMs();
      await lookOnce().catch((err: unknown) => deps.log.debug({ err }, "watched jobs could not be looked at"));
      pauseMs = Math.max(pollMs, pollCostFactor * (deps.clock.monotonicMs() - startedMs));
    }
    isPolling = false;
  }

  async function lookOnce(): Promise<void> {
    const open = [...watched].filter(([, { known }]) => known === null || !terminalStates.has(known.job.state));
    for (const [jobId, { known }] of open) if (known === null) dirty.add(jobId);
    const versions = open.flatMap(([jobId, { known }]) =>
      known ? [{ jobId, version: known.job.version, liveVersion: known.liveVersion }] : [],
    );
    if (versions.length > 0) for (const jobId of await deps.findChanged(versions)) dirty.add(jobId);
    void flush();
    for (const [jobId, { known }] of open) {
      if (known?.job.state === "queued" && !dirty.has(jobId)) await tellPlace(jobId, known);
    }
  }

  async function tellPlace(jobId: JobId, known: FoundJob): Promise<void> {
    const job = await deps.place(known.job);
    const entry = watched.get(jobId);
    if (entry?.known !== known || job.queuePosition === known.job.queuePosition) return;
    entry.known = { ...known, job };
    for (const receive of entry.receivers) receive({ kind: "status", job, preview: null });
  }

  return {
    watch(jobId, receive) {
      // A receiver of its own for each call: the same function may watch twice.
      const own = (change: JobChange) => receive(change);
      const entry = watched.get(jobId) ?? { receivers: new Set(), known: null };
      watched.set(jobId, entry);
      entry.receivers.add(own);
      // Read after the subscription, and told: what happened in between is not missed by whoever reads before us.
      if (entry.known === null) dirty.add(jobId);
      void flush();
      void poll();
      return () => {
        entry.receivers.delete(own);
        if (entry.receivers.size === 0 && watched.get(jobId) === entry) watched.delete(jobId);
      };
    },
    get size() {
      return watched.size;
    },
    close() {
      closing.abort();
      leave();
      watched.clear();
    },
  };
}

// A live table that was emptied by a crash must not show as a step back.
function further(before: Job | null, now: Job): Job["progress"] {
  const [old, fresh] = [before?.progress ?? null, now.progress];
  if (old === null || fresh === null) return fresh ?? old;
  return fresh.value >= old.value
    ? fresh
    : { ...fresh, value: old.value, nodesDone: Math.max(old.nodesDone, fresh.nodesDone) };
}

// Outputs stand before the terminal status, since readers stop there.
export function changesOf(before: Job | null, job: Job, preview: JobPreview | null): JobChange[] {
  const isEnd = terminalStates.has(job.state);
  const isStatus = before === null || before.state !== job.state || before.queuePosition !== job.queuePosition;
  const status: JobChange[] = isStatus ? [{ kind: "status", job, preview: null }] : [];
  // The preview first: every one of these carries the job as it is now, and whoever sees it ended listens no longer.
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
