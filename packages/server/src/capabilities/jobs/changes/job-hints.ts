// Wake-ups from code that changes jobs to code that waits: immediate in this process, over the bus elsewhere. Any of them
// may get lost, so dispatchers and watchers also poll.
import type { Bus } from "../../../foundation/bus/bus.ts";
import { sharedTopic } from "../../../foundation/bus/shared-topic.ts";
import { newId, parseId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Job, JobId, PoolId } from "../job.ts";

// A position in a lane: smaller ranks first, then older ids.
export interface ReadyHint {
  readonly poolId: PoolId;
  readonly workspaceId: WorkspaceId;
  readonly rank: number;
  readonly jobId: JobId;
  readonly needsId: string | null;
}

export type ReadyJob = Pick<Job, "id" | "poolId" | "workspaceId" | "priority" | "needsId">;

export interface JobHints {
  ready(jobs: readonly ReadyJob[]): void;
  changed(jobIds: readonly JobId[]): void;
  onReady(receive: (hint: ReadyHint) => void): () => void;
  // Reports jobs this process has changed, and jobs changed elsewhere that it attends to.
  onChanged(receive: (jobIds: readonly JobId[]) => void): () => void;
  attend(jobId: JobId): () => void;
  close(): void;
}

export const readyTopic = "jobs.ready";
export const changedTopic = "jobs.changed";
// Well below the message size limit of any bus.
const hintsPerMessage = 25;

export function createJobHints(bus: Bus): JobHints {
  const self = newId();
  const onReady = new Set<(hint: ReadyHint) => void>();
  const onChanged = new Set<(jobIds: readonly JobId[]) => void>();
  const announceReady = (hint: ReadyHint) => {
    for (const receive of onReady) receive(hint);
  };
  const announceChanged = (jobIds: readonly JobId[]) => {
    for (const receive of onChanged) receive(jobIds);
  };
  const leave = bus.subscribe(readyTopic, (message) => {
    for (const entry of entriesOf(message, self)) {
      const hint = readHint(entry);
      if (hint) announceReady(hint);
    }
  });
  const changes = sharedTopic(bus, changedTopic, (entries) => {
    const ids = entries.flatMap((entry) => readId<"job">(entry) ?? []);
    if (ids.length > 0) announceChanged(ids);
  });

  return {
    ready(jobs) {
      const hints = firstOfEachLane(jobs);
      for (const hint of hints) announceReady(hint);
      for (let at = 0; at < hints.length; at += hintsPerMessage) {
        const some = hints.slice(at, at + hintsPerMessage);
        bus.publish(readyTopic, {
          from: self,
          entries: some.map((hint) => [hint.poolId, hint.workspaceId, hint.rank, hint.jobId, hint.needsId]),
        });
      }
    },
    changed(jobIds) {
      if (jobIds.length === 0) return;
      announceChanged(jobIds);
      changes.publish(jobIds);
    },
    onReady(receive) {
      onReady.add(receive);
      return () => void onReady.delete(receive);
    },
    onChanged(receive) {
      onChanged.add(receive);
      return () => void onChanged.delete(receive);
    },
    attend: (jobId) => changes.attend(jobId),
    close() {
      leave();
      onReady.clear();
      onChanged.clear();
    },
  };
}

// A reader that starts at the first position finds the others behind it.
function firstOfEachLane(jobs: readonly ReadyJob[]): ReadyHint[] {
  const first = new Map<string, ReadyHint>();
  for (const { id, poolId, workspaceId, priority, needsId = null } of jobs) {
    const lane = `${poolId} ${workspaceId}`;
    const known = first.get(lane);
    const hint = { poolId, workspaceId, rank: -priority, jobId: id, needsId };
    if (!known || comesBefore(hint, known)) first.set(lane, hint);
  }
  return [...first.values()];
}

export function comesBefore(a: { rank: number; jobId: string }, b: { rank: number; jobId: string }): boolean {
  return a.rank < b.rank || (a.rank === b.rank && a.jobId < b.jobId);
}

// Messages on the bus are checked carefully: another version may send a different shape.
function entriesOf(message: unknown, self: string): readonly unknown[] {
  if (typeof message !== "object" || message === null || !("entries" in message) || !("from" in message)) return [];
  return message.from === self || !Array.isArray(message.entries) ? [] : message.entries;
}

function readHint(entry: unknown): ReadyHint | null {
  if (!Array.isArray(entry)) return null;
  const [poolText, workspaceText, rank, jobText, needsId]: readonly unknown[] = entry;
  const poolId = readId<"pool">(poolText);
  const workspaceId = readId<"workspace">(workspaceText);
  const jobId = readId<"job">(jobText);
  // We ignore a hint that does not say what the job needs: a read will find the job.
  if (needsId !== null && typeof needsId !== "string") return null;
  return poolId && workspaceId && jobId && typeof rank === "number"
    ? { poolId, workspaceId, rank, jobId, needsId }
    : null;
}

const readId = <Kind extends string>(value: unknown) => (typeof value === "string" ? parseId<Kind>(value) : null);
