// Gives memory back while the process is idle. V8 keeps a young generation sized for the busiest moment: 40 MB after a start,
// 55 after opening ten thousand streams. It shrinks when V8 collects while little is allocated, but an idle process allocates
// too little to be collected at all. So we trigger it: once, fully, when the start is over and no caller waits yet (140 ms, 50
// MB), and from then on once a second and only when idle, a few milliseconds each, until there is nothing left to give.
import { performance } from "node:perf_hooks";
import { getHeapSpaceStatistics } from "node:v8";
import type { PeriodicWork } from "../background.ts";
import { findCollector, findCollectYoung } from "./young-garbage.ts";

export interface RestDeps {
  youngBytes(): number;
  // The share of time spent busy since the last call, between 0 and 1.
  busyShare(): number;
  collect(): void;
}

const smallBytes = 8 * 1024 * 1024;
const restingShare = 0.1;
// What is still held after this many tries is in use; from then on we try once a minute.
const triesInARow = 10;
const triesApart = 60;

export function givingBack(deps: RestDeps): () => void {
  let tries = 0;
  return () => {
    const isResting = deps.busyShare() < restingShare;
    if (deps.youngBytes() <= smallBytes) tries = 0;
    else if (isResting && (tries++ < triesInARow || tries % triesApart === 0)) deps.collect();
  };
}

// Call after the start, which leaves more garbage than it keeps: sources that were read and compiled, documents that were
// assembled.
export function giveBackAtOnce(): void {
  findCollector({ type: "major", flavor: "last-resort" })?.();
}

// Null if the engine does not support it.
export function restWork(): PeriodicWork | null {
  const collect = findCollectYoung();
  if (collect === null) return null;
  let before = performance.eventLoopUtilization();
  const round = givingBack({
    youngBytes: () => getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_size ?? 0,
    busyShare() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
    collect,
  });
  return { name: "memory: give back at rest", everyMs: 1_000, begins: "after_pause", round: async () => round() };
}
