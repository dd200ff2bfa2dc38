// Creating, changing, deleting, rating and claiming nodes. A change and its audit line are one transaction; cached
// answers for readers are dropped after the commit.
import { CreateNode, limits, NodeTranslations, type RegistryNode, UpdateNode } from "@atelier/contract";
import type { Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { FieldProblem } from "../../../foundation/json/schema.ts";
import { badFields, memberIn } from "../fields/bad-fields.ts";
import { readBody } from "../fields/read-body.ts";
import { checkLanguages, tooManyLanguages } from "../fields/translated-languages.ts";
import { requirePublisherMember } from "../publishers/publisher-authority.ts";
import { lockPublisher, type StoredPublisher } from "../publishers/publisher-store.ts";
import { type Asked, type ChangeDeps, note, type Sent } from "../readers/actor.ts";
import { readerOf } from "../readers/reader.ts";
import { checkNodeId, lockOwnNode, noSuchNode, requireReadableNode } from "./node-authority.ts";
import { mergedFields, newFields } from "./node-fields.ts";
import { findTranslations } from "./node-store.ts";
import {
  insertNode,
  type LockedNode,
  lockNode,
  putReview,
  putTranslations,
  setNodeStatus,
  writeFields,
} from "./node-write-store.ts";
import { type PresentNodeDeps, presentNode } from "./present-node.ts";
import { searchDocument } from "./search-words.ts";
import { foldedNodeId, type NodeRowId } from "./stored-node.ts";

export interface ChangeNodeDeps extends ChangeDeps, PresentNodeDeps {
  // Fields that an operator requires of every new node.
  readonly requiredFields: readonly ("repository" | "license")[];
}

export interface NodePath {
  readonly publisherId: string;
  readonly nodeId: string;
}

// Every way to create a node goes through here. 409 if the id is taken in any spelling.
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
    throw new Fault("conflict", "This node id is taken, perhaps in a different spelling.");
  }
  if (body.translations) await saveTranslations(tx, id, body.translations, "/translations");
  return id;
}

// Merges the body into the stored fields.
export async function changeNodeIn(tx: Queryable, node: LockedNode, body: UpdateNode): Promise<void> {
  const fields = mergedFields(node, body);
  await writeFields(tx, node.id, { fields, search: searchDocument({ ...node, fields }) });
  if (body.translations) await saveTranslations(tx, node.id, body.translations, "/translations");
}

// The limit counts all languages of the node: otherwise each change could add a hundred more, without end.
async function saveTranslations(
  tx: Queryable,
  id: NodeRowId,
  texts: NodeTranslations["data"],
  path: string,
): Promise<void> {
  if ((await putTranslations(tx, id, texts)) > limits.nodeLanguagesMax) throw badFields([tooManyLanguages(path)]);
}

export function visibilityOf(publisher: StoredPublisher | null): WorkspaceId | null {
  return publisher?.visibility === "workspace" ? publisher.workspaceId : null;
}

export async function createNode(deps: ChangeNodeDeps, publisherId: string, sent: Sent): Promise<RegistryNode> {
  await requirePublisherMember(deps.database, sent.caller, publisherId);
  const body = await readBody(CreateNode, sent, (it) => problemsOfNewNode(deps, it));
  await deps.database.transaction(async (tx) => {
    const { workspaceId } = await requirePublisherMember(tx, sent.caller, publisherId);
    const publisher = await lockPublisher(tx, publisherId);
    await createNodeIn(tx, body, { publisher, now: deps.clock.now() });
    const after = { name: body.name };
    await note(deps, tx, sent, { action: "node.create", kind: "node", id: body.id, workspaceId, after });
  });
  await deps.nodesChanged([foldedNodeId(body.id)]);
  return shown(deps, body.id, sent);
}

function problemsOfNewNode({ requiredFields }: ChangeNodeDeps, body: unknown): readonly FieldProblem[] {
  const missing = requiredFields.filter((name) => [undefined, ""].some((empty) => memberIn(body, name) === empty));
  return [
    ...checkNodeId(body),
    ...missing.map((name) => ({ path: `/${name}`, message: "is required in this registry" })),
  ];
}

export async function updateNode(deps: ChangeNodeDeps, at: NodePath, sent: Sent): Promise<RegistryNode> {
  await requirePublisherMember(deps.database, sent.caller, at.publisherId);
  const body = await readBody(UpdateNode, sent, (it) => problemsOfPathId(it, at.nodeId));
  await deps.database.transaction(async (tx) => {
    const { node, publisher } = await lockOwnNode(tx, sent.caller, at);
    await changeNodeIn(tx, node, body);
    const names = { before: { name: node.name }, after: { name: body.name ?? node.name } };
    const { workspaceId } = publisher;
    await note(deps, tx, sent, { action: "node.update", kind: "node", id: node.nodeId, workspaceId, ...names });
  });
  await deps.nodesChanged([foldedNodeId(at.nodeId)]);
  return shown(deps, at.nodeId, sent);
}

// Id and publisher never change. A body that names another node was meant for another path.
function problemsOfPathId(body: unknown, nodeId: string): readonly FieldProblem[] {
  const id = memberIn(body, "id");
  const isOther = id !== undefined && !(typeof id === "string" && foldedNodeId(id) === foldedNodeId(nodeId));
  return isOther ? [{ path: "/id", message: "differs from the id in the path; ids cannot be changed" }] : [];
}

// A permanent soft delete: the id stays reserved (decisions, section 5).
export async function deleteNode(deps: ChangeDeps, at: NodePath, asked: Asked): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const { node, publisher } = await lockOwnNode(tx, asked.caller, at);
    await setNodeStatus(tx, node.id, "NodeStatusDeleted", null);
    const { workspaceId } = publisher;
    await note(deps, tx, asked, { action: "node.delete", kind: "node", id: node.nodeId, workspaceId });
  });
  await deps.nodesChanged([foldedNodeId(at.nodeId)]);
}

export async function rateNode(
  deps: ChangeNodeDeps,
  nodeId: string,
  star: number,
  asked: Asked,
): Promise<RegistryNode> {
  const { caller } = asked;
  const { nodeId: spelled } = await requireReadableNode(deps.database, nodeId, readerOf(caller));
  await deps.database.transaction(async (tx) => {
    const node = await lockNode(tx, foldedNodeId(spelled));
    if (node === null || node.isUpstream) throw noSuchNode();
    await putReview(tx, { id: node.id, reviewer: caller.personId ?? caller.workspaceId, star, now: deps.clock.now() });
  });
  await deps.nodesChanged([foldedNodeId(spelled)]);
  return shown(deps, nodeId, asked);
}

export async function translateNode(deps: ChangeNodeDeps, nodeId: string, sent: Sent): Promise<RegistryNode> {
  const { publisherId } = await requireReadableNode(deps.database, nodeId, readerOf(sent.caller));
  const { data } = await readBody(NodeTranslations, sent, (it) => checkLanguages(memberIn(it, "data"), "/data"));
  if (publisherId === null) throw new Fault("forbidden", "This node has no publisher yet. Claim it first.");
  await deps.database.transaction(async (tx) => {
    const { node, publisher } = await lockOwnNode(tx, sent.caller, { publisherId, nodeId });
    await saveTranslations(tx, node.id, data, "/data");
    const languages = { after: { languages: Object.keys(data) } };
    const { workspaceId } = publisher;
    await note(deps, tx, sent, { action: "node.translate", kind: "node", id: node.nodeId, workspaceId, ...languages });
  });
  await deps.nodesChanged([foldedNodeId(nodeId)]);
  return shown(deps, nodeId, sent);
}

// The whole node including translations, so a caller who just sent some sees the result.
async function shown(deps: ChangeNodeDeps, nodeId: string, { caller }: Asked): Promise<RegistryNode> {
  const node = await requireReadableNode(deps.database, nodeId, readerOf(caller));
  const translations = await findTranslations(deps.database, node.id);
  return { ...presentNode(deps, node), ...(Object.keys(translations).length > 0 ? { translations } : {}) };
}
