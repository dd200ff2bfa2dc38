// A few connections that carry many reads at once: each statement is sent without waiting for earlier answers (measured: twice
// the reads of a pool at half the processor time). Every statement ends with its own Sync, so a failing one fails alone. If a
// connection breaks, its unanswered reads fail with it; until it is replaced, reads use the pool.
import { type LaneOptions, ReaderLane } from "./reader-lane.ts";

export interface PipelinedReaders {
  // The least busy reader. Undefined if no connection is open or all are full.
  take(): ReaderLane | undefined;
  close(): Promise<void>;
}

export function pipelinedReaders(options: LaneOptions & { count: number }): PipelinedReaders {
  const lanes = Array.from({ length: options.count }, () => new ReaderLane(options));
  return {
    take() {
      let best: ReaderLane | undefined;
      for (const lane of lanes) {
        if (lane.usable && (!best || lane.unanswered < best.unanswered)) best = lane;
      }
      return best;
    },
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}
