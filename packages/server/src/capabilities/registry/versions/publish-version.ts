// Publishing a number: creates or updates the node, announces the number and returns its upload address. A number can be
// announced again until an upload completes; then it is immutable, and a deleted number never returns (decisions, section
// 5). Nothing here depends on bytes, so a failed upload uses up nothing.
import { type CreateNode, type PublishedNodeVersion, PublishNodeVersion, type UpdateNode } from "@atelier/contract";
import type { Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId } from "../../../foundation/ids.ts";
import type { FieldProblem } from "../../../foundation/json/schema.ts";
import { normalizeVersion } from "../checks/manifest.ts";
import { badFields, memberIn } from "../fields/bad-fields.ts";
import { readBody } from "../fields/read-body.ts";
import { changeNodeIn, createNodeIn, type NodePath } from "../nodes/change-node.ts";
import { isNodeId, isReservedNodeId, nodeBanned } from "../nodes/node-authority.ts";
import { lockNode } from "../nodes/node-write-store.ts";
import { foldedNodeId, type NodeRowId } from "../nodes/stored-node.ts";
import type { StoredPublisher } from "../publishers/publisher-store.ts";
import type { ChangeDeps } from "../readers/actor.ts";
import { operator } from "../readers/reader.ts";
import type { ArchiveAddresses } from "./archive-addresses.ts";
import { type IdentifyPublisherDeps, identifyPublisher, type Publication } from "./identify-publisher.ts";
import { showById } from "./read-versions.ts";
import type { VersionId } from "./stored-version.ts";
import { announceAgain, insertVersion, lockVersion, type VersionFields } from "./version-write-store.ts";

export interface PublishDeps extends ChangeDeps, IdentifyPublisherDeps {
  readonly addresses: Pick<ArchiveAddresses, "download" | "upload">;
}

export async function publishVersion(
  deps: PublishDeps,
  { publisherId, nodeId }: NodePath,
  sent: Publication,
): Promise<PublishedNodeVersion> {
  const { publisher, actor } = await identifyPublisher(deps, publisherId, sent);
  const body = await readBody(PublishNodeVersion, sent, (it) => problemsOf(nodeId, it));
  const version = requireNumber(body);
  const id = await deps.database.transaction(async (tx) => {
    const nodeRowId = await bringNodeUpToDate(tx, { publisher, nodeId, body }, deps.clock.now());
    const versionId = await announce(tx, nodeRowId, version, fieldsOf(body.node_version), deps.clock.now());
    await deps.audit.append(tx, {
      actor,
      requestId: sent.requestId,
      action: "node_version.publish",
      subject: { kind: "node", id: nodeId },
      workspaceId: publisher.workspaceId,
      after: { version, version_id: versionId },
    });
    return versionId;
  });
  await deps.nodesChanged([foldedNodeId(nodeId)]);
  return { node_version: await showById(deps, id, operator), signedUrl: deps.addresses.upload(id) };
}

// Checks the schema cannot express. The id in the path and the one in the body must mean the same node.
function problemsOf(nodeId: string, body: unknown): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (!isNodeId(nodeId)) problems.push({ path: "/nodeId", message: "is not a valid node id" });
  else if (isReservedNodeId(nodeId)) problems.push({ path: "/nodeId", message: "is a reserved word" });
  const id = memberIn(memberIn(body, "node"), "id");
  if (typeof id === "string" && id !== "" && foldedNodeId(id) !== foldedNodeId(nodeId)) {
    problems.push({ path: "/node/id", message: "differs from the node in the path" });
  }
  const version = memberIn(memberIn(body, "node_version"), "version");
  if (typeof version === "string" && normalizeVersion(version) === null) problems.push(noNumber);
  return problems;
}

const noNumber: FieldProblem = { path: "/node_version/version", message: "is not a semantic version" };

function requireNumber({ node_version }: PublishNodeVersion): string {
  const version = normalizeVersion(node_version.version);
  if (version === null) throw badFields([noNumber]);
  return version;
}

async function bringNodeUpToDate(
  tx: Queryable,
  { publisher, nodeId, body }: { publisher: StoredPublisher; nodeId: string; body: PublishNodeVersion },
  now: Date,
): Promise<NodeRowId> {
  const { id: _, name, ...rest } = body.node ?? {};
  const change: UpdateNode = { ...rest, ...(name ? { name } : {}) };
  const known = await lockNode(tx, foldedNodeId(nodeId));
  if (known === null) {
    const made = await createUnlessTaken(tx, { ...change, id: nodeId, name: name || nodeId }, { publisher, now });
    if (made !== null) return made;
  }
  const node = known ?? (await lockNode(tx, foldedNodeId(nodeId)));
  if (node === null) throw new Fault("conflict", "This node id is taken, perhaps in a different spelling.");
  if (node.status === "NodeStatusDeleted") {
    throw new Fault("conflict", "This node was deleted; its id remains reserved.");
  }
  if (node.publisherId !== publisher.id) throw new Fault("forbidden", "This node belongs to another publisher.");
  if (node.status === "NodeStatusBanned") throw nodeBanned();
  await changeNodeIn(tx, node, change);
  return node.id;
}

// Null if another process has just created it; that is committed by now.
async function createUnlessTaken(
  tx: Queryable,
  body: CreateNode,
  at: { readonly publisher: StoredPublisher; readonly now: Date },
): Promise<NodeRowId | null> {
  try {
    return await createNodeIn(tx, body, at);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "conflict") return null;
    throw thrown;
  }
}

async function announce(
  tx: Queryable,
  nodeRowId: NodeRowId,
  version: string,
  fields: VersionFields,
  now: Date,
): Promise<VersionId> {
  const known = await lockVersion(tx, { nodeRowId, version });
  if (known === null) {
    const id = newId<"node-version">(now.getTime());
    await insertVersion(tx, { ...fields, id, nodeRowId, version, now });
    return id;
  }
  if (known.status === "NodeVersionStatusDeleted") {
    throw new Fault("conflict", `Version ${version} was deleted; its number cannot be used again.`);
  }
  if (known.archiveHash !== null || known.status !== "NodeVersionStatusPending") {
    throw new Fault("conflict", `node version already exists: ${version} is published and cannot be changed.`);
  }
  await announceAgain(tx, known.id, fields);
  return known.id;
}

// Tools send empty texts and lists for fields that are not set.
export function fieldsOf(body: Omit<PublishNodeVersion["node_version"], "version">): VersionFields {
  return {
    changelog: body.changelog || null,
    dependencies: (body.dependencies ?? []).filter((one) => one !== ""),
    tags: orNull(body.tags) ?? [],
    supportedOs: orNull(body.supported_os),
    supportedAccelerators: orNull(body.supported_accelerators),
    supportedAppVersion: body.supported_app_version || null,
    supportedAppFrontendVersion: body.supported_app_frontend_version || null,
  };
}

function orNull(list: readonly string[] | undefined): readonly string[] | null {
  const kept = list?.filter((one) => one !== "") ?? [];
  return kept.length === 0 ? null : kept;
}
