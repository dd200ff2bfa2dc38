// How many of the caller's own jobs are ahead of one: the first hundred of a lane are read together and kept for a moment,
// so that a thousand reads of queued jobs cost one look at the queue. A job that should be among them and is not makes the
// look old, so a position is never told from before the job was there.
import type { Clock } from "../../foundation/clock.ts";
import { comesBefore } from "./job-hints.ts";
import type { LaneName } from "./queue-depth.ts";
import type { Candidate } from "./ready-store.ts";

export interface LaneFronts {
  // At most `positionBound`, which means "so many or more".
  position(lane: LaneName, job: Candidate): Promise<number>;
}

interface Front {
  readonly entries: readonly Candidate[];
  readonly index: ReadonlyMap<string, number>;
  readonly untilMs: number;
}

export const positionBound = 100;
const freshMs = 250;
const costFactor = 20;
const frontsKept = 1_000;

export function createLaneFronts(deps: {
  readonly clock: Clock;
  // The first `positionBound` of a lane.
  read(lane: LaneName): Promise<readonly Candidate[]>;
}): LaneFronts {
  const fronts = new Map<string, Front>();
  const reading = new Map<string, Promise<Front>>();

  async function read(key: string, lane: LaneName): Promise<Front> {
    const startedMs = deps.clock.monotonicMs();
    const entries = await deps.read(lane);
    const endedMs = deps.clock.monotonicMs();
    const index = new Map(entries.map((entry, at) => [entry.jobId, at]));
    const front = { entries, index, untilMs: endedMs + Math.max(freshMs, costFactor * (endedMs - startedMs)) };
    if (fronts.size >= frontsKept) fronts.clear();
    fronts.set(key, front);
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
      const key = `${lane.poolId} ${lane.workspaceId}`;
      const kept = fronts.get(key);
      if (kept && kept.untilMs > deps.clock.monotonicMs()) {
        const known = positionIn(kept, job);
        if (known !== null) return known;
      }
      // A look that is under way may have begun before the job was there; the one after it has not.
      const first = positionIn(await readOnce(key, lane), job);
      if (first !== null) return first;
      const front = await readOnce(key, lane);
      return positionIn(front, job) ?? front.entries.filter((entry) => comesBefore(entry, job)).length;
    },
  };
}

// Null: it should be here and is not.
function positionIn(front: Front, job: Candidate): number | null {
  const at = front.index.get(job.jobId);
  if (at !== undefined) return at;
  const last = front.entries.at(-1);
  return front.entries.length >= positionBound && last && comesBefore(last, job) ? positionBound : null;
}
