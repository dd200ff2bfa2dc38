// One broadcast per job and host that links are built for. It starts watching the job before its first reader reads it, so that
// nothing is missed. It is kept for a while after the last reader has left, because a disconnected reader comes back for what
// it missed. How many are kept is bounded; without one, the job itself provides the same.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { JobId, Jobs } from "../../../capabilities/jobs/index.ts";
import type { Clock } from "../../../foundation/clock.ts";
import type { LinkArrival, Surface } from "../surface.ts";
import { JobBroadcast } from "./job-broadcast.ts";
import { jobFrames } from "./job-frames.ts";

export interface JobBroadcasts {
  // Call `leave` when the reader has left.
  enter(jobId: JobId, arrival: LinkArrival): { readonly broadcast: JobBroadcast; leave(): void };
  // How many jobs are being watched.
  readonly size: number;
}

interface Kept {
  readonly broadcast: JobBroadcast;
  readonly unwatch: () => void;
  readers: number;
  idleSinceMs: number;
}

const idleMax = 256;
const idleMsMax = 60_000;

export function createJobBroadcasts(deps: {
  readonly surface: Surface;
  readonly jobs: Pick<Jobs, "watch">;
  readonly clock: Clock;
}): JobBroadcasts {
  const all = new Map<string, Kept>();
  // In the order in which they became idle.
  const idle = new BoundedMap<string, Kept>(idleMax, { evicted: drop });

  function drop(key: string, kept: Kept): void {
    all.delete(key);
    idle.delete(key);
    kept.unwatch();
    kept.broadcast.close();
  }

  function tidy(): void {
    const nowMs = deps.clock.monotonicMs();
    for (const [key, kept] of idle) {
      if (nowMs - kept.idleSinceMs < idleMsMax) return;
      drop(key, kept);
    }
  }

  function begin(key: string, jobId: JobId, host: string | undefined): Kept {
    const frames = jobFrames(deps.surface, { headers: host === undefined ? {} : { host } });
    const broadcast = new JobBroadcast({ frames, clock: deps.clock });
    const unwatch = deps.jobs.watch(jobId, (change) => {
      broadcast.receive(change);
      if (broadcast.isOver && kept.readers === 0) drop(key, kept);
    });
    const kept: Kept = { broadcast, unwatch, readers: 0, idleSinceMs: 0 };
    all.set(key, kept);
    return kept;
  }

  return {
    enter(jobId, { headers }) {
      const key = `${jobId} ${headers.host ?? ""}`;
      const kept = all.get(key) ?? begin(key, jobId, headers.host);
      kept.readers += 1;
      idle.delete(key);
      tidy();
      return {
        broadcast: kept.broadcast,
        leave() {
          kept.readers -= 1;
          if (kept.readers > 0 || all.get(key) !== kept) return;
          if (kept.broadcast.isOver) return drop(key, kept);
          kept.idleSinceMs = deps.clock.monotonicMs();
          idle.set(key, kept);
          tidy();
        },
      };
    },
    get size() {
      return all.size;
    },
  };
}
