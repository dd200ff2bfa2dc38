// Claiming a node that has no owner: a caller who administers its repository may have it. We ask the code host with the
// caller's own token, which is neither stored nor logged.

import { ClaimNode } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import { readBody } from "../fields/read-body.ts";
import { requirePublisherMember } from "../publishers/publisher-authority.ts";
import { lockPublisher } from "../publishers/publisher-store.ts";
import { note, type Sent } from "../readers/actor.ts";
import { readerOf } from "../readers/reader.ts";
import { type ChangeNodeDeps, type NodePath, visibilityOf } from "./change-node.ts";
import type { CodeHost } from "./code-host.ts";
import { noSuchNode, requireReadableNode } from "./node-authority.ts";
import { lockNode, setNodePublisher, writeFields } from "./node-write-store.ts";
import { searchDocument } from "./search-words.ts";
import { foldedNodeId } from "./stored-node.ts";

export interface ClaimDeps extends ChangeNodeDeps {
  readonly codeHost: CodeHost;
}

export async function claimNode(deps: ClaimDeps, at: NodePath, sent: Sent): Promise<void> {
  await requirePublisherMember(deps.database, sent.caller, at.publisherId);
  const { GH_TOKEN: token } = await readBody(ClaimNode, sent);
  const { wire, ...node } = await requireReadableNode(deps.database, at.nodeId, readerOf(sent.caller));
  if (node.isUpstream) throw new Fault("forbidden", "This node belongs to the upstream registry. Claim it there.");
  if (node.publisherId !== null) throw new Fault("forbidden", "This node already has a publisher.");
  if (!wire.repository) throw new Fault("forbidden", "This node has no repository that could prove who owns it.");
  await requireRights(deps.codeHost, wire.repository, token);
  await deps.database.transaction(async (tx) => {
    const { workspaceId } = await requirePublisherMember(tx, sent.caller, at.publisherId);
    const publisher = await lockPublisher(tx, at.publisherId);
    const locked = await lockNode(tx, foldedNodeId(node.nodeId));
    if (locked === null || publisher === null || locked.status !== "NodeStatusActive") throw noSuchNode();
    if (locked.publisherId !== null) throw new Fault("forbidden", "This node already has a publisher.");
    await setNodePublisher(tx, locked.id, { id: publisher.id, visibleTo: visibilityOf(publisher) });
    const search = searchDocument({ ...locked, fields: locked, publisherId: publisher.id });
    await writeFields(tx, locked.id, { fields: locked, search });
    const after = { publisher_id: publisher.id };
    await note(deps, tx, sent, { action: "node.claim", kind: "node", id: locked.nodeId, workspaceId, after });
  });
  await deps.nodesChanged([foldedNodeId(node.nodeId)]);
}

async function requireRights(codeHost: CodeHost, repository: string, token: string): Promise<void> {
  const answer = await codeHost.look(repository, token);
  if (answer.kind === "unknown_host") {
    throw new Fault("forbidden", "The node's repository is not on the code host that this registry uses.");
  }
  if (answer.kind === "away") {
    throw new Fault("service_unavailable", "The code host does not respond.", { retryAfterSeconds: 60 });
  }
  if (answer.kind === "refused" || !answer.mayAdminister) {
    throw new Fault("forbidden", "This token does not have admin rights to the node's repository.");
  }
}
