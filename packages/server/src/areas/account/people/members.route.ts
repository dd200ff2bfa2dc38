import { AddMember, InviteAgain, operations, UpdateMember } from "@atelier/contract";
import {
  actingAs,
  type Identity,
  invitationMs,
  type MemberRequest,
  requireOwner,
} from "../../../capabilities/identity/index.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { type PersonId, requireId, type WorkspaceId } from "../../../foundation/ids.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import { findPersonId, requireWorkspace } from "../account-authority.ts";
import type { AccountCaller } from "../account-caller.ts";
import { presentMember } from "../present-account.ts";
import { readFlag } from "./read-flag.ts";

export interface MemberRoutesDeps {
  readonly identity: Identity;
  // The sign-in URL; the one-time link of a new person begins with it.
  readonly platformUrl: () => string;
}

export function listMembersRoute({ identity }: MemberRoutesDeps): Route<AccountCaller> {
  return route(operations.listMembers, async ({ caller, params }) => {
    const { workspaceId } = await requireWorkspace(identity, caller, params["workspaceId"]);
    return jsonAnswer(200, { data: (await identity.members.list(workspaceId)).map(presentMember) });
  });
}

export function addMemberRoute(deps: MemberRoutesDeps): Route<AccountCaller> {
  return route(operations.addMember, async (incoming) => {
    const { identity } = deps;
    const { caller, params, requestId } = incoming;
    const { workspaceId } = await requireWorkspace(identity, caller, params["workspaceId"]);
    const body = requireValid(AddMember, await incoming.json());
    const request = readRequest(body);
    if (request.role === "owner") identity.requireFreshSignIn(caller.principal);
    const by = actingAs(caller.principal, requestId);
    const { member, isNewPerson } = await identity.members.add(workspaceId, request, by);
    const lifeMs = lifeOf("link_hours" in body ? body.link_hours : undefined);
    const link = isNewPerson ? await identity.signIn.createLink(member.person.id, by, lifeMs) : null;
    const added = { ...presentMember(member), ...(link === null ? {} : { sign_in: presentLink(deps, link) }) };
    return jsonAnswer(201, added, { "cache-control": "no-store" });
  });
}

export function inviteMemberAgainRoute(deps: MemberRoutesDeps): Route<AccountCaller> {
  return route(operations.inviteMemberAgain, async (incoming) => {
    const { identity } = deps;
    const { caller, params, requestId } = incoming;
    const { workspaceId } = await requireWorkspace(identity, caller, params["workspaceId"]);
    const { link_hours } = requireValid(InviteAgain, await incoming.json());
    const invited = { workspaceId, personId: readPersonId(params["personId"]), lifeMs: lifeOf(link_hours) };
    const link = await identity.signIn.inviteAgain(invited, actingAs(caller.principal, requestId));
    return jsonAnswer(201, presentLink(deps, link), { "cache-control": "no-store" });
  });
}

const lifeOf = (hours: number | undefined): number => (hours === undefined ? invitationMs : hours * 3_600_000);

function presentLink({ platformUrl }: MemberRoutesDeps, link: { readonly token: string; readonly expiresAt: Date }) {
  return { url: `${platformUrl()}/sign-in/${link.token}`, expires_at: link.expiresAt.toISOString() };
}

export function updateMemberRoute({ identity }: MemberRoutesDeps): Route<AccountCaller> {
  return route(operations.updateMember, async (incoming) => {
    const { caller, params, requestId } = incoming;
    const { workspaceId } = await requireWorkspace(identity, caller, params["workspaceId"]);
    const change = {
      personId: readPersonId(params["personId"]),
      ...requireValid(UpdateMember, await incoming.json()),
    };
    if (change.role === "owner" || (await isOwner(identity, workspaceId, change.personId)))
      identity.requireFreshSignIn(caller.principal);
    const by = actingAs(caller.principal, requestId);
    return jsonAnswer(200, presentMember(await identity.members.changeRole(workspaceId, change, by)));
  });
}

export function removeMemberRoute({ identity }: MemberRoutesDeps): Route<AccountCaller> {
  return route(operations.removeMember, async ({ caller, params, query, requestId }) => {
    const { workspaceId, role } = await requireWorkspace(identity, caller, params["workspaceId"]);
    const personId = readPersonId(params["personId"]);
    // Everyone may leave; only owners remove others.
    if ((await findPersonId(identity, caller.principal)) !== personId) requireOwner(role);
    if (await isOwner(identity, workspaceId, personId)) identity.requireFreshSignIn(caller.principal);
    const removal = { personId, keepKeys: readFlag(query, "keep_keys") };
    const removed = await identity.members.remove(workspaceId, removal, actingAs(caller.principal, requestId));
    return jsonAnswer(200, { revoked_keys: removed.revokedKeys });
  });
}

// Who owns a workspace changes only with a fresh sign-in.
async function isOwner(identity: Identity, workspaceId: WorkspaceId, personId: PersonId): Promise<boolean> {
  return (await identity.workspaces.roleOf(workspaceId, personId)) === "owner";
}

function readRequest(body: AddMember): MemberRequest {
  const role = body.role ?? "member";
  if ("person_id" in body) return { personId: readPersonId(body.person_id), role };
  return { name: body.name, email: body.email ?? null, role };
}

const readPersonId = (text: string | undefined): PersonId => requireId(text, "There is no person with this id.");
