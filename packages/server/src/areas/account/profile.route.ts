// What stands at the old addresses of the profile: the console's page of keys, and the way out.
import { operations } from "@atelier/contract";
import type { BytesAnswer, Route } from "../../foundation/http/area.ts";
import { formBytesMax } from "./form-body.ts";
import { requireOwnPage } from "./request-origin.ts";
import type { SignInPagesDeps } from "./sign-in.route.ts";
import { publicPage, sessionPage, type Visitor } from "./visitor.ts";

export interface ProfilePagesDeps extends SignInPagesDeps {
  readonly showConsole: () => Promise<BytesAnswer>;
}

export function profilePages(deps: ProfilePagesDeps): Route<Visitor>[] {
  return [showApiKeysRoute(deps), signOutRoute(deps)];
}

export function showApiKeysRoute({ showConsole }: Pick<ProfilePagesDeps, "showConsole">): Route<Visitor> {
  return publicPage({ operation: operations.showApiKeys, handle: () => showConsole() });
}

export function signOutRoute(deps: SignInPagesDeps): Route<Visitor> {
  return sessionPage({
    operation: operations.signOut,
    bodyBytesMax: formBytesMax,
    async handle(incoming, { cookie }) {
      requireOwnPage(incoming.headers, deps.isOwnOrigin);
      await incoming.bytes();
      await deps.identity.signIn.signOut(cookie, incoming.requestId);
      return { status: 204, headers: { "set-cookie": deps.cookie.clear() } };
    },
  });
}
