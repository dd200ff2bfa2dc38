// Publishing: saved workflows become works. Their examples run as ordinary jobs of the shared pool.
import type { AccountDeps } from "../../areas/account/index.ts";
import {
  checkSubmission,
  requireFitting,
  resolveAssets,
  type SubmitJobDeps,
  submitJob,
} from "../../areas/workflows/index.ts";
import type { Assets } from "../../capabilities/assets/index.ts";
import { modelsOfClass } from "../../capabilities/graphs/index.ts";
import { deletedName, type Identity } from "../../capabilities/identity/index.ts";
import { type Job, type Jobs, terminalStates, waitForJob, workflowLabel } from "../../capabilities/jobs/index.ts";
import type { Limits } from "../../capabilities/limits/index.ts";
import type { SavedWorkflows } from "../../capabilities/saved-workflows/index.ts";
import { createWorkLinks, createWorks, type ExampleRun, type PublishingPorts } from "../../capabilities/works/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import type { GraphRouter } from "./build-jobs.ts";
import type { ServingDeps } from "./serving-deps.ts";

export interface PublishingBuildDeps extends ServingDeps {
  readonly submitting: SubmitJobDeps;
  readonly jobs: Pick<Jobs, "get" | "cancel" | "watch">;
  readonly assets: Assets;
  readonly savedWorkflows: SavedWorkflows;
  readonly limits: Pick<Limits, "limitOf">;
  readonly router: Pick<GraphRouter, "definitionVersionOf" | "classes">;
  readonly expand: PublishingPorts["expand"];
}

export function buildPublishing(deps: PublishingBuildDeps): AccountDeps["works"] {
  const { submitting, savedWorkflows, assets, clock } = deps;
  const { audit, identity } = deps.capabilities;
  const { database } = deps.storage;
  const links = createWorkLinks({ database, keys: identity.keys, caps: deps.paying.keyCaps });
  const works = createWorks({
    endLinks: (caller, work) => links.endAll(caller, work),
    database,
    clock,
    audit,
    assets,
    saved: savedWorkflows,
    graphs: submitting.graphs,
    json: submitting.bodies,
    ports: publishingPorts(deps, identity),
  });
  return { works, links, savedWorkflows, bodies: submitting.bodies, pageUrl: deps.baseUrl };
}

function publishingPorts(deps: PublishingBuildDeps, identity: Pick<Identity, "workspaces">): PublishingPorts {
  const { submitting, assets, router } = deps;
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
      const found = await identity.workspaces.get(workspaceId).catch((thrown: unknown) => {
        if (thrown instanceof Fault && thrown.code === "not_found") return null;
        throw thrown;
      });
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
