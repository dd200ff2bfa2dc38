// Creating, changing and deleting publishers. A change and its audit line are one transaction.
import { CreatePublisher, type Publisher, reservedPublisherIds, UpdatePublisher } from "@atelier/contract";
import type { Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId } from "../../../foundation/ids.ts";
import type { FieldProblem } from "../../../foundation/json/schema.ts";
import { revokePublisherTokens } from "../../tokens/index.ts";
import { memberIn } from "../fields/bad-fields.ts";
import { readBody } from "../fields/read-body.ts";
import { type Asked, type ChangeDeps, note, type Sent } from "../readers/actor.ts";
import { readerOf } from "../readers/reader.ts";
import { insertPublisherMember } from "./member-store.ts";
import { presentPublisher } from "./present-publisher.ts";
import {
  noSuchPublisher,
  requireBelonging,
  requirePublisherMember,
  requirePublisherOwner,
} from "./publisher-authority.ts";
import { countNodesOf, showNodesOf } from "./publisher-nodes-store.ts";
import {
  countCreated,
  insertPublisher,
  lockPublisher,
  markPublisherDeleted,
  type StoredPublisher,
  updatePublisher,
} from "./publisher-store.ts";

export interface PublisherDeps extends ChangeDeps {
  readonly publishersPerPersonMax: number;
}

function problemsOfPublisherId(body: unknown): readonly FieldProblem[] {
  const id = memberIn(body, "id");
  const isReserved = reservedPublisherIds.some((word) => word === id);
  return isReserved ? [{ path: "/id", message: "is a reserved word" }] : [];
}

export async function createPublisher(deps: PublisherDeps, sent: Sent): Promise<Publisher> {
  const body = await readBody(CreatePublisher, sent, problemsOfPublisherId);
  const now = deps.clock.now();
  const { workspaceId, personId } = sent.caller;
  const made = await deps.database.transaction(async (tx) => {
    if ((await countCreated(tx, { workspaceId, personId })) >= deps.publishersPerPersonMax) {
      throw new Fault("forbidden", `One caller may have at most ${deps.publishersPerPersonMax} publishers.`);
    }
    if (!(await insertPublisher(tx, { ...body, workspaceId, createdBy: personId, now }))) {
      throw new Fault("conflict", "This publisher id is taken.");
    }
    if (personId !== null) {
      const owner = { publisherId: body.id, personId, role: "owner", now } as const;
      await insertPublisherMember(tx, { id: newId<"publisher-member">(), ...owner });
    }
    const after = { name: body.name, visibility: body.visibility ?? "public" };
    await note(deps, tx, sent, { action: "publisher.create", kind: "publisher", id: body.id, workspaceId, after });
    return requireLocked(tx, body.id);
  });
  return presentPublisher(deps.database, made, readerOf(sent.caller));
}

export async function changePublisher(deps: PublisherDeps, publisherId: string, sent: Sent): Promise<Publisher> {
  await requireBelonging(deps.database, sent.caller, publisherId);
  const body = await readBody(UpdatePublisher, sent);
  const { publisher, shown } = await deps.database.transaction(async (tx) => {
    const before = await requirePublisherMember(tx, sent.caller, publisherId);
    // Only owners decide who sees the publisher, just as only they decide who belongs to it.
    if (body.visibility !== undefined && body.visibility !== before.visibility)
      await requirePublisherOwner(tx, sent.caller, publisherId);
    await requireLocked(tx, publisherId);
    await updatePublisher(tx, publisherId, body);
    const after = await requireLocked(tx, publisherId);
    // Nodes show their publisher, so they change with it.
    const visibleTo = after.visibility === "workspace" ? after.workspaceId : null;
    const changed = await showNodesOf(tx, publisherId, visibleTo);
    await note(deps, tx, sent, {
      action: "publisher.update",
      kind: "publisher",
      id: publisherId,
      workspaceId: after.workspaceId,
      before: { name: before.wire.name, visibility: before.visibility },
      after: { name: after.wire.name, visibility: after.visibility },
    });
    return { publisher: after, shown: changed };
  });
  await deps.nodesChanged(shown);
  return presentPublisher(deps.database, publisher, readerOf(sent.caller));
}

// Its id and the ids of its deleted nodes stay reserved. Refused while it still offers nodes.
export async function deletePublisher(deps: PublisherDeps, publisherId: string, asked: Asked): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const { workspaceId, wire } = await requirePublisherOwner(tx, asked.caller, publisherId);
    await requireLocked(tx, publisherId);
    const nodes = await countNodesOf(tx, publisherId);
    if (nodes > 0) throw new Fault("conflict", `This publisher still has ${nodes} nodes. Delete them first.`);
    await markPublisherDeleted(tx, publisherId, deps.clock.now());
    await revokePublisherTokens(tx, publisherId);
    const before = { name: wire.name };
    await note(deps, tx, asked, {
      action: "publisher.delete",
      kind: "publisher",
      id: publisherId,
      workspaceId,
      before,
    });
  });
}

export async function requireLocked(tx: Queryable, publisherId: string): Promise<StoredPublisher> {
  const publisher = await lockPublisher(tx, publisherId);
  if (publisher === null) throw noSuchPublisher();
  return publisher;
}
