// How many of the caller's own jobs are ahead of a given one. We read the first hundred of a lane together and keep them
// briefly, so a thousand reads of queued jobs cost one look at the queue. Jobs this process adds and claims are applied to
// the kept list; changes by other processes show with the next look. If a job should be in the list and is not, the list is
// outdated and read again, so a position never predates its job.
import type { Clock } from "../../../foundation/clock.ts";
import { TtlCache } from "../../../foundation/memory/ttl-cache.ts";
import { comesBefore } from "../changes/job-hints.ts";
import type { LaneName } from "../queue-depth.ts";
import type { Candidate } from "./ready-store.ts";

export interface LaneFronts {
  // At most `positionBound`, which means that many or more.
  position(lane: LaneName, job: Candidate): Promise<number>;
  // This process put the job into the queue, or took it out.
  joined(lane: LaneName, job: Candidate): void;
  left(lane: LaneName, job: Candidate): void;
}

interface Front {
  readonly entries: Candidate[];
}

export const positionBound = 100;
const freshMs = 250;
const costFactor = 20;
const frontsKept = 1_000;

export function createLaneFronts(deps: {
  readonly clock: Clock;
  // The first `positionBound` jobs of a lane.
  read(lane: LaneName): Promise<readonly Candidate[]>;
}): LaneFronts {
  const fronts = new TtlCache<string, Front>({ clock: deps.clock, keepMs: freshMs, entriesMax: frontsKept });
  const reading = new Map<string, Promise<Front>>();

  async function read(key: string, lane: LaneName): Promise<Front> {
    const startedMs = deps.clock.monotonicMs();
    const entries = [...(await deps.read(lane))];
    const endedMs = deps.clock.monotonicMs();
    const front = { entries };
    fronts.set(key, front, endedMs + Math.max(freshMs, costFactor * (endedMs - startedMs)));
    return front;
  }

  function readOnce(key: string, lane: LaneName): Promise<Front> {
    let front = reading.get(key);
    if (!front) {
      front = read(key, lane).finally(() => reading.delete(key));
      reading.set(key, front);
    }
    return front;
  }

  return {
    async position(lane, job) {
      const key = keyOf(lane);
      const front = fronts.get(key);
      const known = front ? positionIn(front, job) : null;
      if (known !== null) return known;
      // A running look may have started before the job was there; the next one cannot have.
      const first = positionIn(await readOnce(key, lane), job);
      if (first !== null) return first;
      const second = await readOnce(key, lane);
      return positionIn(second, job) ?? findPosition(second, job);
    },
    joined(lane, job) {
      const front = fronts.get(keyOf(lane));
      if (!front) return;
      const at = findPosition(front, job);
      if (front.entries[at]?.jobId !== job.jobId) front.entries.splice(at, 0, job);
      if (front.entries.length > positionBound) front.entries.pop();
    },
    left(lane, job) {
      const front = fronts.get(keyOf(lane));
      // If the list is full we do not know which job moves up. The next look shows it.
      if (!front || front.entries.length >= positionBound) return;
      const at = findPosition(front, job);
      if (front.entries[at]?.jobId === job.jobId) front.entries.splice(at, 1);
    },
  };
}

const keyOf = (lane: LaneName) => `${lane.poolId} ${lane.workspaceId}`;

// Where the job is or would be.
function findPosition({ entries }: Front, job: Candidate): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = entries[middle];
    if (entry && comesBefore(entry, job)) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Null if it should be here and is not.
function positionIn(front: Front, job: Candidate): number | null {
  const at = findPosition(front, job);
  if (front.entries[at]?.jobId === job.jobId) return at;
  return at >= positionBound ? positionBound : null;
}
