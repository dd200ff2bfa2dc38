// Similar jobs, for estimating how long one takes: same pool, so equally fast workers, same node classes and model files,
// and same number of nodes. Values such as sizes and steps are not compared; the spread of the figures shows their effect.
export interface LikeJobs {
  readonly poolId: string;
  // The hash of what the graph needs (needsIdOf).
  readonly needsId: string;
  readonly nodesTotal: number;
}

// As a single string, for code that caches figures by subject.
export function likeJobsSubject({ poolId, needsId, nodesTotal }: LikeJobs): string {
  return `graph:${poolId}:${needsId}:${nodesTotal}`;
}

export function likeJobsOf(subject: string): LikeJobs | null {
  const [kind, poolId, needsId, nodesTotal, ...rest] = subject.split(":");
  if (kind !== "graph" || !poolId || !needsId || !/^\d{1,9}$/.test(nodesTotal ?? "") || rest.length > 0) return null;
  return { poolId, needsId, nodesTotal: Number(nodesTotal) };
}
