// The visitor of a page: a signed-in person or an unknown one. The area of the pages admits both, because the sign-in page is
// one of them. An operation's `access` says whether a page needs a session: `sessionPage` accepts only those.
import type { Identity, Session } from "../../../capabilities/identity/index.ts";
import { unauthorized } from "../../../capabilities/identity/index.ts";
import type { Answer, Arrival, Incoming, Route } from "../../../foundation/http/area.ts";
import type { SessionCookie } from "./session-cookie.ts";

export type Visitor =
  | { readonly kind: "signed_out"; readonly cookie: string | null }
  | { readonly kind: "signed_in"; readonly cookie: string; readonly session: Session };

export async function readVisitor(
  deps: { readonly identity: Identity; readonly cookie: SessionCookie },
  arrival: Pick<Arrival, "headers">,
): Promise<Visitor> {
  const cookie = deps.cookie.read(arrival.headers.cookie);
  const session = cookie === null ? null : await deps.identity.signIn.readSession(cookie);
  return cookie === null || session === null ? { kind: "signed_out", cookie } : { kind: "signed_in", cookie, session };
}

type SignedIn = Extract<Visitor, { kind: "signed_in" }>;

export interface PublicPage {
  readonly operation: Route<Visitor>["operation"] & { readonly access: "public" };
  readonly bodyBytesMax?: number;
  handle(incoming: Incoming<Visitor>): Answer | Promise<Answer>;
}

export interface SessionPage {
  readonly operation: Route<Visitor>["operation"] & { readonly access: "session" };
  readonly bodyBytesMax?: number;
  handle(incoming: Incoming<Visitor>, visitor: SignedIn): Answer | Promise<Answer>;
}

export function publicPage(page: PublicPage): Route<Visitor> {
  return page;
}

export function sessionPage(page: SessionPage): Route<Visitor> {
  const { handle, ...rest } = page;
  return {
    ...rest,
    handle(incoming) {
      if (incoming.caller.kind === "signed_out") throw unauthorized();
      return handle(incoming, incoming.caller);
    },
  };
}
