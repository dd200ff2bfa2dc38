// Who acts for a publisher. We look up people only among the members of the publisher's own workspace: e-mail addresses
// are not verified here, so a match elsewhere proves nothing. A publisher that has members always keeps an owner.
import { CreatePublisherMember, type PublisherMember } from "@atelier/contract";
import { Fault, orNotFound } from "../../../foundation/fault.ts";
import { newId, parseId } from "../../../foundation/ids.ts";
import type { Members } from "../../identity/index.ts";
import { badFields } from "../fields/bad-fields.ts";
import { readBody } from "../fields/read-body.ts";
import { type Asked, note, type Sent } from "../readers/actor.ts";
import { type PublisherDeps, requireLocked } from "./change-publisher.ts";
import {
  deletePublisherMember,
  insertPublisherMember,
  listPublisherMembers,
  type MembershipId,
} from "./member-store.ts";
import { presentMember } from "./present-publisher.ts";
import { requireBelonging, requirePublisherOwner } from "./publisher-authority.ts";

export interface MemberDeps extends PublisherDeps {
  readonly people: Pick<Members, "list">;
}

export async function membersOf(
  { database }: MemberDeps,
  publisherId: string,
  { caller }: Pick<Asked, "caller">,
): Promise<PublisherMember[]> {
  await requireBelonging(database, caller, publisherId);
  return (await listPublisherMembers(database, [publisherId])).map((member) => presentMember(member, true));
}

export async function addPublisherMember(deps: MemberDeps, publisherId: string, sent: Sent): Promise<PublisherMember> {
  const { workspaceId } = await requirePublisherOwner(deps.database, sent.caller, publisherId);
  const body = await readBody(CreatePublisherMember, sent);
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
    await requirePublisherOwner(tx, sent.caller, publisherId);
    await requireLocked(tx, publisherId);
    const added = { id, publisherId, personId: person.id, role, now: deps.clock.now() };
    if (!(await insertPublisherMember(tx, added))) throw new Fault("conflict", "This person is already a member.");
    const about = { kind: "publisher", id: publisherId, workspaceId };
    await note(deps, tx, sent, { action: "publisher_member.add", ...about, after: { person_id: person.id, role } });
  });
  return presentMember({ id, publisherId, role, person }, true);
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
    const leaving = orNotFound(
      members.find((member) => member.id === id),
      "This publisher has no such member.",
    );
    const staysOwned = members.some((member) => member.role === "owner" && member.id !== leaving.id);
    if (leaving.role === "owner" && !staysOwned) {
      throw new Fault("conflict", "The last owner cannot be removed. Make someone else an owner first.");
    }
    await deletePublisherMember(tx, publisherId, leaving.id);
    const about = { kind: "publisher", id: publisherId, workspaceId };
    const before = { person_id: leaving.person.id, role: leaving.role };
    await note(deps, tx, asked, { action: "publisher_member.remove", ...about, before });
  });
}
