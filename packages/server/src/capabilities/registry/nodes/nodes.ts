// The nodes part of the registry: what members do with their nodes. Each method checks the caller's permission itself.
import type { EditPermission } from "@atelier/contract";
import { accessAt } from "../publishers/publisher-authority.ts";
import type { Asked, Sent } from "../readers/actor.ts";
import { readerOf } from "../readers/reader.ts";
import { createNode, deleteNode, type NodePath, rateNode, translateNode, updateNode } from "./change-node.ts";
import { type ClaimDeps, claimNode } from "./claim-node.ts";
import { isNodeId, noSuchNode } from "./node-authority.ts";
import { findNode } from "./node-store.ts";
import { foldedNodeId } from "./stored-node.ts";

export type Nodes = ReturnType<typeof createNodes>;

export function createNodes(deps: ClaimDeps) {
  return {
    create: (publisherId: string, sent: Sent) => createNode(deps, publisherId, sent),
    update: (at: NodePath, sent: Sent) => updateNode(deps, at, sent),
    delete: (at: NodePath, asked: Asked) => deleteNode(deps, at, asked),
    claim: (at: NodePath, sent: Sent) => claimNode(deps, at, sent),
    rate: (nodeId: string, star: number, asked: Asked) => rateNode(deps, nodeId, star, asked),
    translate: (nodeId: string, sent: Sent) => translateNode(deps, nodeId, sent),
    async permission({ publisherId, nodeId }: NodePath, { caller }: Pick<Asked, "caller">): Promise<EditPermission> {
      const { publisher, role } = await accessAt(deps.database, caller, publisherId);
      const node = isNodeId(nodeId) ? await findNode(deps.database, foldedNodeId(nodeId), readerOf(caller)) : null;
      if (node === null || node.status === "NodeStatusDeleted" || node.publisherId !== publisher.id) throw noSuchNode();
      const isOpen = node.status === "NodeStatusActive" && publisher.status === "PublisherStatusActive";
      return { canEdit: role !== null && isOpen };
    },
  };
}
