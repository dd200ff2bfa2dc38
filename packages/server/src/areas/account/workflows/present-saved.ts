// Saved workflows and versions as the wire shows them, with the names of the people and keys that saved them.
import type { SavedWorkflow as SavedBody, WorkflowVersion as VersionBody } from "@atelier/contract";
import type { Identity } from "../../../capabilities/identity/index.ts";
import type { LatestRun } from "../../../capabilities/jobs/index.ts";
import type { SavedWorkflow, WorkflowVersion } from "../../../capabilities/saved-workflows/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";

export function presentSaved(workflow: SavedWorkflow, run: LatestRun | null): SavedBody {
  const { id, name, folder, tags, version, format, nodes, bytes, archivedAt } = workflow;
  return {
    id,
    name,
    folder,
    tags: [...tags],
    version,
    format,
    nodes,
    bytes,
    archived_at: archivedAt?.toISOString() ?? null,
    created_at: workflow.createdAt.toISOString(),
    updated_at: workflow.updatedAt.toISOString(),
    last_job: run && { id: run.jobId, finished_at: run.finishedAt.toISOString(), picture: run.picture },
  };
}

export async function presentVersions(
  identity: Pick<Identity, "members" | "keys">,
  workspaceId: WorkspaceId,
  versions: readonly WorkflowVersion[],
): Promise<VersionBody[]> {
  const authorOf = await authorsOf(identity, workspaceId, versions);
  return versions.map((version) => presentVersion(version, authorOf(version)));
}

type Written = Pick<WorkflowVersion, "createdByKind" | "createdById">;

// Who wrote each of them, by their present names.
export async function authorsOf(
  identity: Pick<Identity, "members" | "keys">,
  workspaceId: WorkspaceId,
  versions: readonly Written[],
): Promise<(version: Written) => VersionBody["created_by"]> {
  const by = new Set(versions.map(({ createdByKind }) => createdByKind));
  const people = by.has("person") ? await identity.members.list(workspaceId) : [];
  const keys = by.has("key") ? await identity.keys.list(workspaceId) : [];
  const names = new Map<string, string>([
    ...people.map(({ person }) => [person.id, person.name] as const),
    ...keys.map(({ id, name }) => [id, name] as const),
  ]);
  return ({ createdByKind: kind, createdById: id }) =>
    kind === null || id === null ? null : { kind, id, name: names.get(id) ?? null };
}

function presentVersion(version: WorkflowVersion, author: VersionBody["created_by"]): VersionBody {
  return {
    version: version.version,
    format: version.format,
    nodes: version.nodes,
    bytes: version.bytes,
    sha256: version.sha256.toString("hex"),
    note: version.note,
    restored_from: version.restoredFrom,
    created_at: version.createdAt.toISOString(),
    created_by: author,
  };
}
