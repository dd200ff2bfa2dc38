// What a caller is at a publisher. A person is what their membership says; an API key acts for its workspace and is the
// owner of the workspace's publishers. A publisher that a caller may not see does not exist for them: 404; one that
// they see and do not belong to is 403 (decisions, section 5).

import { PublisherId } from "@atelier/contract";
import { Value } from "typebox/value";
import type { Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { Principal } from "../../identity/index.ts";
import { type Reader, readerOf } from "../readers/reader.ts";
import { findPublisherRole, type PublisherRole } from "./member-store.ts";
import { findPublisher, type StoredPublisher } from "./publisher-store.ts";

export interface PublisherAccess {
  readonly publisher: StoredPublisher;
  // Null: sees it and has no say.
  readonly role: PublisherRole | null;
}

export async function accessAt(db: Queryable, caller: Principal, publisherId: string): Promise<PublisherAccess> {
  const publisher = await requireReadablePublisher(db, publisherId, readerOf(caller));
  return { publisher, role: await roleAt(db, caller, publisher) };
}

export async function requireReadablePublisher(db: Queryable, id: string, reader: Reader): Promise<StoredPublisher> {
  const publisher = isPublisherId(id) ? await findPublisher(db, id, reader) : null;
  if (publisher === null) throw noSuchPublisher();
  return publisher;
}

async function roleAt(db: Queryable, caller: Principal, publisher: StoredPublisher): Promise<PublisherRole | null> {
  if (caller.kind === "key") return caller.workspaceId === publisher.workspaceId ? "owner" : null;
  return findPublisherRole(db, publisher.id, caller.personId);
}

export async function requireBelonging(
  db: Queryable,
  caller: Principal,
  publisherId: string,
): Promise<StoredPublisher> {
  const { publisher, role } = await accessAt(db, caller, publisherId);
  if (role === null) throw new Fault("forbidden", "You are not a member of this publisher.");
  return publisher;
}

// Members may change nodes; a banned publisher changes nothing.
export async function requirePublisherMember(
  db: Queryable,
  caller: Principal,
  publisherId: string,
): Promise<StoredPublisher> {
  const publisher = await requireBelonging(db, caller, publisherId);
  if (publisher.status === "PublisherStatusBanned") throw publisherBanned();
  return publisher;
}

// Owners say who else acts for the publisher, with which tokens, and whether it exists at all.
export async function requirePublisherOwner(
  db: Queryable,
  caller: Principal,
  publisherId: string,
): Promise<StoredPublisher> {
  const { publisher, role } = await accessAt(db, caller, publisherId);
  if (role !== "owner") throw new Fault("forbidden", "Only an owner of this publisher may do this.");
  if (publisher.status === "PublisherStatusBanned") throw publisherBanned();
  return publisher;
}

export function isPublisherId(text: string): boolean {
  return Value.Check(PublisherId, text);
}

export function noSuchPublisher(): Fault {
  return new Fault("not_found", "There is no such publisher.");
}

export function publisherBanned(): Fault {
  return new Fault("forbidden", "This publisher is banned.");
}
