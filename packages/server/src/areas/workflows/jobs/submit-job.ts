// Submits a workflow. The order of the checks is decided (decisions, section 6): JSON, format, fields, assets, graph, policy,
// then the key. A refused submission has stored nothing, so its key is free again.
import { createHash } from "node:crypto";
import type { AssetId } from "../../../capabilities/assets/index.ts";
import { notEnoughCredits } from "../../../capabilities/calls/index.ts";
import {
  exactGraph,
  type Graphs,
  graphText,
  type NodePolicy,
  type NodeProblems,
  type PriceGraph,
  type PricePart,
} from "../../../capabilities/graphs/index.ts";
import {
  holdPart,
  type Job,
  type JobId,
  type JobMetadata,
  type Jobs,
  needsIdOf,
  needsOf,
  type Submission,
} from "../../../capabilities/jobs/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { isRecord, type JsonRecord } from "../../../foundation/json/json-record.ts";
import { findSpan } from "../../../foundation/json/json-spans.ts";
import type { Labels } from "../../../foundation/json/labels.ts";
import { type JsonReader, nextTurn } from "../../../foundation/json/large-json.ts";
import { largeBytesMin } from "../../../foundation/own-thread.ts";
import type { Surface, WorkflowCaller } from "../surface.ts";
import { type FilesOfGraph, missingAsset, type ResolveDeps, resolveAssets } from "./asset-references.ts";
import { inApiFormat } from "./convert-workflow.ts";
import { invalidGraph } from "./invalid-graph.ts";
import { type NamedWorkDeps, withNamedWork } from "./named-work.ts";
import {
  graphReading,
  type Submission as ReadSubmission,
  type ReadSubmissionDeps,
  readSubmission,
  requireFewNodes,
} from "./read-submission.ts";
import { requireWithinBudgets, requireWithinLimit, type WithinBudgets } from "./require-within-limit.ts";
import { selectSubgraph } from "./select-subgraph.ts";

export interface CheckSubmissionDeps extends ResolveDeps, ReadSubmissionDeps, NamedWorkDeps {
  readonly bodies: Pick<JsonReader, "read">;
  readonly graphs: Graphs;
  readonly policy: NodePolicy;
}

export interface SubmitJobDeps extends CheckSubmissionDeps {
  readonly surface: Pick<Surface, "poolId">;
  readonly jobs: Pick<Jobs, "submit" | "list">;
  readonly price: PriceGraph;
  // Absent where there are no budgets.
  readonly withinBudgets?: WithinBudgets;
}

export interface AskedSubmission {
  readonly caller: WorkflowCaller;
  readonly bytes: Buffer;
  readonly idempotencyKey: string | null;
  // The maximum cost in micro-credits. Null for no limit.
  readonly maxCredits: bigint | null;
  // Its labels in usage. If absent, those of its metadata.
  readonly labels?: Labels;
  // Set if something else already knows the job by this id.
  readonly jobId?: JobId;
  // Sees what it may cost before anything is stored, and throws to refuse it.
  approve?(parts: readonly PricePart[]): Promise<void>;
  // The requested nodes: they and what they need run and are charged. Null or absent for the whole graph.
  readonly targets?: readonly string[] | null;
  // What saved files carry besides the graph, as JSON text. If null or absent, the editor's graph if one was sent.
  readonly pngInfo?: string | null;
}

export async function submitJob(
  deps: SubmitJobDeps,
  {
    caller,
    bytes,
    idempotencyKey,
    maxCredits,
    jobId,
    approve,
    labels,
    targets = null,
    pngInfo = null,
  }: AskedSubmission,
): Promise<{ readonly job: Job; readonly isReplay: boolean }> {
  const { submission, graph, assetIds, nodes, rest, editorInfo } = await checkSubmission(
    deps,
    caller,
    bytes,
    {},
    targets,
  );
  const workflow = graphText(graph, submission.exactIntegers);
  await rest();
  const parts = await deps.price(graph, {
    workspaceId: caller.workspaceId,
    nodes,
    isPaidByKey: isPaidByKey(submission),
  });
  await requireWithinLimit(deps, { caller, idempotencyKey, maxCredits, parts });
  await approve?.(parts);
  const counted = { tags: labels?.tags ?? mapOf(submission.metadata), endUser: labels?.endUser ?? null };
  const id = await requireWithinBudgets(deps, { caller, idempotencyKey, parts, jobId, labels: counted });
  const needs = needsOf(graph);
  return submit(deps.jobs, {
    ...(id === undefined ? {} : { id }),
    workspaceId: caller.workspaceId,
    apiKeyId: caller.keyId,
    poolId: deps.surface.poolId,
    workflow,
    pngInfo: pngInfo ?? editorInfo,
    nodesTotal: nodes.length,
    assetIds,
    metadata: submission.metadata,
    labels: counted,
    priority: submission.priority,
    webhookUrl: submission.webhookUrl,
    extraData: submission.extraData,
    outputTarget: submission.outputTarget,
    idempotencyKey,
    fingerprint: targets === null ? submission.fingerprint : ofTargets(submission.fingerprint, targets),
    needs,
    needsId: needsIdOf(needs),
    holds: parts
      .filter(({ amount }) => amount > 0n)
      .map(({ part, amount, node }) => ({ part: node === undefined ? part : holdPart(part), amount })),
  });
}

const mapOf = (metadata: JobMetadata | null) => (typeof metadata === "string" ? null : metadata);

// The same graph with other targets is another submission.
function ofTargets(fingerprint: Buffer, targets: readonly string[]): Buffer {
  return createHash("sha256")
    .update(fingerprint)
    .update(JSON.stringify([...new Set(targets)].sort()))
    .digest();
}

export interface CheckedSubmission {
  readonly submission: ReadSubmission;
  readonly graph: JsonRecord;
  readonly assetIds: readonly AssetId[];
  // The nodes that will run.
  readonly nodes: readonly string[];
  // The editor's own graph if that is what was sent, ready to be embedded. Null if an API graph was sent.
  readonly editorInfo: string | null;
  // Each pass over a large graph takes a separate turn, so that other work runs in between.
  rest(): void | Promise<void>;
}

// All checks of a submission before its key and its price; nothing is stored.
export async function checkSubmission(
  deps: CheckSubmissionDeps,
  caller: WorkflowCaller,
  bytes: Buffer,
  files: FilesOfGraph = {},
  targets: readonly string[] | null = null,
): Promise<CheckedSubmission> {
  const rest = bytes.byteLength > largeBytesMin ? nextTurn : () => undefined;
  const sent = await deps.bodies.read(bytes, graphReading, caller.workspaceId);
  const read = await withNamedWork(deps, caller, { read: sent, bytes, isQuote: files.mayComeLater ?? false });
  const inApi = await inApiFormat(deps.graphs, read, rest);
  const submission = await withWorks(deps, caller, readSubmission(deps, inApi));
  await deps.graphs.ready?.();
  const wanted = targets === null ? submission.workflow : selectSubgraph(submission.workflow, targets);
  const { graph, assetIds } = await resolveAssets(deps, caller.workspaceId, wanted, files);
  await rest();
  const verdict = deps.graphs.check(exactGraph(graph, submission.exactIntegers));
  await rest();
  const refused = await refusedNodes(deps.policy, graph);
  // A class can be both banned and unknown here: the author should hear first that it is banned.
  if (!verdict.ok)
    throw invalidGraph({ ...verdict, nodeErrors: together(refused, verdict.nodeErrors) }, graph, deps.graphs);
  requireAllowed(refused);
  const editorInfo = inApi === read ? null : editorInfoOf(bytes);
  return { submission, graph, assetIds, nodes: verdict.nodes, editorInfo, rest };
}

// Nodes that are works become the nodes of these works.
async function withWorks(
  { works }: CheckSubmissionDeps,
  { workspaceId }: WorkflowCaller,
  submission: ReadSubmission,
): Promise<ReadSubmission> {
  const { workflow: value, exactIntegers } = submission;
  if (works === undefined) return submission;
  const expanded = await works.expand(workspaceId, { value, exactIntegers });
  if (expanded.value === value) return submission;
  requireFewNodes(expanded.value);
  return { ...submission, workflow: expanded.value, exactIntegers: expanded.exactIntegers };
}

// Byte for byte as sent.
function editorInfoOf(bytes: Buffer): string | null {
  const span = findSpan(bytes, "/workflow");
  return span && `{"workflow":${bytes.toString("utf8", span.start, span.end)}}`;
}

// Whether the nodes pay with a key from the submission. Whose key it is becomes known when they run.
export function isPaidByKey({ extraData }: ReadSubmission): boolean {
  return extraData?.["api_key_service"] !== undefined;
}

async function submit(jobs: SubmitJobDeps["jobs"], submission: Submission) {
  const submitted = await jobs.submit(submission);
  switch (submitted.kind) {
    case "created":
      return { job: submitted.job, isReplay: false };
    case "replayed":
      return { job: submitted.job, isReplay: true };
    case "key_reused":
      throw new Fault("idempotency_key_reuse", "This Idempotency-Key was used for another submission. Use a new key.");
    case "queue_full":
      throw new Fault("queue_full", "This workspace's queue is full. Try again when a job has finished.", {
        retryAfterSeconds: submitted.retryAfterSeconds,
      });
    case "no_credit":
      throw notEnoughCredits(
        "job",
        submission.holds.reduce((sum, { amount }) => sum + amount, 0n),
        submitted.available,
      );
    case "missing_assets":
      throw missingAsset(submitted.assetIds);
  }
}

// Decisions, section 5: the policy of a node class is enforced, and the nodes are named.
async function refusedNodes(policy: NodePolicy, graph: JsonRecord): Promise<Record<string, NodeProblems>> {
  const nodes = Object.entries(graph).flatMap(([id, node]) =>
    isRecord(node) && typeof node["class_type"] === "string" ? [{ id, classType: node["class_type"] }] : [],
  );
  const classes = [...new Set(nodes.map(({ classType }) => classType))];
  const refused = new Set(await policy.refused({ classes }));
  const named = nodes.filter(({ classType }) => refused.has(classType));
  return Object.fromEntries(named.map(({ id, classType }) => [id, notAllowed(classType)]));
}

function together(
  refused: Readonly<Record<string, NodeProblems>>,
  invalid: Readonly<Record<string, NodeProblems>>,
): Record<string, NodeProblems> {
  const both = Object.entries(refused).map(([id, own]) => {
    const other = Object.hasOwn(invalid, id) ? invalid[id] : undefined;
    return [id, { ...own, ...other, errors: [...own.errors, ...(other?.errors ?? [])] }];
  });
  return { ...invalid, ...Object.fromEntries(both) };
}

function requireAllowed(refused: Readonly<Record<string, NodeProblems>>): void {
  const classes = [...new Set(Object.values(refused).map(({ class_type }) => class_type))];
  if (classes.length === 0) return;
  throw new Fault("validation_failed", `Not allowed here: ${classes.slice(0, 20).join(", ")}.`, {
    details: { node_errors: refused },
  });
}

function notAllowed(classType: string): NodeProblems {
  const problem = { type: "class_not_allowed", message: "This node class may not run here", details: classType };
  return { errors: [{ ...problem, extra_info: {} }], dependent_outputs: [], class_type: classType };
}
