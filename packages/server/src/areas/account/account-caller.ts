// Authenticates the JSON account API: a key or token in the headers, as everywhere, or a browser session. Headers win, and a
// refused header never falls back to the cookie. A cookie authorises a change only if our own page sent it.
import { type Identity, type Principal, type Session, unauthorized } from "../../capabilities/identity/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Arrival } from "../../foundation/http/area.ts";
import { parseId } from "../../foundation/ids.ts";
import { type IsOwnOrigin, requireOwnPage } from "./signing-in/request-origin.ts";
import type { SessionCookie } from "./signing-in/session-cookie.ts";

export interface AccountCaller {
  readonly principal: Principal;
  // Null for a key or token.
  readonly session: Session | null;
}

export interface AccountCallerDeps {
  readonly identity: Identity;
  readonly cookie: SessionCookie;
  readonly isOwnOrigin: IsOwnOrigin;
}

export async function readAccountCaller(deps: AccountCallerDeps, arrival: Arrival): Promise<AccountCaller> {
  const { headers } = arrival;
  const cookie = deps.cookie.read(headers.cookie);
  if (cookie === null || headers.authorization !== undefined || headers["x-api-key"] !== undefined) {
    return { principal: await deps.identity.authenticate(arrival), session: null };
  }
  const session = await deps.identity.signIn.readSession(cookie);
  if (session === null) throw unauthorized();
  // The person is signed in, so not 401: signing in again would change nothing.
  if (session.principal === null)
    throw new Fault("forbidden", "You are not a member of any workspace. Ask a workspace owner to add you.");
  if (arrival.method !== "GET" && arrival.method !== "HEAD") requireOwnPage(headers, deps.isOwnOrigin);
  const { principal } = session;
  const role = await roleInNamedWorkspace(deps.identity, session, arrival.path);
  // In a workspace that is not theirs the handler answers that there is none.
  if (role !== null) deps.identity.allow({ ...principal, role: role ?? principal.role }, arrival.operation);
  return { principal, session };
}

// A session acts in every workspace of its person: one that the path names counts before the chosen one. Undefined if the path
// names none, null if they are no member of it.
async function roleInNamedWorkspace(identity: Identity, { person }: Session, path: string) {
  const named = /^\/account\/workspaces\/([^/]+)/.exec(path)?.[1];
  if (named === undefined) return undefined;
  const workspaceId = parseId<"workspace">(named);
  return workspaceId && identity.workspaces.roleOf(workspaceId, person.id);
}
