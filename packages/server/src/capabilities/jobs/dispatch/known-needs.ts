// What the needs of candidates stand for. They are few and never change, so each is read once, from the graph of any job
// that has them.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { JobId, Submission } from "../job.ts";
import { type JobNeeds, needsOf } from "../job-needs.ts";

export interface NeedyJob {
  readonly jobId: JobId;
  readonly needsId?: string | null;
}

export interface KnownNeeds {
  // In the order of the candidates; null: any worker will do.
  of(candidates: readonly NeedyJob[]): Promise<(JobNeeds | null)[]>;
  // From a submission that tells them; answers the same submission.
  learn<Told extends Pick<Submission, "needsId" | "needs">>(told: Told): Told;
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
      // A job that is gone: an attempt to claim it finds that out.
      if (graph) known.set(needsId, needsOf(JSON.parse(graph.toString("utf8"))));
    }
  }

  return {
    async of(candidates) {
      await read(candidates);
      return candidates.map(({ needsId }) => (needsId ? (known.get(needsId) ?? null) : null));
    },
    learn(told) {
      if (told.needsId && told.needs) known.set(told.needsId, told.needs);
      return told;
    },
  };
}
