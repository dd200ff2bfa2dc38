import { NameWorkspace, operations } from "@atelier/contract";
import { actingAs, type Identity, requireScope } from "../../../capabilities/identity/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type BytesAnswer, jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import { requireWorkspace } from "../account-authority.ts";
import type { AccountCaller } from "../account-caller.ts";
import { presentKey, presentPerson, presentWorkspace } from "../present-account.ts";

export function getAccountRoute({ identity }: { readonly identity: Identity }): Route<AccountCaller> {
  return route(operations.getAccount, ({ caller }) => answerAccount(identity, caller));
}

export function listWorkspacesRoute({ identity }: { readonly identity: Identity }): Route<AccountCaller> {
  return route(operations.listWorkspaces, ({ caller }) => answerWorkspaces(identity, caller));
}

export function createWorkspaceRoute({ identity }: { readonly identity: Identity }): Route<AccountCaller> {
  return route(operations.createWorkspace, async (incoming) => {
    const { principal } = incoming.caller;
    requireScope(principal, "account");
    if (principal.personId === null) throw new Fault("forbidden", "Only a person can create a workspace.");
    const { name } = requireValid(NameWorkspace, await incoming.json());
    const by = actingAs(principal, incoming.requestId);
    const workspace = await identity.workspaces.create({ name, ownerId: principal.personId }, by);
    return jsonAnswer(201, presentWorkspace(workspace, "owner"));
  });
}

export function updateWorkspaceRoute({ identity }: { readonly identity: Identity }): Route<AccountCaller> {
  return route(operations.updateWorkspace, async (incoming) => {
    const { caller, params, requestId } = incoming;
    const { workspaceId, role } = await requireWorkspace(identity, caller, params["workspaceId"]);
    const { name } = requireValid(NameWorkspace, await incoming.json());
    const by = actingAs(caller.principal, requestId);
    return jsonAnswer(200, presentWorkspace(await identity.workspaces.rename(workspaceId, name, by), role));
  });
}

async function answerAccount(identity: Identity, caller: AccountCaller): Promise<BytesAnswer> {
  const { workspaceId, role, scopes, keyId, personId } = caller.principal;
  const person = personId === null ? null : await identity.workspaces.person(personId);
  const session = await currentSession(identity, caller);
  const installationRole = personId === null ? null : await identity.operators.roleOf(personId);
  return jsonAnswer(200, {
    workspace: presentWorkspace(await identity.workspaces.get(workspaceId), role),
    role,
    scopes,
    ...(person === null ? {} : { person: presentPerson(person) }),
    is_operator: installationRole === "operator",
    installation_role: installationRole,
    session: session && {
      id: session.id,
      created_at: session.createdAt.toISOString(),
      expires_at: session.expiresAt.toISOString(),
    },
    ...(keyId === null ? {} : { key: presentKey(await identity.keys.get(workspaceId, keyId)) }),
  });
}

// The browser's session, or the one that the token was issued from.
async function currentSession(identity: Identity, { principal, session }: AccountCaller) {
  if (session !== null || principal.kind === "key" || principal.sessionId === null) return session;
  const all = await identity.signIn.listSessions(principal.personId);
  return all.find(({ id }) => id === principal.sessionId) ?? null;
}

async function answerWorkspaces(identity: Identity, { principal, session }: AccountCaller): Promise<BytesAnswer> {
  requireScope(principal, "account");
  if (session === null) {
    const own = await identity.workspaces.get(principal.workspaceId);
    return jsonAnswer(200, { data: [presentWorkspace(own, principal.role)] });
  }
  const memberships = await identity.workspaces.listOf(session.person.id);
  return jsonAnswer(200, {
    data: memberships.map(({ workspaceId, workspaceName, workspaceCreatedAt, role }) =>
      presentWorkspace({ id: workspaceId, name: workspaceName, createdAt: workspaceCreatedAt }, role),
    ),
  });
}
