// What publishing asks of v2: a graph's files, whether it would be accepted, and its examples, which run as ordinary jobs of the
// shared pool.
import type { ClassSet } from "@atelier/engine";
import type { Assets } from "../../../capabilities/assets/index.ts";
import { modelsOfClass } from "../../../capabilities/graphs/index.ts";
import { deletedName, type Identity } from "../../../capabilities/identity/index.ts";
import { type Job, type Jobs, terminalStates, waitForJob, workflowLabel } from "../../../capabilities/jobs/index.ts";
import type { Limits } from "../../../capabilities/limits/index.ts";
import type { ExampleRun, PublishingPorts } from "../../../capabilities/works/index.ts";
import type { Clock } from "../../../foundation/clock.ts";
import { isRecord } from "../../../foundation/json/json-record.ts";
import { resolveAssets } from "./asset-references.ts";
import { requireFitting } from "./require-fitting.ts";
import { checkSubmission, type SubmitJobDeps, submitJob } from "./submit-job.ts";

export interface PublishingPortDeps {
  readonly limits: Pick<Limits, "limitOf">;
  readonly clock: Clock;
  readonly submitting: SubmitJobDeps;
  readonly jobs: Pick<Jobs, "get" | "cancel" | "watch">;
  readonly assets: Assets;
  readonly workspaces: Pick<Identity["workspaces"], "find">;
  readonly router: {
    readonly classes: ClassSet;
    // Null if it is not served, or its definition is only in this process.
    definitionVersionOf(modelId: string): number | null;
  };
  readonly expand: PublishingPorts["expand"];
}

export function publishingPorts(deps: PublishingPortDeps): PublishingPorts {
  const { submitting, assets, router, workspaces } = deps;
  return {
    expand: deps.expand,
    async resolveFiles(workspaceId, graph) {
      const given = isRecord(graph.value) ? graph.value : {};
      const { graph: resolved, assetIds } = await resolveAssets(submitting, workspaceId, given);
      const found = await assets.find({ workspaceId, assetIds, filePaths: [] });
      return {
        graph: resolved,
        files: found.map(({ id, filePath, hash }) => ({ id, name: filePath ?? id, sha256: hash })),
      };
    },
    async checkGraph(caller, graph, files) {
      const bytes = submissionOf(graph);
      await requireFitting(deps, caller, bytes);
      await checkSubmission(submitting, caller, bytes, files);
    },
    async runExample(caller, { graph, workflowId }, signal) {
      const bytes = submissionOf(graph, { [workflowLabel]: workflowId });
      const asked = { caller, bytes, idempotencyKey: null, maxCredits: null };
      const { job } = await submitJob(submitting, asked);
      const requested = { workspaceId: caller.workspaceId, poolId: submitting.surface.poolId, jobId: job.id };
      const ended = await waitForJob(deps, requested, signal);
      if (!terminalStates.has(ended.state)) signal.throwIfAborted();
      return outcomeOf(ended);
    },
    async workspaceName(workspaceId) {
      const found = await workspaces.find(workspaceId);
      return found === null || found.name === deletedName ? null : found.name;
    },
    modelsOf: (classType, inputs) => modelsOfClass(router.classes, classType, inputs),
    definitionVersion: async (modelId) => router.definitionVersionOf(modelId),
  };
}

function submissionOf(graph: Buffer, metadata?: Readonly<Record<string, string>>): Buffer {
  const end = metadata === undefined ? "}" : `,"metadata":${JSON.stringify(metadata)}}`;
  return Buffer.concat([Buffer.from('{"workflow":'), graph, Buffer.from(end)]);
}

function outcomeOf(job: Job): ExampleRun {
  const { error, state } = job;
  const node =
    error?.nodeId == null ? "" : `Node ${error.nodeId}${error.classType === null ? "" : ` (${error.classType})`}: `;
  const message = error === null ? `The job is ${state}.` : `${node}${error.message}`;
  return {
    jobId: job.id,
    assets: job.outputs
      .filter(({ folder }) => folder !== "shown")
      .map(({ assetId, kind }) => ({ id: assetId, isPicture: kind === "image" })),
    problem: state === "succeeded" ? null : { message, nodeId: error?.nodeId ?? null },
  };
}
