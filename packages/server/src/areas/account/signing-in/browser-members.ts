// People in a browser, for pages other than the account's own: who is signed in, their role in the workspace that the path
// names, and whether one of our pages sent the request. Authority is read each time, so a member who was removed is refused at
// the next request.
import {
  type Identity,
  type IdentityPrincipal,
  identityPrincipal,
  type Session,
  unauthorized,
} from "../../../capabilities/identity/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { Arrival } from "../../../foundation/http/area.ts";
import { parseId } from "../../../foundation/ids.ts";
import { type IsOwnOrigin, requireOwnPage } from "./request-origin.ts";
import { sessionCookie } from "./session-cookie.ts";

export interface BrowserMembersDeps {
  readonly identity: Identity;
  readonly isHttps: boolean;
  readonly isOwnOrigin: IsOwnOrigin;
}

export interface BrowserMembers {
  // Null for a visitor who is signed out.
  visitor(arrival: Pick<Arrival, "headers">): Promise<Session | null>;
  // Null if they are no member of it, or there is no such workspace.
  memberOf(session: Session, workspace: string): Promise<IdentityPrincipal | null>;
  // The member who sent this request from one of our pages. Throws unauthorized, forbidden or not_found.
  requireMember(arrival: Arrival, workspace: string): Promise<IdentityPrincipal>;
}

export function browserMembers({ identity, isHttps, isOwnOrigin }: BrowserMembersDeps): BrowserMembers {
  const cookie = sessionCookie(isHttps);
  const visitor: BrowserMembers["visitor"] = async ({ headers }) => {
    const token = cookie.read(headers.cookie);
    return token === null ? null : identity.signIn.readSession(token);
  };
  const memberOf: BrowserMembers["memberOf"] = async (session, workspace) => {
    const workspaceId = parseId<"workspace">(workspace);
    if (workspaceId === null) return null;
    if (session.principal?.workspaceId === workspaceId) return session.principal;
    const role = await identity.workspaces.roleOf(workspaceId, session.person.id);
    const { id: sessionId, createdAt: signedInAt, person } = session;
    return role && identityPrincipal({ workspaceId, personId: person.id, sessionId, signedInAt }, role);
  };
  return {
    visitor,
    memberOf,
    async requireMember(arrival, workspace) {
      const session = await visitor(arrival);
      if (session === null) throw unauthorized();
      requireOwnRequest(arrival, isOwnOrigin);
      const member = await memberOf(session, workspace);
      if (member === null) throw new Fault("not_found", "There is no such workspace.");
      return identity.allow(member, arrival.operation);
    },
  };
}

// A page of another origin may neither change nor read anything, nor open a websocket, which browsers allow without asking.
function requireOwnRequest({ method, headers }: Arrival, isOwnOrigin: IsOwnOrigin): void {
  const isRead = (method === "GET" || method === "HEAD") && headers.upgrade === undefined;
  const isTyped = headers["sec-fetch-site"] === "none" || headers["sec-fetch-site"] === undefined;
  if (isRead && isTyped && headers.origin === undefined) return;
  requireOwnPage(headers, isOwnOrigin);
}
