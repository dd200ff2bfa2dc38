import { operations } from "@atelier/contract";
import type { EmbeddedIssuer, Identity } from "../../../capabilities/identity/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import type { AccountCaller } from "../account-caller.ts";

// Only a session gets a token: if a token could be exchanged for the next one, it would never expire.
export function createIdentityTokenRoute({ identity }: { readonly identity: Identity }): Route<AccountCaller> {
  return route(operations.createIdentityToken, async ({ caller: { principal, session } }) => {
    if (session === null || principal.personId === null) {
      throw new Fault("forbidden", "Sign in with a browser to get an identity token.");
    }
    const { personId, workspaceId } = principal;
    const { token, expiresAt } = await identity.issuer.sign({ personId, workspaceId, sessionId: session.id });
    return jsonAnswer(201, { token, expires_at: expiresAt.toISOString() }, { "cache-control": "no-store" });
  });
}

// Public keys only. Five minutes in a cache are well below the lead time of a key rotation.
export function getKeySetRoute(issuer: EmbeddedIssuer): Route<unknown> {
  return route(operations.getKeySet, () => jsonAnswer(200, issuer.jwks(), { "cache-control": "public, max-age=300" }));
}
