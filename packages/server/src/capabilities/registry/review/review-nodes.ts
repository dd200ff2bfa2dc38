// What operators do with nodes: creating them without a publisher, changing them with a reason, banning and unbanning.
// All of it is audited.
import { BanReason, CreateNode, type NodeStatus, type RegistryNode, ReviewNode } from "@atelier/contract";
import type { Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { AdminCaller } from "../../tokens/index.ts";
import { readBody } from "../fields/read-body.ts";
import { type ChangeNodeDeps, changeNodeIn, createNodeIn, type NodePath } from "../nodes/change-node.ts";
import { checkNodeId, isNodeId, noSuchNode } from "../nodes/node-authority.ts";
import { findNode } from "../nodes/node-store.ts";
import { type LockedNode, lockNode, setNodeStatus, writeReview } from "../nodes/node-write-store.ts";
import { presentNode } from "../nodes/present-node.ts";
import { foldedNodeId } from "../nodes/stored-node.ts";
import { requireLocked } from "../publishers/change-publisher.ts";
import { isPublisherId, noSuchPublisher } from "../publishers/publisher-authority.ts";
import { moveNodesOf } from "../publishers/publisher-nodes-store.ts";
import { setPublisherStatus } from "../publishers/publisher-store.ts";
import { type Asked, type ChangeDeps, note, type Sent } from "../readers/actor.ts";
import { operator } from "../readers/reader.ts";

// The body is optional.
export interface SentReason extends Sent<AdminCaller> {
  bytes(): Promise<Uint8Array>;
}

// Marks a node as banned because of its publisher, so that lifting that ban lifts this one.
const bannedWithPublisher = "Its publisher is banned.";

export async function createNodeAsOperator(deps: ChangeNodeDeps, sent: Sent<AdminCaller>): Promise<RegistryNode> {
  const body = await readBody(CreateNode, sent, checkNodeId);
  await deps.database.transaction(async (tx) => {
    await createNodeIn(tx, body, { publisher: null, now: deps.clock.now() });
    await note(deps, tx, sent, { action: "node.create", kind: "node", id: body.id, after: { name: body.name } });
  });
  await deps.nodesChanged([foldedNodeId(body.id)]);
  return shown(deps, body.id);
}

export async function reviewNode(deps: ChangeNodeDeps, nodeId: string, sent: Sent<AdminCaller>): Promise<RegistryNode> {
  const body = await readBody(ReviewNode, sent);
  await deps.database.transaction(async (tx) => {
    const node = await requireNode(tx, nodeId);
    const status = body.status ?? node.status;
    requireMove(node.status, status);
    if (node.isUpstream) {
      if (status === "NodeStatusDeleted") throw new Fault("conflict", "This node belongs to the upstream registry.");
    } else await changeNodeIn(tx, node, body);
    const after = {
      status,
      statusDetail: body.status_detail ?? (body.status === undefined ? node.statusDetail : null),
      tagsAdmin: body.tags_admin ?? node.tagsAdmin,
      searchRanking: body.search_ranking ?? node.searchRanking,
      preempted: body.preempted_svc_node_names ?? node.preempted,
    };
    await writeReview(tx, node.id, after);
    await note(deps, tx, sent, {
      action: "node.review",
      kind: "node",
      id: node.nodeId,
      before: { status: node.status, reason: node.statusDetail, tags: node.tagsAdmin },
      after: { status, reason: after.statusDetail, tags: after.tagsAdmin },
    });
  });
  await deps.nodesChanged([foldedNodeId(nodeId)]);
  return shown(deps, nodeId);
}

async function shown(deps: ChangeNodeDeps, nodeId: string): Promise<RegistryNode> {
  const node = await findNode(deps.database, foldedNodeId(nodeId), operator);
  if (node === null) throw noSuchNode();
  return presentNode(deps, node);
}

// Active and banned nodes can change into each other; deleted is final (decisions, section 5).
function requireMove(from: NodeStatus, to: NodeStatus): void {
  if (from === "NodeStatusDeleted" && to !== "NodeStatusDeleted") {
    throw new Fault("conflict", "A deleted node cannot be restored.");
  }
}

export async function banNode(deps: ChangeDeps, at: NodePath, sent: SentReason): Promise<void> {
  const reason = await reasonIn(sent);
  await deps.database.transaction(async (tx) => {
    const node = await requireNode(tx, at.nodeId);
    if (node.publisherId !== at.publisherId || node.status === "NodeStatusDeleted") throw noSuchNode();
    await setNodeStatus(tx, node.id, "NodeStatusBanned", reason);
    const before = { status: node.status };
    await note(deps, tx, sent, { action: "node.ban", kind: "node", id: node.nodeId, before, after: { reason } });
  });
  await deps.nodesChanged([foldedNodeId(at.nodeId)]);
}

async function reasonIn(sent: SentReason): Promise<string | null> {
  if ((await sent.bytes()).byteLength === 0) return null;
  return (await readBody(BanReason, sent)).reason ?? null;
}

export async function movePublisher(
  deps: ChangeDeps,
  publisherId: string,
  ...[move, asked]: ["ban", SentReason] | ["unban", Asked<AdminCaller>]
): Promise<void> {
  const reason = move === "ban" ? await reasonIn(asked) : null;
  if (!isPublisherId(publisherId)) throw noSuchPublisher();
  const changed = await deps.database.transaction(async (tx) => {
    const before = await requireLocked(tx, publisherId);
    const status = move === "ban" ? "PublisherStatusBanned" : "PublisherStatusActive";
    await setPublisherStatus(tx, publisherId, status);
    const nodes = await moveNodesOf(
      tx,
      publisherId,
      move === "ban"
        ? { from: "NodeStatusActive", to: "NodeStatusBanned", fromDetail: null, toDetail: bannedWithPublisher }
        : { from: "NodeStatusBanned", to: "NodeStatusActive", fromDetail: bannedWithPublisher, toDetail: null },
    );
    await note(deps, tx, asked, {
      action: `publisher.${move}`,
      kind: "publisher",
      id: publisherId,
      workspaceId: before.workspaceId,
      before: { status: before.status },
      after: { status, reason, nodes: nodes.length },
    });
    return nodes;
  });
  await deps.nodesChanged(changed);
}

async function requireNode(tx: Queryable, nodeId: string): Promise<LockedNode> {
  const node = isNodeId(nodeId) ? await lockNode(tx, foldedNodeId(nodeId)) : null;
  if (node === null) throw noSuchNode();
  return node;
}
