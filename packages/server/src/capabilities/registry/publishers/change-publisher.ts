// Making, changing and deleting publishers. Each change and its line in the audit are one transaction.
import { type CreatePublisher, reservedPublisherIds, type UpdatePublisher } from "@atelier/contract";
import type { Clock } from "../../../foundation/clock.ts";
import type { Database, Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId, type RequestId } from "../../../foundation/ids.ts";
import type { Audit } from "../../audit/index.ts";
import { actingAs, type Principal } from "../../identity/index.ts";
import { revokePublisherTokens } from "../../tokens/index.ts";
import { memberIn } from "../fields/bad-fields.ts";
import type { FieldProblem } from "../fields/field-problem.ts";
import { insertPublisherMember } from "./member-store.ts";
import { noSuchPublisher, requirePublisherMember, requirePublisherOwner } from "./publisher-authority.ts";
import { countNodesOf, showNodesOf } from "./publisher-nodes-store.ts";
import {
  countCreated,
  insertPublisher,
  lockPublisher,
  markPublisherDeleted,
  type StoredPublisher,
  updatePublisher,
} from "./publisher-store.ts";

export interface PublisherDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "append">;
  readonly publishersPerPersonMax: number;
  // Once a change that readers of nodes see is committed.
  nodesChanged(nodeIds: readonly string[]): void;
}

export interface Asked {
  readonly caller: Principal;
  readonly requestId: RequestId;
}

export function problemsOfPublisherId(body: unknown): readonly FieldProblem[] {
  const id = memberIn(body, "id");
  const isReserved = reservedPublisherIds.some((word) => word === id);
  return isReserved ? [{ path: "/id", message: "is a reserved word" }] : [];
}

export async function createPublisher(
  deps: PublisherDeps,
  body: CreatePublisher,
  { caller, requestId }: Asked,
): Promise<StoredPublisher> {
  const now = deps.clock.now();
  const { workspaceId, personId } = caller;
  return deps.database.transaction(async (tx) => {
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
    await deps.audit.append(tx, {
      ...actingAs(caller, requestId),
      action: "publisher.create",
      subject: { kind: "publisher", id: body.id },
      workspaceId,
      after: { name: body.name, visibility: body.visibility ?? "public" },
    });
    return requireLocked(tx, body.id);
  });
}

export async function changePublisher(
  deps: PublisherDeps,
  publisherId: string,
  body: UpdatePublisher,
  { caller, requestId }: Asked,
): Promise<StoredPublisher> {
  const { publisher, shown } = await deps.database.transaction(async (tx) => {
    const before = await requirePublisherMember(tx, caller, publisherId);
    // Who sees it is the owners' word, as who belongs to it is.
    if (body.visibility !== undefined && body.visibility !== before.visibility)
      await requirePublisherOwner(tx, caller, publisherId);
    await requireLocked(tx, publisherId);
    await updatePublisher(tx, publisherId, body);
    const after = await requireLocked(tx, publisherId);
    // Nodes show their publisher, so they have changed with it.
    const visibleTo = after.visibility === "workspace" ? after.workspaceId : null;
    const changed = await showNodesOf(tx, publisherId, visibleTo);
    await deps.audit.append(tx, {
      ...actingAs(caller, requestId),
      action: "publisher.update",
      subject: { kind: "publisher", id: publisherId },
      workspaceId: after.workspaceId,
      before: { name: before.wire.name, visibility: before.visibility },
      after: { name: after.wire.name, visibility: after.visibility },
    });
    return { publisher: after, shown: changed };
  });
  deps.nodesChanged(shown);
  return publisher;
}

// Its id and its deleted nodes' ids stay reserved. Nodes that are still offered stand in the way.
export async function deletePublisher(
  deps: PublisherDeps,
  publisherId: string,
  { caller, requestId }: Asked,
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const publisher = await requirePublisherOwner(tx, caller, publisherId);
    await requireLocked(tx, publisherId);
    const nodes = await countNodesOf(tx, publisherId);
    if (nodes > 0) throw new Fault("conflict", `This publisher still has ${nodes} nodes: delete them first.`);
    await markPublisherDeleted(tx, publisherId, deps.clock.now());
    await revokePublisherTokens(tx, publisherId);
    await deps.audit.append(tx, {
      ...actingAs(caller, requestId),
      action: "publisher.delete",
      subject: { kind: "publisher", id: publisherId },
      workspaceId: publisher.workspaceId,
      before: { name: publisher.wire.name },
    });
  });
}

export async function requireLocked(tx: Queryable, publisherId: string): Promise<StoredPublisher> {
  const publisher = await lockPublisher(tx, publisherId);
  if (publisher === null) throw noSuchPublisher();
  return publisher;
}
