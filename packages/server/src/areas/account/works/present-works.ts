// Works and their versions as the wire shows them. A saved workflow that was deleted is not named any more. Integers of any size
// in forms and examples keep their digits.
import type { Work, WorkExample, WorkForm, WorkVersion } from "@atelier/contract";
import type { Identity } from "../../../capabilities/identity/index.ts";
import type { SavedWorkflows } from "../../../capabilities/saved-workflows/index.ts";
import { type PublishedVersion, type PublishedWork, providerOf, versionId } from "../../../capabilities/works/index.ts";
import type { BytesAnswer, HeaderValues } from "../../../foundation/http/area.ts";
import { readExactJson, writeExactJson } from "../../../foundation/json/exact-json.ts";
import { authorsOf } from "../workflows/present-saved.ts";

export interface PresentDeps {
  readonly savedWorkflows: Pick<SavedWorkflows, "existing">;
  readonly identity: Pick<Identity, "members" | "keys">;
}

export async function presentWorks(
  { savedWorkflows }: Pick<PresentDeps, "savedWorkflows">,
  works: readonly PublishedWork[],
): Promise<Work[]> {
  const [first] = works;
  if (first === undefined) return [];
  const ids = works.map(({ workflowId }) => workflowId);
  const existing = await savedWorkflows.existing(first.workspaceId, ids);
  return works.map((work) => ({
    id: work.modelId,
    provider: providerOf(work.modelId),
    name: work.name,
    title: work.title,
    description: work.description,
    version: work.version,
    versions: work.versions,
    workflow_id: existing.has(work.workflowId) ? work.workflowId : null,
    visibility: work.visibility,
    shared_with: [...work.sharedWith],
    cover: work.cover,
    deprecated_at: work.deprecatedAt?.toISOString() ?? null,
    sunset_at: work.sunsetAt?.toISOString() ?? null,
    created_at: work.createdAt.toISOString(),
    updated_at: work.updatedAt.toISOString(),
  }));
}

export async function presentWorkVersions(
  { savedWorkflows, identity }: PresentDeps,
  { workspaceId, modelId }: PublishedWork,
  versions: readonly PublishedVersion[],
): Promise<WorkVersion[]> {
  const existing = await savedWorkflows.existing(
    workspaceId,
    versions.map(({ workflowId }) => workflowId),
  );
  const authorOf = await authorsOf(identity, workspaceId, versions);
  return versions.map((version) => ({
    id: versionId(modelId, version.version),
    version: version.version,
    workflow_id: existing.has(version.workflowId) ? version.workflowId : null,
    workflow_version: version.workflowVersion,
    // Written by us, in the form of the wire; integers beyond 2^53 are bigints.
    form: readExactJson(version.form) as WorkForm,
    needs: version.needs,
    examples: readExactJson(version.examples) as WorkExample[],
    note: version.note,
    created_at: version.createdAt.toISOString(),
    created_by: authorOf(version),
  }));
}

export function exactAnswer(status: number, body: unknown, headers: HeaderValues): BytesAnswer {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: writeExactJson(body),
  };
}
