// Publishers on the wire. Everybody sees the names of the people behind one; only members and operators see their e-mail
// addresses (decisions, section 5).

import type { Publisher, PublisherMember, PublisherToken } from "@atelier/contract";
import type { Queryable } from "../../../foundation/database/index.ts";
import type { PublisherToken as StoredToken } from "../../tokens/index.ts";
import type { Reader } from "../readers/reader.ts";
import { listPublisherMembers, type StoredMember } from "./member-store.ts";
import type { StoredPublisher } from "./publisher-store.ts";

export async function presentPublisher(db: Queryable, publisher: StoredPublisher, reader: Reader): Promise<Publisher> {
  return withMembers(publisher, await listPublisherMembers(db, [publisher.id]), reader);
}

export async function presentPublishers(
  db: Queryable,
  publishers: readonly StoredPublisher[],
  reader: Reader,
): Promise<Publisher[]> {
  const members = await listPublisherMembers(
    db,
    publishers.map(({ id }) => id),
  );
  const byPublisher = Map.groupBy(members, ({ publisherId }) => publisherId);
  return publishers.map((publisher) => withMembers(publisher, byPublisher.get(publisher.id) ?? [], reader));
}

function withMembers(publisher: StoredPublisher, members: readonly StoredMember[], reader: Reader): Publisher {
  const isInside = belongs(publisher, members, reader);
  return {
    ...publisher.wire,
    ...(isInside ? { visibility: publisher.visibility } : {}),
    members: members.map((member) => presentMember(member, isInside)),
  };
}

export function presentMember({ id, role, person }: StoredMember, withEmail: boolean): PublisherMember {
  const email = withEmail && person.email !== null ? { email: person.email } : {};
  return { id, role, user: { id: person.id, name: person.name, ...email } };
}

// A key acts for its workspace; a person has to be a member.
function belongs(
  publisher: Pick<StoredPublisher, "workspaceId">,
  members: readonly StoredMember[],
  reader: Reader,
): boolean {
  if (reader.isAdmin) return true;
  if (reader.personId === null) return reader.workspaceId === publisher.workspaceId;
  return members.some(({ person }) => person.id === reader.personId);
}

export function presentToken(token: StoredToken): PublisherToken {
  return {
    id: token.id,
    name: token.name,
    ...(token.description === null ? {} : { description: token.description }),
    token: `${token.beginning}${"*".repeat(32)}`,
    createdAt: token.createdAt.toISOString(),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    expires_at: token.expiresAt?.toISOString() ?? null,
  };
}
