// Two equal requests are two tasks, except for a client's blind retry (decisions, section 4): within 10 minutes if it has
// the same X-Service-Job-Id, within 60 seconds if the first answer could not be delivered. Equal means the same
// workspace, path and body. In memory we keep this process's requests whose caller has gone.
import { createHash } from "node:crypto";
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Task, TaskId } from "./task.ts";
import { findRetry, markAnswered } from "./task-store.ts";

const jobWindowSeconds = 600;
const undeliveredWindowSeconds = 60;
// Another process may have delivered an answer and be about to record it.
const settleSeconds = 0.5;
const markAfterMs = 200;

export interface RetrySource {
  readonly workspaceId: WorkspaceId;
  // A hash of method, path, query and body.
  readonly fingerprint: Buffer;
  readonly jobId: string | null;
}

// A request running in this process. `isGone` is set once its caller has left.
interface Underway {
  isGone: boolean;
  readonly ended: Promise<TaskId | null>;
}

export type Recognised =
  | { readonly kind: "new"; readonly derivedKey: string | null }
  | { readonly kind: "retry"; readonly task: Task }
  // The first one is still being submitted to the partner.
  | { readonly kind: "underway"; readonly ended: Promise<TaskId | null> };

export interface Retries {
  recognise(source: RetrySource): Promise<Recognised>;
  // Called for every request that starts a task.
  watch(source: RetrySource, signal: AbortSignal, ended: Promise<TaskId | null>): void;
  // Reports whether the answer could be written.
  answered(taskId: TaskId, isDelivered: boolean): void;
  close(): Promise<void>;
}

export function deriveRetryKey(
  { fingerprint, jobId }: Pick<RetrySource, "fingerprint" | "jobId">,
  idempotencyKey: string | null = null,
): string {
  const hash = createHash("sha256").update(fingerprint);
  const kind = jobId === null ? "plain" : `job\n${jobId}`;
  return hash.update(`\n${idempotencyKey === null ? kind : `key\n${idempotencyKey}`}`).digest("hex");
}

export function retryRecognition(deps: { readonly database: Database; readonly clock: Clock }): Retries {
  const underway = new Map<string, Set<Underway>>();
  // For tasks accepted here: whether their answer arrived. Forgotten once no window needs it.
  const outcome = new Map<TaskId, { isDelivered: boolean | null; readonly untilMs: number }>();
  // Delivered answers are recorded in batches a little later; no one waits for it.
  let delivered: TaskId[] = [];
  let cancelMark: (() => void) | null = null;
  async function mark(): Promise<void> {
    cancelMark?.();
    cancelMark = null;
    const ids = delivered;
    delivered = [];
    if (ids.length > 0) await markAnswered(deps.database, ids).catch(() => undefined);
  }

  async function ofJob(source: RetrySource, retryKey: string): Promise<Recognised> {
    const known = await findRetry(deps.database, { ...source, retryKey, now: deps.clock.now() });
    if (known && known.ageSeconds <= jobWindowSeconds) return { kind: "retry", task: known.task };
    // Concurrent twins get the same key and thus one task. Callers cannot send a key that contains a blank.
    return { kind: "new", derivedKey: ` retry ${retryKey} ${known?.task.id ?? "first"}` };
  }

  async function undelivered(source: RetrySource, retryKey: string): Promise<Recognised> {
    const gone = [...(underway.get(`${source.workspaceId} ${retryKey}`) ?? [])].find(({ isGone }) => isGone);
    if (gone) return { kind: "underway", ended: gone.ended };
    const known = await findRetry(deps.database, { ...source, retryKey, now: deps.clock.now() });
    if (!known || known.isAnswered || known.ageSeconds > undeliveredWindowSeconds) return fresh;
    const here = outcome.get(known.task.id);
    const isUndelivered = here === undefined ? known.ageSeconds > settleSeconds : here.isDelivered === false;
    return isUndelivered ? { kind: "retry", task: known.task } : fresh;
  }

  return {
    recognise(source) {
      const retryKey = deriveRetryKey(source);
      return source.jobId === null ? undelivered(source, retryKey) : ofJob(source, retryKey);
    },
    watch(source, signal, ended) {
      const key = `${source.workspaceId} ${deriveRetryKey(source)}`;
      const entry: Underway = { isGone: signal.aborted, ended };
      const set = underway.get(key) ?? new Set();
      underway.set(key, set.add(entry));
      signal.addEventListener("abort", () => {
        entry.isGone = true;
      });
      void ended.then((taskId) => {
        set.delete(entry);
        if (set.size === 0) underway.delete(key);
        if (taskId === null) return;
        const nowMs = deps.clock.monotonicMs();
        // In insertion order, so the oldest come first.
        for (const [old, { untilMs }] of outcome) {
          if (untilMs > nowMs) break;
          outcome.delete(old);
        }
        const isDelivered = entry.isGone ? false : null;
        outcome.set(taskId, { isDelivered, untilMs: nowMs + undeliveredWindowSeconds * 1000 });
      });
    },
    answered(taskId, isDelivered) {
      const here = outcome.get(taskId);
      if (here) here.isDelivered = isDelivered;
      if (!isDelivered) return;
      delivered.push(taskId);
      cancelMark ??= deps.clock.after(markAfterMs, () => void mark());
    },
    close: mark,
  };
}

const fresh: Recognised = { kind: "new", derivedKey: null };
