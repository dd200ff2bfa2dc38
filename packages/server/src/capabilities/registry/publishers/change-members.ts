// Who acts for a publisher. People are looked for among the members of the publisher's own workspace: e-mail addresses
// are not verified here, so one that matches a person elsewhere proves nothing. A publisher that has people keeps an
// owner among them.
import type { CreatePublisherMember } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import { newId, parseId } from "../../../foundation/ids.ts";
import type { Members } from "../../identity/index.ts";
import { badFields } from "../fields/bad-fields.ts";
import { type Asked, note } from "../readers/actor.ts";
import { type PublisherDeps, requireLocked } from "./change-publisher.ts";
import {
  deletePublisherMember,
  insertPublisherMember,
  listPublisherMembers,
  type MembershipId,
  type StoredMember,
} from "./member-store.ts";
import { requirePublisherOwner } from "./publisher-authority.ts";

export interface MemberDeps extends PublisherDeps {
  readonly people: Pick<Members, "list">;
}

export async function addPublisherMember(
  deps: MemberDeps,
  publisherId: string,
  body: CreatePublisherMember,
  asked: Asked,
): Promise<StoredMember> {
  const { workspaceId } = await requirePublisherOwner(deps.database, asked.caller, publisherId);
  const email = body.email.trim().toLowerCase();
  const found = (await deps.people.list(workspaceId)).filter(({ person }) => person.email?.toLowerCase() === email);
  const [member] = found;
  if (member === undefined || found.length > 1) {
    const why = member === undefined ? "belongs to nobody in" : "belongs to several people in";
    throw badFields([{ path: "/email", message: `${why} the publisher's workspace` }]);
  }
  const { person } = member;
  const role = body.role ?? "member";
  const id = newId<"publisher-member">();
  await deps.database.transaction(async (tx) => {
    await requireLocked(tx, publisherId);
    const added = { id, publisherId, personId: person.id, role, now: deps.clock.now() };
    if (!(await insertPublisherMember(tx, added))) throw new Fault("conflict", "This person is a member already.");
    const about = { kind: "publisher", id: publisherId, workspaceId };
    await note(deps, tx, asked, { action: "publisher_member.add", ...about, after: { person_id: person.id, role } });
  });
  return { id, publisherId, role, person };
}

export async function removePublisherMember(
  deps: MemberDeps,
  publisherId: string,
  memberId: string,
  asked: Asked,
): Promise<void> {
  const { workspaceId } = await requirePublisherOwner(deps.database, asked.caller, publisherId);
  const id: MembershipId | null = parseId(memberId);
  await deps.database.transaction(async (tx) => {
    await requireLocked(tx, publisherId);
    const members = await listPublisherMembers(tx, [publisherId]);
    const leaving = members.find((member) => member.id === id);
    if (leaving === undefined) throw new Fault("not_found", "This publisher has no such member.");
    const staysOwned = members.some((member) => member.role === "owner" && member.id !== leaving.id);
    if (leaving.role === "owner" && !staysOwned) {
      throw new Fault("conflict", "The last owner cannot be removed. Make somebody else an owner first.");
    }
    await deletePublisherMember(tx, publisherId, leaving.id);
    const about = { kind: "publisher", id: publisherId, workspaceId };
    const before = { person_id: leaving.person.id, role: leaving.role };
    await note(deps, tx, asked, { action: "publisher_member.remove", ...about, before });
  });
}
