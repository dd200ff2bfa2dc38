// Resolves the needs ids of candidates. There are few and they never change, so each is read once, from the graph of any job
// that has it.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { JobId, Submission } from "../job.ts";
import { type JobNeeds, needsOf } from "../job-needs.ts";

export interface NeedyJob {
  readonly jobId: JobId;
  readonly needsId?: string | null;
}

export interface KnownNeeds {
  // In the order of the candidates. Null if any worker can run the job.
  of(candidates: readonly NeedyJob[]): Promise<(JobNeeds | null)[]>;
  // Learns from a submission that states its needs. Returns the same submission.
  learn<Learned extends Pick<Submission, "needsId" | "needs">>(submission: Learned): Learned;
}

const keptMax = 10_000;

export function createKnownNeeds(
  findGraphs: (jobIds: readonly JobId[]) => Promise<ReadonlyMap<JobId, Buffer>>,
): KnownNeeds {
  const known = new BoundedMap<string, JobNeeds>(keptMax);

  async function read(candidates: readonly NeedyJob[]): Promise<void> {
    const unknown = new Map<string, JobId>();
    for (const { needsId, jobId } of candidates) if (needsId && !known.has(needsId)) unknown.set(needsId, jobId);
    if (unknown.size === 0) return;
    const graphs = await findGraphs([...unknown.values()]);
    for (const [needsId, jobId] of unknown) {
      const graph = graphs.get(jobId);
      // Otherwise the job is gone, and claiming it will fail.
      if (graph) known.set(needsId, needsOf(JSON.parse(graph.toString("utf8"))));
    }
  }

  return {
    async of(candidates) {
      await read(candidates);
      return candidates.map(({ needsId }) => (needsId ? (known.get(needsId) ?? null) : null));
    },
    learn(submission) {
      if (submission.needsId && submission.needs) known.set(submission.needsId, submission.needs);
      return submission;
    },
  };
}
