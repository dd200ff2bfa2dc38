// Serves the profile's old URLs: the console's page of keys, and signing out.
import { operations } from "@atelier/contract";
import type { Route } from "../../../foundation/http/area.ts";
import { requireOwnPage } from "../signing-in/request-origin.ts";
import { plainBytesMax, type SignInPagesDeps } from "../signing-in/sign-in.route.ts";
import { publicPage, sessionPage, type Visitor } from "../signing-in/visitor.ts";

export function showApiKeysRoute({ showConsole }: SignInPagesDeps): Route<Visitor> {
  return publicPage({ operation: operations.showApiKeys, handle: showConsole });
}

export function signOutRoute(deps: SignInPagesDeps): Route<Visitor> {
  return sessionPage({
    operation: operations.signOut,
    bodyBytesMax: plainBytesMax,
    async handle(incoming, { cookie }) {
      requireOwnPage(incoming.headers, deps.isOwnOrigin);
      await incoming.bytes();
      await deps.identity.signIn.signOut(cookie, incoming.requestId);
      return { status: 204, headers: { "set-cookie": deps.cookie.clear() } };
    },
  });
}
