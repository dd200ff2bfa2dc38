// A person's sessions: which browsers are signed in, and how to end them. An API key has none and sees none.
import { ChooseWorkspace, operations } from "@atelier/contract";
import {
  actingAs,
  type Identity,
  type IdentityPrincipal,
  type SessionId,
} from "../../../capabilities/identity/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { requireId } from "../../../foundation/ids.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import type { AccountCaller } from "../account-caller.ts";
import { presentSession, presentWorkspace } from "../present-account.ts";
import type { SessionCookie } from "./session-cookie.ts";

export interface SessionRouteDeps {
  readonly identity: Identity;
  readonly cookie: SessionCookie;
}

export function listSessionsRoute({ identity }: SessionRouteDeps): Route<AccountCaller> {
  return route(operations.listSessions, async ({ caller }) => {
    const { personId, sessionId } = requirePerson(caller);
    const sessions = await identity.signIn.listSessions(personId);
    return jsonAnswer(200, { data: sessions.map((session) => presentSession(session, sessionId)) });
  });
}

export function endSessionRoute({ identity, cookie }: SessionRouteDeps): Route<AccountCaller> {
  return route(operations.endSession, async ({ caller, params, requestId }) => {
    const principal = requirePerson(caller);
    const sessionId: SessionId = requireId(params["sessionId"], "There is no such session.");
    await identity.signIn.endSession(principal.personId, sessionId, actingAs(principal, requestId));
    return { status: 204, ...(sessionId === principal.sessionId ? { headers: { "set-cookie": cookie.clear() } } : {}) };
  });
}

export function endOtherSessionsRoute({ identity }: SessionRouteDeps): Route<AccountCaller> {
  return route(operations.endOtherSessions, async ({ caller, requestId }) => {
    const principal = requirePerson(caller);
    const { personId, sessionId } = principal;
    const by = actingAs(principal, requestId);
    return jsonAnswer(200, { ended: await identity.signIn.endOtherSessions(personId, sessionId, by) });
  });
}

// Only for the browser itself: a token is for one workspace, and its holder must not move the browser to another.
export function chooseSessionWorkspaceRoute({ identity }: SessionRouteDeps): Route<AccountCaller> {
  return route(operations.chooseSessionWorkspace, async (incoming) => {
    const { session } = incoming.caller;
    if (session === null) throw new Fault("forbidden", "Only a signed-in browser can choose a workspace.");
    const { workspace_id: text } = requireValid(ChooseWorkspace, await incoming.json());
    const workspaceId = requireId<"workspace">(text, "There is no such workspace.");
    await identity.signIn.chooseWorkspace(session, workspaceId, incoming.requestId);
    const [workspace, role] = await Promise.all([
      identity.workspaces.get(workspaceId),
      identity.workspaces.roleOf(workspaceId, session.person.id),
    ]);
    return jsonAnswer(200, presentWorkspace(workspace, role ?? "member"));
  });
}

function requirePerson({ principal }: AccountCaller): IdentityPrincipal {
  if (principal.kind === "identity") return principal;
  throw new Fault("forbidden", "Only a person has sessions; this is an API key.");
}
