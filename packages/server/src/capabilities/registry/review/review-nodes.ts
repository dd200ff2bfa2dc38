// The operators' moves: nodes without a publisher, changes with a reason, bans and their end. All of them are audited.
import type { CreateNode, NodeStatus, ReviewNode } from "@atelier/contract";
import type { Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { AdminCaller } from "../../tokens/index.ts";
import { changeNodeIn, createNodeIn } from "../nodes/change-node.ts";
import { isNodeId, noSuchNode } from "../nodes/node-authority.ts";
import { type LockedNode, lockNode, setNodeStatus, writeReview } from "../nodes/node-write-store.ts";
import { foldedNodeId } from "../nodes/stored-node.ts";
import { requireLocked } from "../publishers/change-publisher.ts";
import { isPublisherId, noSuchPublisher } from "../publishers/publisher-authority.ts";
import { moveNodesOf } from "../publishers/publisher-nodes-store.ts";
import { setPublisherStatus } from "../publishers/publisher-store.ts";
import { type Asked, type ChangeDeps, note } from "../readers/actor.ts";

// Says of a node that its ban is its publisher's, so that it ends with it.
const bannedWithPublisher = "Its publisher is banned.";

export async function createNodeAsOperator(
  deps: ChangeDeps,
  body: CreateNode,
  asked: Asked<AdminCaller>,
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    await createNodeIn(tx, body, { publisher: null, now: deps.clock.now() });
    await note(deps, tx, asked, { action: "node.create", kind: "node", id: body.id, after: { name: body.name } });
  });
  await deps.nodesChanged([foldedNodeId(body.id)]);
}

export async function reviewNode(
  deps: ChangeDeps,
  nodeId: string,
  body: ReviewNode,
  asked: Asked<AdminCaller>,
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const node = await requireNode(tx, nodeId);
    const status = body.status ?? node.status;
    requireMove(node.status, status);
    if (node.isUpstream) {
      if (status === "NodeStatusDeleted") throw new Fault("conflict", "This node is the upstream registry's.");
    } else await changeNodeIn(tx, node, body);
    const after = {
      status,
      statusDetail: body.status_detail ?? (body.status === undefined ? node.statusDetail : null),
      tagsAdmin: body.tags_admin ?? node.tagsAdmin,
      searchRanking: body.search_ranking ?? node.searchRanking,
      preempted: body.preempted_svc_node_names ?? node.preempted,
    };
    await writeReview(tx, node.id, after);
    await note(deps, tx, asked, {
      action: "node.review",
      kind: "node",
      id: node.nodeId,
      before: { status: node.status, reason: node.statusDetail, tags: node.tagsAdmin },
      after: { status, reason: after.statusDetail, tags: after.tagsAdmin },
    });
  });
  await deps.nodesChanged([foldedNodeId(nodeId)]);
}

// Active and banned are each other's; deleted is the end (decisions, section 5).
function requireMove(from: NodeStatus, to: NodeStatus): void {
  if (from === "NodeStatusDeleted" && to !== "NodeStatusDeleted") {
    throw new Fault("conflict", "A deleted node stays deleted.");
  }
}

export async function banNode(
  deps: ChangeDeps,
  at: { publisherId: string; nodeId: string },
  reason: string | null,
  asked: Asked<AdminCaller>,
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const node = await requireNode(tx, at.nodeId);
    if (node.publisherId !== at.publisherId || node.status === "NodeStatusDeleted") throw noSuchNode();
    await setNodeStatus(tx, node.id, "NodeStatusBanned", reason);
    const before = { status: node.status };
    await note(deps, tx, asked, { action: "node.ban", kind: "node", id: node.nodeId, before, after: { reason } });
  });
  await deps.nodesChanged([foldedNodeId(at.nodeId)]);
}

export async function movePublisher(
  deps: ChangeDeps,
  publisherId: string,
  move: "ban" | "unban",
  reason: string | null,
  asked: Asked<AdminCaller>,
): Promise<void> {
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
