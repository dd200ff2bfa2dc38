// Jobs that are alike for the question how long one takes: on the same pool, whose workers are as fast, of the same node
// classes and model files, and of as many nodes. Values such as sizes and steps are not compared; the spread of the
// figures says what they make of it.
export interface LikeJobs {
  readonly poolId: string;
  // Of what the graph needs (needsIdOf).
  readonly needsId: string;
  readonly nodesTotal: number;
}

// As one word, for who remembers figures by subject.
export function subjectOfLikeJobs({ poolId, needsId, nodesTotal }: LikeJobs): string {
  return `graph:${poolId}:${needsId}:${nodesTotal}`;
}

export function likeJobsOf(subject: string): LikeJobs | null {
  const [kind, poolId, needsId, nodesTotal, ...rest] = subject.split(":");
  if (kind !== "graph" || !poolId || !needsId || !/^\d{1,9}$/.test(nodesTotal ?? "") || rest.length > 0) return null;
  return { poolId, needsId, nodesTotal: Number(nodesTotal) };
}
