// Finds the node that a path means and decides what the caller may do with it. Spellings of an id that fold to the same
// text mean the same node; an id that no node can have is unknown without a query. Banned nodes answer 403, deleted and
// invisible ones 404.
import { NodeId, reservedNodeIds } from "@atelier/contract";
import type { Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { compileSchema, type FieldProblem } from "../../../foundation/json/schema.ts";
import type { Principal } from "../../identity/index.ts";
import { memberIn } from "../fields/bad-fields.ts";
import { requirePublisherMember } from "../publishers/publisher-authority.ts";
import type { StoredPublisher } from "../publishers/publisher-store.ts";
import type { Reader } from "../readers/reader.ts";
import { findNode } from "./node-store.ts";
import { type LockedNode, lockNode } from "./node-write-store.ts";
import { foldedNodeId, type StoredNode } from "./stored-node.ts";

export function isNodeId(text: string): boolean {
  return compileSchema(NodeId).accepts(text);
}

export function checkNodeId(body: unknown): readonly FieldProblem[] {
  const id = memberIn(body, "id");
  return typeof id === "string" && isReservedNodeId(id) ? [{ path: "/id", message: "is a reserved word" }] : [];
}

export function isReservedNodeId(id: string): boolean {
  return reservedNodeIds.some((word) => word === id.toLowerCase());
}

// For reading. Members of its publisher still see a banned node, with the reason.
export async function requireReadableNode(db: Queryable, nodeId: string, reader: Reader): Promise<StoredNode> {
  const node = isNodeId(nodeId) ? await findNode(db, foldedNodeId(nodeId), reader) : null;
  if (node === null || node.status === "NodeStatusDeleted") throw noSuchNode();
  if (node.status === "NodeStatusBanned" && !node.isOwn) throw nodeBanned();
  return node;
}

// For changing: locks the node and returns it with its publisher. 404 if the node belongs to another publisher.
export async function lockOwnNode(
  tx: Queryable,
  caller: Principal,
  at: { readonly publisherId: string; readonly nodeId: string },
): Promise<{ node: LockedNode; publisher: StoredPublisher }> {
  const publisher = await requirePublisherMember(tx, caller, at.publisherId);
  const node = isNodeId(at.nodeId) ? await lockNode(tx, foldedNodeId(at.nodeId)) : null;
  if (node === null || node.status === "NodeStatusDeleted" || node.publisherId !== publisher.id) throw noSuchNode();
  if (node.status === "NodeStatusBanned") throw nodeBanned();
  return { node, publisher };
}

export function noSuchNode(): Fault {
  return new Fault("not_found", "There is no such node.");
}

export function nodeBanned(): Fault {
  return new Fault("forbidden", "This node is banned.");
}
