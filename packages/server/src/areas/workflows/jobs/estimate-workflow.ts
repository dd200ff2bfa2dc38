// Estimates the cost of a graph, from the parts that a submission of it would hold. The checks are the submission's, in the
// same order, up to the key. Nothing is stored, held or sent.
import type { CreditRange, GraphEstimate, NodeEstimate } from "@atelier/contract";
import type { PriceGraph, PricePart } from "../../../capabilities/graphs/index.ts";
import { likeJobsSubject, needsIdOf, needsOf } from "../../../capabilities/jobs/index.ts";
import type { Limits } from "../../../capabilities/limits/index.ts";
import { creditsText } from "../../../capabilities/prices/index.ts";
import type { ExpectedSeconds, PastRuns } from "../../../foundation/past-runs.ts";
import type { Surface, WorkflowCaller } from "../surface.ts";
import type { FilesOfGraph } from "./asset-references.ts";
import { requireFitting } from "./require-fitting.ts";
import { type CheckSubmissionDeps, checkSubmission, isPaidByKey } from "./submit-job.ts";

export interface EstimateWorkflowDeps extends CheckSubmissionDeps {
  readonly surface: Pick<Surface, "requireOpen" | "poolId">;
  readonly limits: Pick<Limits, "limitOf">;
  readonly price: PriceGraph;
  // If absent, no past runs are known.
  readonly pastRuns?: PastRuns;
}

export async function estimateWorkflow(
  deps: EstimateWorkflowDeps,
  caller: WorkflowCaller,
  bytes: Buffer,
  files: Pick<FilesOfGraph, "mayBeMissing"> = {},
): Promise<GraphEstimate> {
  const { graph, nodes, parts } = await priceSubmission(deps, caller, bytes, files);
  const estimated: NodeEstimate[] = [];
  for (const part of parts) estimated.push(await estimateOf(deps.pastRuns, part));
  const { poolId } = deps.surface;
  const alike = likeJobsSubject({ poolId, needsId: needsIdOf(needsOf(graph)), nodesTotal: nodes.length });
  const { hold, ...sums } = sumOf(parts);
  const range = formatRange(sums);
  return {
    credits: range.credits,
    hold: creditsText(hold),
    is_exact: range.is_exact,
    ...(await expected(deps.pastRuns, alike)),
    nodes: estimated,
  };
}

// What a submission costs at least and at most, and what it would hold, in micro-credits.
export async function quoteSubmission(
  deps: EstimateWorkflowDeps,
  caller: WorkflowCaller,
  bytes: Buffer,
): Promise<ReturnType<typeof sumOf>> {
  return sumOf((await priceSubmission(deps, caller, bytes)).parts);
}

async function priceSubmission(
  deps: EstimateWorkflowDeps,
  caller: WorkflowCaller,
  bytes: Buffer,
  files: FilesOfGraph = {},
) {
  await requireFitting(deps, caller, bytes);
  await deps.surface.requireOpen?.();
  const { submission, graph, nodes } = await checkSubmission(deps, caller, bytes, { ...files, mayComeLater: true });
  const paid = { workspaceId: caller.workspaceId, nodes, isPaidByKey: isPaidByKey(submission) };
  return { graph, nodes, parts: await deps.price(graph, paid) };
}

function sumOf(parts: readonly PricePart[]) {
  const sum = (of: (part: PricePart) => bigint) => parts.reduce((total, part) => total + of(part), 0n);
  return {
    lowest: sum(({ lowest }) => lowest),
    highest: sum(({ highest }) => highest),
    hold: sum(({ amount }) => amount),
  };
}

async function estimateOf(pastRuns: PastRuns | undefined, { part, node, ...range }: PricePart): Promise<NodeEstimate> {
  return {
    node_id: part,
    ...(node === undefined ? {} : { class_type: node.classType }),
    ...(node === undefined || node.title === null ? {} : { title: node.title }),
    ...formatRange(range),
    ...(node === undefined || node.model === null ? {} : await expected(pastRuns, `model:${node.model}`)),
  };
}

function formatRange({ lowest, highest }: Pick<PricePart, "lowest" | "highest">): {
  readonly credits: CreditRange;
  readonly is_exact: boolean;
} {
  return {
    credits: { lowest: creditsText(lowest), highest: creditsText(highest) },
    is_exact: lowest === highest,
  };
}

// Does not await cached figures: a graph can have thousands of nodes.
async function expected(
  pastRuns: PastRuns | undefined,
  subject: string,
): Promise<{ readonly expected_seconds?: ExpectedSeconds }> {
  const found = await pastRuns?.expectedSeconds(subject);
  return found === undefined ? {} : { expected_seconds: { median: found.median, p90: found.p90, count: found.count } };
}
