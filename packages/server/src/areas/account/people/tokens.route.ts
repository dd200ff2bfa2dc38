// Tokens: without a body, an identity token for a signed-in person; with one, a token that may do less than its maker.
import { NewToken, operations } from "@atelier/contract";
import type { KeyCaps } from "../../../capabilities/calls/index.ts";
import type { Identity } from "../../../capabilities/identity/index.ts";
import type { Cursors } from "../../../foundation/cursor.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type BytesAnswer, type Incoming, jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { pageById, QueryReader } from "../../../foundation/http/page-query.ts";
import type { KeyId } from "../../../foundation/ids.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import type { AccountCaller } from "../account-caller.ts";
import { deriveToken, listSeenTokens, presentToken, revokeSeenToken, showSeenToken } from "./derive-token.ts";

export interface TokenRouteDeps {
  readonly identity: Identity;
  readonly keyCaps: KeyCaps;
  readonly cursors: Cursors;
}

const fresh = { "cache-control": "no-store" };

export function createIdentityTokenRoute(deps: TokenRouteDeps): Route<AccountCaller> {
  return route(operations.createIdentityToken, async (incoming) => {
    if ((await incoming.bytes()).length === 0) return identityToken(deps, incoming);
    const body = requireValid(NewToken, await incoming.json());
    const { token, secret } = await deriveToken(deps, incoming.caller.principal, body, incoming.requestId);
    return jsonAnswer(201, { token: secret, ...presentToken(token, 0n) }, fresh);
  });
}

// Only a session gets one: if a token could be exchanged for the next one, it would never expire.
async function identityToken({ identity }: TokenRouteDeps, { caller }: Incoming<AccountCaller>): Promise<BytesAnswer> {
  const { principal, session } = caller;
  if (session === null || principal.personId === null) {
    throw new Fault(
      "forbidden",
      "Sign in with a browser to get an identity token. To make a token with fewer rights, send a body that names them.",
    );
  }
  const { personId, workspaceId } = principal;
  const { token, expiresAt } = await identity.issuer.sign({ personId, workspaceId, sessionId: session.id });
  return jsonAnswer(201, { token, expires_at: expiresAt.toISOString() }, fresh);
}

export function listTokensRoute(deps: TokenRouteDeps): Route<AccountCaller> {
  return route(operations.listTokens, async ({ caller: { principal }, query }) => {
    const purpose = `listTokens ${principal.workspaceId} ${principal.keyId ?? principal.personId}`;
    const page = await pageById(
      { reader: new QueryReader(query), cursors: deps.cursors, purpose },
      (before: KeyId | null, count) => listSeenTokens(deps, principal, { before, count }),
      (token) => token,
    );
    return jsonAnswer(200, page, fresh);
  });
}

export function getTokenRoute(deps: TokenRouteDeps): Route<AccountCaller> {
  return route(operations.getToken, async ({ caller: { principal }, params }) =>
    jsonAnswer(200, await showSeenToken(deps, principal, params["tokenId"]), fresh),
  );
}

export function revokeTokenRoute(deps: TokenRouteDeps): Route<AccountCaller> {
  return route(operations.revokeToken, async ({ caller: { principal }, params, requestId }) =>
    jsonAnswer(200, await revokeSeenToken(deps, principal, params["tokenId"], requestId), fresh),
  );
}
