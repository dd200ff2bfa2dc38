// Making, changing, deleting, rating and claiming nodes. Each change and its line in the audit are one transaction; what
// is remembered for readers is dropped once it is committed.
import { type CreateNode, limits, type NodeTranslations, type UpdateNode } from "@atelier/contract";
import type { Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import { badFields } from "../fields/bad-fields.ts";
import { tooManyLanguages } from "../fields/translated-languages.ts";
import { requirePublisherMember } from "../publishers/publisher-authority.ts";
import { lockPublisher, type StoredPublisher } from "../publishers/publisher-store.ts";
import { type Asked, type ChangeDeps, note } from "../readers/actor.ts";
import { readerOf } from "../readers/reader.ts";
import { lockOwnNode, noSuchNode, requireReadableNode } from "./node-authority.ts";
import { mergedFields, newFields } from "./node-fields.ts";
import {
  insertNode,
  type LockedNode,
  lockNode,
  putReview,
  putTranslations,
  setNodeStatus,
  writeFields,
} from "./node-write-store.ts";
import { searchDocument } from "./search-words.ts";
import { foldedNodeId, type NodeRowId } from "./stored-node.ts";

// For every way in which a node comes to be. 409 when the id is taken in any spelling.
export async function createNodeIn(
  tx: Queryable,
  body: CreateNode,
  at: { publisher: StoredPublisher | null; now: Date },
): Promise<NodeRowId> {
  const { publisher, now } = at;
  const id = newId<"node">(now.getTime());
  const fields = newFields(body);
  const node = {
    id,
    nodeId: body.id,
    publisherId: publisher?.id ?? null,
    visibleTo: visibilityOf(publisher),
    fields,
    now,
  };
  if (!(await insertNode(tx, { ...node, search: searchDocument(node) }))) {
    throw new Fault("conflict", "This node id is taken, perhaps in another spelling.");
  }
  if (body.translations) await tell(tx, id, body.translations, "/translations");
  return id;
}

// Merges what was sent into what stands there.
export async function changeNodeIn(tx: Queryable, node: LockedNode, body: UpdateNode): Promise<void> {
  const fields = mergedFields(node, body);
  await writeFields(tx, node.id, { fields, search: searchDocument({ ...node, fields }) });
  if (body.translations) await tell(tx, node.id, body.translations, "/translations");
}

// A node that grew by a hundred languages with every change would have no bound.
async function tell(tx: Queryable, id: NodeRowId, texts: NodeTranslations["data"], path: string): Promise<void> {
  if ((await putTranslations(tx, id, texts)) > limits.nodeLanguagesMax) throw badFields([tooManyLanguages(path)]);
}

export function visibilityOf(publisher: StoredPublisher | null): WorkspaceId | null {
  return publisher?.visibility === "workspace" ? publisher.workspaceId : null;
}

export async function createNode(deps: ChangeDeps, publisherId: string, body: CreateNode, asked: Asked): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const { workspaceId } = await requirePublisherMember(tx, asked.caller, publisherId);
    const publisher = await lockPublisher(tx, publisherId);
    await createNodeIn(tx, body, { publisher, now: deps.clock.now() });
    const after = { name: body.name };
    await note(deps, tx, asked, { action: "node.create", kind: "node", id: body.id, workspaceId, after });
  });
  await deps.nodesChanged([foldedNodeId(body.id)]);
}

export async function updateNode(
  deps: ChangeDeps,
  at: { publisherId: string; nodeId: string },
  body: UpdateNode,
  asked: Asked,
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const { node, publisher } = await lockOwnNode(tx, asked.caller, at);
    await changeNodeIn(tx, node, body);
    const names = { before: { name: node.name }, after: { name: body.name ?? node.name } };
    const { workspaceId } = publisher;
    await note(deps, tx, asked, { action: "node.update", kind: "node", id: node.nodeId, workspaceId, ...names });
  });
  await deps.nodesChanged([foldedNodeId(at.nodeId)]);
}

// Soft and for good: the id stays reserved (decisions, section 5).
export async function deleteNode(
  deps: ChangeDeps,
  at: { publisherId: string; nodeId: string },
  asked: Asked,
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const { node, publisher } = await lockOwnNode(tx, asked.caller, at);
    await setNodeStatus(tx, node.id, "NodeStatusDeleted", null);
    const { workspaceId } = publisher;
    await note(deps, tx, asked, { action: "node.delete", kind: "node", id: node.nodeId, workspaceId });
  });
  await deps.nodesChanged([foldedNodeId(at.nodeId)]);
}

export async function rateNode(deps: ChangeDeps, nodeId: string, star: number, { caller }: Asked): Promise<void> {
  const { nodeId: spelled } = await requireReadableNode(deps.database, nodeId, readerOf(caller));
  await deps.database.transaction(async (tx) => {
    const node = await lockNode(tx, foldedNodeId(spelled));
    if (node === null || node.isUpstream) throw noSuchNode();
    await putReview(tx, { id: node.id, reviewer: caller.personId ?? caller.workspaceId, star, now: deps.clock.now() });
  });
  await deps.nodesChanged([foldedNodeId(spelled)]);
}

export async function translateNode(
  deps: ChangeDeps,
  nodeId: string,
  { data }: NodeTranslations,
  asked: Asked,
): Promise<void> {
  const { publisherId } = await requireReadableNode(deps.database, nodeId, readerOf(asked.caller));
  if (publisherId === null) throw new Fault("forbidden", "Nobody has published this node yet: claim it first.");
  await deps.database.transaction(async (tx) => {
    const { node, publisher } = await lockOwnNode(tx, asked.caller, { publisherId, nodeId });
    await tell(tx, node.id, data, "/data");
    const languages = { after: { languages: Object.keys(data) } };
    const { workspaceId } = publisher;
    await note(deps, tx, asked, { action: "node.translate", kind: "node", id: node.nodeId, workspaceId, ...languages });
  });
  await deps.nodesChanged([foldedNodeId(nodeId)]);
}
