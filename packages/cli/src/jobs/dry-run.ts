// `atelier run --dry-run`: what the run would cost, node by node, how long such graphs took, and what the workspace has.
// Nothing is submitted, and files that -i names are read but not uploaded.
import { GraphFile } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { estimateResult } from "../estimate-text.ts";
import { openSource } from "../files/upload-file.ts";
import type { Asked } from "../server/over-http.ts";
import { type BatchPlan, graphOfRun } from "./batch-plan.ts";
import type { ApiGraph } from "./graph-inputs.ts";
import { submittable } from "./read-graph.ts";

// In place of an upload: that a file cannot be read is told now, as the run would tell it.
export const notUploaded = async (path: string): Promise<GraphFile> => new GraphFile(await openSource(path));

// Neither a seed nor another file changes what a run can cost, so that the first of several speaks for all.
export async function dryRun(asked: Asked, plan: BatchPlan, read: ApiGraph): Promise<CommandResult> {
  const { runs } = plan;
  const [first = { number: 1, file: null, seed: null }] = runs;
  const { graph } = graphOfRun(plan, read, first, first.file === null ? null : await notUploaded(first.file));
  const estimate = await asked.atelier.jobs.estimate(submittable(graph));
  const parts = estimate.nodes.map(({ node_id: id, class_type: className, title, ...part }) => ({
    ...part,
    name: className === undefined ? "running time" : title === undefined ? id : `${title} (${id})`,
    about: className ?? null,
  }));
  return estimateResult(asked, { ...estimate, parts, runs: runs.length }, estimate);
}
