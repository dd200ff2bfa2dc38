// What a caller may do at a publisher. A person has the role of their membership; an API key acts for its workspace and
// counts as owner of the workspace's publishers. A publisher that the caller may not see answers 404; one that they see
// but do not belong to answers 403 (decisions, section 5).

import { PublisherId } from "@atelier/contract";
import type { Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { compileSchema } from "../../../foundation/json/schema.ts";
import type { Principal } from "../../identity/index.ts";
import { type Reader, readerOf } from "../readers/reader.ts";
import { findPublisherRole, type PublisherRole } from "./member-store.ts";
import { findPublisher, type StoredPublisher } from "./publisher-store.ts";

export interface PublisherAccess {
  readonly publisher: StoredPublisher;
  // Null if the caller can see it but has no role in it.
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

// Members may change nodes, unless the publisher is banned.
export async function requirePublisherMember(
  db: Queryable,
  caller: Principal,
  publisherId: string,
): Promise<StoredPublisher> {
  const publisher = await requireBelonging(db, caller, publisherId);
  if (publisher.status === "PublisherStatusBanned") throw publisherBanned();
  return publisher;
}

// Owners decide who else acts for the publisher, manage its tokens, and may delete it.
export async function requirePublisherOwner(
  db: Queryable,
  caller: Principal,
  publisherId: string,
): Promise<StoredPublisher> {
  const { publisher, role } = await accessAt(db, caller, publisherId);
  if (role !== "owner") throw new Fault("forbidden", "Only an owner of this publisher can do this.");
  if (publisher.status === "PublisherStatusBanned") throw publisherBanned();
  return publisher;
}

export function isPublisherId(text: string): boolean {
  return compileSchema(PublisherId).accepts(text);
}

export function noSuchPublisher(): Fault {
  return new Fault("not_found", "There is no such publisher.");
}

export function publisherBanned(): Fault {
  return new Fault("forbidden", "This publisher is banned.");
}
