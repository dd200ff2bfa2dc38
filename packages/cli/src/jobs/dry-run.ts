// `atelier run --dry-run`: what the run would cost, node by node, how long similar graphs took, and the workspace's balance.
// Nothing is submitted, and files named by -i are read but not uploaded.
import { AtelierError, type GraphEstimate, GraphFile } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { estimateResult } from "../estimate-text.ts";
import { openSource } from "../files/upload-file.ts";
import { ClientProblem } from "../server/client-problem.ts";
import type { Asked } from "../server/over-http.ts";
import { type BatchPlan, graphOfRun } from "./batch-plan.ts";
import type { ApiGraph } from "./graph-inputs.ts";
import { submittable } from "./read-graph.ts";

// Stands in for the upload. An unreadable file fails now, just as the run would.
export const notUploaded = async (path: string): Promise<GraphFile> => new GraphFile(await openSource(path));

// Neither the seed nor the file changes what a run can cost, so we estimate the first and it holds for all.
export async function dryRun(asked: Asked, plan: BatchPlan, read: ApiGraph): Promise<CommandResult> {
  const { runs } = plan;
  const [first = { number: 1, file: null, seed: null }] = runs;
  const { graph } = graphOfRun(plan, read, first, first.file === null ? null : await notUploaded(first.file));
  const estimate = await estimateOf(asked, graph);
  const parts = estimate.nodes.map(({ node_id: id, class_type: className, title, ...part }) => ({
    ...part,
    name: className === undefined ? "running time" : title === undefined ? id : `${title} (${id})`,
    about: className ?? null,
  }));
  return estimateResult(asked, { ...estimate, parts, runs: runs.length }, estimate);
}

// There is nothing to estimate where nothing is sold, and a deployment's address is not the server's.
async function estimateOf({ atelier }: Asked, graph: ApiGraph): Promise<GraphEstimate> {
  try {
    return await atelier.estimates.workflow(submittable(graph));
  } catch (thrown) {
    if (!(thrown instanceof AtelierError) || thrown.status !== 404) throw thrown;
    throw new ClientProblem("rejected_input", "no_estimates", `${atelier.baseUrl} does not support estimates.`, {
      hint: "use the server's own address (--base-url), not a deployment's; runs through the self-hosted proxy are free",
    });
  }
}
